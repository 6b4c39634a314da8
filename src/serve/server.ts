/** The inspector's page over HTTP: bound to loopback, for whoever has the token, with a limit on everything. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { toHostMessage } from "../protocol/validate.js";
import { readJson } from "./body.js";
import { Guard } from "./guard.js";
import { pageDocument } from "./pageHtml.js";
import { PAGE_LIMITS, type PageEngine, type PageLimits, Pages } from "./pages.js";
import { begin, refuse } from "./responses.js";

export interface ServerLimits extends PageLimits {
  readonly connections: number;
  readonly headersMs: number;
  readonly requestMs: number;
}

export const SERVER_LIMITS: ServerLimits = { ...PAGE_LIMITS, connections: 64, headersMs: 5000, requestMs: 10_000 };

export interface ServerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** The folder with webview.js and webview.css. */
  readonly assets: string;
  readonly engine: PageEngine;
  readonly limits?: ServerLimits;
}

const LOOPBACK = "127.0.0.1";
/** The only files there are: no path is ever made from an address. */
const FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  "/webview.js": { file: "webview.js", type: "text/javascript; charset=utf-8" },
  "/webview.css": { file: "webview.css", type: "text/css; charset=utf-8" },
};
const PAGE_ID = /^[0-9a-f-]{36}$/;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

export class PageServer {
  readonly pages: Pages;
  readonly #guard = new Guard();
  readonly #assets: string;
  readonly #server: Server;
  readonly #routes: Readonly<Record<string, [method: string, answer: (exchange: Exchange) => unknown]>>;

  private constructor({ assets, engine, limits = SERVER_LIMITS }: ServerOptions) {
    this.#assets = assets;
    this.pages = new Pages(engine, limits);
    this.#routes = {
      "/": ["GET", exchange => this.#page(exchange)],
      "/open": ["GET", exchange => this.#open(exchange)],
      "/events": ["GET", exchange => this.#events(exchange)],
      "/context": ["GET", exchange => this.#context(exchange)],
      "/message": ["POST", exchange => this.#message(exchange)],
      ...Object.fromEntries(
        Object.keys(FILES).map(path => [path, ["GET", (exchange: Exchange) => this.#file(path, exchange)]]),
      ),
    };
    this.#server = createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        connectionsCheckingInterval: Math.min(1000, limits.headersMs),
        keepAliveTimeout: limits.headersMs,
        maxHeaderSize: 8 * 1024,
      },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.maxConnections = limits.connections;
  }

  static async start(options: ServerOptions): Promise<PageServer> {
    const server = new PageServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(options.port, LOOPBACK, resolve);
    });
    return server;
  }

  /** What the user is told: the token stands behind the #, which browsers keep to themselves. */
  get address(): string {
    return `${this.#origin}/#token=${this.#guard.token}`;
  }

  /** An address for a command line: good for one minute and one use. */
  ticketAddress(): string {
    return `${this.#origin}/open?ticket=${this.#guard.issueTicket()}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    this.pages.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get #origin(): string {
    return `http://${LOOPBACK}:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const objection = this.#guard.objection(request);
    const route = Object.hasOwn(this.#routes, path) ? this.#routes[path] : undefined;
    if (objection !== undefined) return refuse(response, 403, objection);
    if (route === undefined) return refuse(response, 404, "there is nothing here");
    const [method, answer] = route;
    if (request.method !== method) return refuse(response, 405, `only ${method}`, { allow: method });
    try {
      await answer({ request, response, query: new URLSearchParams(query) });
    } catch {
      // Whatever it was, it concerns this request only.
      response.destroy();
    }
  }

  #page({ response }: Exchange): void {
    const { html, policy } = pageDocument();
    begin(response, 200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
    response.end(html);
  }

  #open({ response, query }: Exchange): void {
    if (!this.#guard.redeem(query.get("ticket"))) {
      return refuse(response, 403, "This address worked once. Take the one that dedup-inspector has printed.");
    }
    begin(response, 303, { location: `/#token=${this.#guard.token}` });
    response.end();
  }

  async #file(path: string, { response }: Exchange): Promise<void> {
    const { file, type } = FILES[path] as (typeof FILES)[string];
    const content = await readFile(join(this.#assets, file)).catch(() => undefined);
    if (content === undefined) return refuse(response, 404, "the page is not built: npm run build");
    begin(response, 200, { "content-type": type });
    response.end(content);
  }

  #events({ response, query }: Exchange): void {
    const id = query.get("page") ?? "";
    // An EventSource cannot send headers of its own.
    if (!this.#guard.knows(query.get("token"))) return refuse(response, 401, "wrong token");
    if (!PAGE_ID.test(id)) return refuse(response, 400, "which page?");
    if (!this.pages.connect(id, response)) return refuse(response, 503, "too many pages are open");
  }

  #context({ request, response, query }: Exchange): void {
    if (!this.#isBearer(request)) return refuse(response, 401, "wrong token");
    const pieces = this.pages.takeContext(query.get("page") ?? "", Number(query.get("seq")));
    if (pieces === undefined) return refuse(response, 404, "there is a newer one");
    begin(response, 200, { "content-type": "application/octet-stream" });
    for (const piece of pieces) response.write(new Uint8Array(piece));
    response.end();
  }

  #isBearer({ headers }: IncomingMessage): boolean {
    const [scheme, token] = (headers.authorization ?? "").split(" ", 2);
    return scheme === "Bearer" && this.#guard.knows(token);
  }

  async #message({ request, response, query }: Exchange): Promise<void> {
    const id = query.get("page") ?? "";
    if (!this.#isBearer(request)) return refuse(response, 401, "wrong token");
    if (!PAGE_ID.test(id)) return refuse(response, 400, "which page?");
    if (request.headers["content-type"]?.split(";")[0]?.trim() !== "application/json") {
      return refuse(response, 415, "only application/json");
    }
    const body = await readJson(request);
    if (body === "long") return refuse(response, 413, "too long");
    const message = body === "bad" ? undefined : toHostMessage(body.value);
    if (message === undefined) return refuse(response, 400, "not a message");
    if (!this.pages.take(id, message)) return refuse(response, 503, "too many pages are open");
    begin(response, 204, {});
    response.end();
  }
}

/** The inspector's page over HTTP: bound to loopback, for whoever has the token, with a limit on everything. */
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toHostMessage } from "../protocol/validate.js";
import { readJson } from "./body.js";
import { Connections } from "./connections.js";
import { Guard } from "./guard.js";
import { pageDocument } from "./pageHtml.js";
import { PAGE_LIMITS, type PageEngine, type PageLimits, Pages } from "./pages.js";
import { begin, refuse } from "./responses.js";

export interface ServerLimits extends PageLimits {
  /** All of them; more are not let in. */
  readonly connections: number;
  /** Those on which nobody has shown the token: another one takes the place of the oldest. */
  readonly strangers: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** A connection on which nothing moves for so long is ended. A stream moves with every heartbeat. */
  readonly idleMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  ...PAGE_LIMITS,
  connections: 256,
  strangers: 64,
  headersMs: 5000,
  requestMs: 10_000,
  idleMs: 2 * PAGE_LIMITS.heartbeatMs,
};

export interface ServerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** The folder with the built page. */
  readonly assets: string;
  readonly engine: PageEngine;
  /** The report of all sessions, in pieces of text. */
  report(): Promise<Iterable<string>>;
  /** The ticket was redeemed; or somebody has tried it a second time. */
  ticketUsed?(times: "once" | "twice"): void;
  readonly limits?: ServerLimits;
}

const LOOPBACK = "127.0.0.1";
/** The only files there are: no path is ever made from an address. All but the first are for who has the token. */
const FILES: Readonly<Record<string, { readonly file: string; readonly type: string; readonly key: Key }>> = {
  "/loader.js": { file: "loader.js", type: "text/javascript; charset=utf-8", key: "none" },
  "/webview.js": { file: "webview.js", type: "text/javascript; charset=utf-8", key: "address" },
  "/webview.css": { file: "webview.css", type: "text/css; charset=utf-8", key: "address" },
};
const PAGE_ID = /^[0-9a-f-]{36}$/;

/** Where a request has to show the token. Scripts, styles and event streams cannot have headers of their own. */
type Key = "none" | "address" | "header";

interface Route {
  readonly method: "GET" | "POST";
  readonly key: Key;
  answer(exchange: Exchange): unknown;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

export class PageServer {
  readonly pages: Pages;
  readonly #guard = new Guard();
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #connections: Connections;
  readonly #server: Server;
  readonly #routes: Readonly<Record<string, Route>>;

  private constructor(options: ServerOptions) {
    const { engine, limits = SERVER_LIMITS } = options;
    this.#options = options;
    this.#limits = limits;
    this.pages = new Pages(engine, limits);
    this.#connections = new Connections(limits.strangers);
    this.#routes = {
      "/": { method: "GET", key: "none", answer: ({ response }) => this.#page(response) },
      "/open": { method: "GET", key: "none", answer: exchange => this.#open(exchange) },
      "/events": { method: "GET", key: "address", answer: exchange => this.#events(exchange) },
      "/context": { method: "GET", key: "header", answer: exchange => this.#context(exchange) },
      "/report": { method: "GET", key: "header", answer: exchange => this.#report(exchange) },
      "/message": { method: "POST", key: "header", answer: exchange => this.#message(exchange) },
      ...Object.fromEntries(Object.keys(FILES).map(path => [path, this.#fileRoute(path)])),
    };
    const answer = (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response);
    this.#server = createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        connectionsCheckingInterval: Math.min(1000, limits.headersMs),
        keepAliveTimeout: limits.headersMs,
        maxHeaderSize: 8 * 1024,
      },
      answer,
    );
    this.#server.on("connection", socket => this.#connections.add(socket));
    // Node would answer these by itself.
    this.#server.on("checkContinue", answer).on("checkExpectation", answer);
    this.#server.maxConnections = limits.connections;
    this.#server.timeout = limits.idleMs;
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

  /** An address for a browser: good for one minute and one use. */
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
    const { socket } = request;
    if (!this.#connections.begin(socket)) return;
    response.on("close", () => this.#connections.finish(socket));
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const exchange = { request, response, query: new URLSearchParams(query) };
    const objection = this.#guard.objection(request);
    const route = Object.hasOwn(this.#routes, path) ? this.#routes[path] : undefined;
    if (objection !== undefined) return refuse(response, 403, objection);
    if (request.headers.expect !== undefined) return refuse(response, 417, "Expect is not supported");
    if (route === undefined) return refuse(response, 404, "not found");
    const { method, key } = route;
    if (request.method !== method) return refuse(response, 405, `only ${method}`, { allow: method });
    if (key !== "none") {
      if (!this.#guard.knows(tokenOf(exchange, key))) return refuse(response, 401, "wrong token");
      this.#connections.trust(socket);
    }
    try {
      await route.answer(exchange);
    } catch {
      // Whatever it was, it concerns this request only.
      response.destroy();
    }
  }

  /** Small, and the connection ends with it: anybody may ask for this. */
  #page(response: ServerResponse, token?: string): void {
    const { html, policy } = pageDocument(token);
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
    begin(response, 200, { ...headers, connection: "close" });
    response.end(html);
  }

  #open({ response, query }: Exchange): void {
    const redeemed = this.#guard.redeem(query.get("ticket"));
    if (redeemed === "unknown") {
      return refuse(response, 403, "This address has expired. Open the one that dedup-inspector printed.");
    }
    if (redeemed === "used before") {
      refuse(
        response,
        403,
        "This address was used before, perhaps by someone else, who has now been disconnected. " +
          "Open the address that dedup-inspector printed.",
      );
      // Whoever still has a good token comes back by itself.
      response.on("close", () => this.#server.closeAllConnections());
      return this.#options.ticketUsed?.("twice");
    }
    this.#page(response, redeemed.token);
    this.#options.ticketUsed?.("once");
  }

  #fileRoute(path: string): Route {
    const { file, type, key } = FILES[path] as (typeof FILES)[string];
    return { method: "GET", key, answer: ({ response }) => this.#file(file, type, key, response) };
  }

  async #file(name: string, type: string, key: Key, response: ServerResponse): Promise<void> {
    const file = await open(join(this.#options.assets, name)).catch(() => undefined);
    if (file === undefined) return refuse(response, 404, "the page is not built: npm run build");
    begin(response, 200, { "content-type": type, ...(key === "none" && { connection: "close" }) });
    await pipeline(file.createReadStream(), response);
  }

  #events({ response, query }: Exchange): void {
    const id = query.get("page") ?? "";
    if (!PAGE_ID.test(id)) return refuse(response, 400, "which page?");
    if (!this.pages.connect(id, response)) return refuse(response, 503, "too many pages are open");
  }

  #context({ response, query }: Exchange): void {
    const pieces = this.pages.takeContext(query.get("page") ?? "", Number(query.get("seq")));
    if (pieces === undefined) return refuse(response, 404, "there is a newer one");
    begin(response, 200, { "content-type": "application/octet-stream" });
    for (const piece of pieces) response.write(new Uint8Array(piece));
    response.end();
  }

  /** It may take minutes to make, and be of any length: it is no message, but a file that is sent as fast as it is read. */
  async #report({ response }: Exchange): Promise<void> {
    // Neither side takes the silence for a lost connection.
    const patience = setInterval(() => response.writeProcessing(), this.#limits.heartbeatMs);
    const made = await this.#options
      .report()
      .catch((error: Error) => error)
      .finally(() => clearInterval(patience));
    if (made instanceof Error) return refuse(response, 503, made.message);
    begin(response, 200, { "content-type": "application/json; charset=utf-8" });
    await pipeline(Readable.from(made), response);
  }

  async #message({ request, response, query }: Exchange): Promise<void> {
    const id = query.get("page") ?? "";
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

function tokenOf({ request, query }: Exchange, key: Key): string | null {
  if (key === "address") return query.get("token");
  const [scheme, token = null] = (request.headers.authorization ?? "").split(" ", 2);
  return scheme === "Bearer" ? token : null;
}

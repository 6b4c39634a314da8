/** Serves the inspector's page over HTTP: on loopback only, to whoever has the token, with a limit on everything. */
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isReportFormat, type ReportFormat } from "../protocol/reportFormats.js";
import { toHostMessage } from "../protocol/validate.js";
import { Connections } from "./connections.js";
import { Guard } from "./guard.js";
import { begin, readJson, refuse } from "./http.js";
import { pageDocument } from "./pageHtml.js";
import { TAB_LIMITS, type TabHost, type TabLimits, Tabs } from "./tabs.js";

export interface ServerLimits extends TabLimits {
  /** In total; any more are rejected. */
  readonly connections: number;
  /** Connections that have not presented the token: a new one replaces the oldest. */
  readonly strangers: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** An idle connection is closed after this time. Heartbeats keep a stream alive. */
  readonly idleMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  ...TAB_LIMITS,
  connections: 256,
  strangers: 64,
  headersMs: 5000,
  requestMs: 10_000,
  idleMs: 2 * TAB_LIMITS.heartbeatMs,
};

export interface ServerOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** The folder with the built page. */
  readonly assets: string;
  readonly host: TabHost;
  /** The report of all sessions, in pieces of text. `signal`: nobody is waiting for it any more. */
  report(format: ReportFormat, signal: AbortSignal): Promise<Iterable<string>>;
  /** The ticket was redeemed, or somebody tried to redeem it a second time. */
  ticketUsed?(times: "once" | "twice"): void;
  readonly limits?: ServerLimits;
}

const LOOPBACK = "127.0.0.1";
/** The only files: no path is ever built from a URL. All except the first require the token. */
const FILES: Readonly<Record<string, ServedFile>> = {
  "/loader.js": { file: "loader.js", type: "text/javascript; charset=utf-8", key: "none" },
  "/webview.js": { file: "webview.js", type: "text/javascript; charset=utf-8", key: "address" },
  "/webview.css": { file: "webview.css", type: "text/css; charset=utf-8", key: "address" },
};
const PAGE_ID = /^[0-9a-f-]{36}$/;

/** Where a request must have the token. Requests for scripts, styles and event streams cannot have custom headers. */
type Key = "none" | "address" | "header";

interface ServedFile {
  readonly file: string;
  readonly type: string;
  readonly key: Key;
}

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
  readonly tabs: Tabs;
  readonly #guard = new Guard();
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #connections: Connections;
  readonly #server: Server;
  readonly #routes: Readonly<Record<string, Route>>;

  private constructor(options: ServerOptions) {
    const { host, limits = SERVER_LIMITS } = options;
    this.#options = options;
    this.#limits = limits;
    this.tabs = new Tabs(host, limits);
    this.#connections = new Connections(limits.strangers);
    this.#routes = {
      "/": { method: "GET", key: "none", answer: ({ response }) => this.#page(response) },
      "/open": { method: "GET", key: "none", answer: exchange => this.#open(exchange) },
      "/events": { method: "GET", key: "address", answer: exchange => this.#events(exchange) },
      "/context": { method: "GET", key: "header", answer: exchange => this.#context(exchange) },
      "/report": { method: "GET", key: "header", answer: exchange => this.#report(exchange) },
      "/message": { method: "POST", key: "header", answer: exchange => this.#message(exchange) },
      ...Object.fromEntries(Object.entries(FILES).map(([path, file]) => [path, this.#fileRoute(file)])),
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
    // Otherwise Node would answer these itself.
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

  /** The address for the user. The token comes after the #, which browsers do not send. */
  get address(): string {
    return `${this.#origin}/#token=${this.#guard.token}`;
  }

  /** An address for a browser, valid for one minute and one use. */
  ticketAddress(): string {
    return `${this.#origin}/open?ticket=${this.#guard.issueTicket()}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    this.tabs.close();
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
      // Whatever it is, it only concerns this request.
      response.destroy();
    }
  }

  /** Anybody may request this: it is small, and closes the connection. */
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
      // Tabs that still have a valid token reconnect.
      response.on("close", () => this.#server.closeAllConnections());
      return this.#options.ticketUsed?.("twice");
    }
    this.#page(response, redeemed.token);
    this.#options.ticketUsed?.("once");
  }

  #fileRoute({ file, type, key }: ServedFile): Route {
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
    if (!PAGE_ID.test(id)) return refuse(response, 400, "no valid page id");
    if (!this.tabs.connect(id, response)) return refuse(response, 503, "too many pages are open");
  }

  #context({ response, query }: Exchange): void {
    const pieces = this.tabs.takeContext(query.get("page") ?? "", Number(query.get("seq")));
    if (pieces === undefined) return refuse(response, 404, "there is a newer one");
    begin(response, 200, { "content-type": "application/octet-stream" });
    for (const piece of pieces) response.write(new Uint8Array(piece));
    response.end();
  }

  /** It may take minutes and be of any length, so it is written to a file and sent as fast as it is read. */
  async #report({ response, query }: Exchange): Promise<void> {
    const format = query.get("format");
    if (!isReportFormat(format)) return refuse(response, 400, "unknown format");
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    // Otherwise either side might mistake the silence for a lost connection.
    const patience = setInterval(() => response.writeProcessing(), this.#limits.heartbeatMs);
    const made = await this.#options
      .report(format, gone.signal)
      .catch((error: Error) => error)
      .finally(() => clearInterval(patience));
    if (made instanceof Error) return refuse(response, 503, made.message);
    // Never as HTML: it must be saved, not rendered on this origin.
    begin(response, 200, { "content-type": "text/plain; charset=utf-8" });
    await pipeline(Readable.from(made), response);
  }

  async #message({ request, response, query }: Exchange): Promise<void> {
    const id = query.get("page") ?? "";
    if (!PAGE_ID.test(id)) return refuse(response, 400, "no valid page id");
    if (request.headers["content-type"]?.split(";")[0]?.trim() !== "application/json") {
      return refuse(response, 415, "only application/json");
    }
    const body = await readJson(request);
    if (body === "long") return refuse(response, 413, "too long");
    const message = body === "bad" ? undefined : toHostMessage(body.value);
    if (message === undefined) return refuse(response, 400, "invalid message");
    if (!this.tabs.take(id, message)) return refuse(response, 503, "too many pages are open");
    begin(response, 204, {});
    response.end();
  }
}

function tokenOf({ request, query }: Exchange, key: Key): string | null {
  if (key === "address") return query.get("token");
  const [scheme, token = null] = (request.headers.authorization ?? "").split(" ", 2);
  return scheme === "Bearer" ? token : null;
}

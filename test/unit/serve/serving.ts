/** A real server on loopback with an engine that only records what it receives. */

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { NO_SESSIONS_COMPARED } from "../../../src/protocol/comparison.js";
import type { PanelState, ToHost, ToPage } from "../../../src/protocol/messages.js";
import { packState } from "../../../src/protocol/packing.js";
import { PageServer, SERVER_LIMITS, type ServerLimits, type ServerOptions } from "../../../src/serve/server.js";
import { until } from "../../support/until.js";

export { until };

export class FakeEngine {
  readonly told: (readonly [panel: number, message: ToHost | "closed"])[] = [];
  onMessage: (panel: number, message: ToHost) => void = () => {};

  fromPage(panel: number, message: ToHost): void {
    this.told.push([panel, message]);
    this.onMessage(panel, message);
  }

  closed(panel: number): void {
    this.told.push([panel, "closed"]);
  }

  /** How often a panel was sent this. */
  count(type: ToHost["type"] | "closed", panel?: number): number {
    const kind = (message: ToHost | "closed") => (message === "closed" ? "closed" : message.type);
    return this.told.filter(([which, message]) => kind(message) === type && (panel ?? which) === which).length;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** What a test may override. */
export type Served = Pick<ServerOptions, "report" | "ticketUsed"> & { readonly script: string };

export class Serving {
  readonly engine: FakeEngine;
  readonly server: PageServer;
  readonly #assets: string;
  readonly #streams: EventReader[] = [];

  private constructor(engine: FakeEngine, server: PageServer, assets: string) {
    this.engine = engine;
    this.server = server;
    this.#assets = assets;
  }

  static async start(limits: Partial<ServerLimits> = {}, more: Partial<Served> = {}): Promise<Serving> {
    const assets = mkdtempSync(join(tmpdir(), "dedup-serve-"));
    const { script = "the script", ...options } = more;
    writeFileSync(join(assets, "loader.js"), "the loader");
    writeFileSync(join(assets, "webview.js"), script);
    writeFileSync(join(assets, "webview.css"), "the style");
    writeFileSync(join(assets, "cli.js"), "the program");
    const engine = new FakeEngine();
    const server = await PageServer.start({
      port: 0,
      assets,
      host: engine,
      report: async () => ["{}"],
      limits: { ...SERVER_LIMITS, ...limits },
      ...options,
    });
    return new Serving(engine, server, assets);
  }

  get port(): number {
    return Number(new URL(this.server.address).port);
  }

  get token(): string {
    return new URL(this.server.address).hash.slice("#token=".length);
  }

  /** A URL with the token in it. */
  keyed(path: string): string {
    return `${path}?token=${this.token}`;
  }

  /** A request, exactly as given: nothing about it is normalized. */
  ask(path: string, { method = "GET", headers = {}, body }: AskOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port: this.port, path, method, headers, agent: false }, answer => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(pieces).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      });
      asked.on("error", reject);
      asked.end(body);
    });
  }

  post(page: string, message: unknown, { headers = {}, ...more }: AskOptions = {}): Promise<Answer> {
    return this.ask(`/message?page=${page}`, {
      method: "POST",
      body: typeof message === "string" ? message : JSON.stringify(message),
      headers: { "content-type": "application/json", authorization: `Bearer ${this.token}`, ...headers },
      ...more,
    });
  }

  async stream(page: string = randomUUID(), token: string = this.token): Promise<EventReader> {
    const reader = new EventReader(this.port, page, token);
    this.#streams.push(reader);
    await until(() => reader.text.includes("retry:"));
    return reader;
  }

  async end(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    await this.server.close();
    rmSync(this.#assets, { recursive: true, force: true });
  }
}

/** Reads a stream of events from a bare socket, so that it can also stop reading. */
export class EventReader {
  readonly page: string;
  readonly socket: Socket;
  text = "";
  bytes = 0;
  closed = false;

  constructor(port: number, page: string, token: string) {
    this.page = page;
    this.socket = connect(port, "127.0.0.1");
    this.socket.write(`GET /events?token=${token}&page=${page} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    this.socket.on("data", piece => {
      this.bytes += piece.length;
      this.text += piece.toString("latin1");
    });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.closed = true;
    });
  }

  /** The whole messages so far. Chunks of the transfer encoding are on separate lines. */
  get messages(): ToPage[] {
    return this.text
      .split("\n")
      .slice(0, -1)
      .filter(line => line.startsWith("data: "))
      .map(line => JSON.parse(line.slice("data: ".length)) as ToPage);
  }

  close(): void {
    this.socket.destroy();
  }
}

export function snapshot(seq: number, more: Partial<PanelState> = {}): ToPage {
  const state: PanelState = {
    place: "browser",
    sessions: [],
    selected: null,
    following: true,
    contexts: [],
    context: null,
    settings: { ...DEFAULT_SETTINGS, axis: "order" },
    basis: "",
    all: NO_SESSIONS_COMPARED,
    progress: null,
    roots: [],
    problems: [],
    ...more,
  };
  return { type: "snapshot", seq, state: packState(state) };
}

export function delta(seq: number, bytes = 0): ToPage {
  return { type: "delta", seq, delta: { problems: ["x".repeat(bytes)] } };
}

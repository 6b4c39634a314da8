/** `dedup-inspector open` as another process, and a tab of its page without a browser. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { AllSessions } from "../../../src/protocol/comparison.js";
import type { PanelState, ToHost, ToPage } from "../../../src/protocol/messages.js";
import { unpackState } from "../../../src/protocol/packing.js";
import type { ReportFormat } from "../../../src/protocol/reportFormats.js";
import type { PageAsk } from "../../../src/protocol/requests.js";
import { built, type Place } from "../../support/cli.js";
import { REPOSITORY } from "../../support/replay.js";
import { until } from "../../support/until.js";

export { until };

type Display = Readonly<Record<string, string>>;

/** A folder for the tests of one file, and programs in it that end with the test that started them. */
export function openedIn(place: Place): (args: readonly string[], display?: Display) => Opened {
  const running: Opened[] = [];
  beforeAll(async () => {
    await built();
    mkdirSync(place.path("tmp"));
  });
  afterEach(async () => {
    for (const opened of running.splice(0)) await opened.end("SIGTERM");
  });
  afterAll(() => place.remove());
  return (args, display) => {
    const opened = new Opened(place, args, display);
    running.push(opened);
    return opened;
  };
}

/** The program, running. */
export class Opened {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exit: Promise<number | null>;
  stdout = "";
  stderr = "";

  /** Without `--no-browser` only if a display is set: then the first program on that PATH is "the browser". */
  constructor(place: Place, args: readonly string[], display: Display = {}) {
    const quiet = "DISPLAY" in display ? [] : ["--no-browser"];
    this.child = spawn(process.execPath, [join(REPOSITORY, "dist", "cli.js"), "open", ...quiet, ...args], {
      cwd: place.folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: place.path("home"),
        XDG_CACHE_HOME: place.path("home", "cache"),
        CLAUDE_CONFIG_DIR: place.path("home", "config"),
        TMPDIR: place.path("tmp"),
        ...display,
      },
    });
    this.child.stdout.on("data", (piece: Buffer) => (this.stdout += piece));
    this.child.stderr.on("data", (piece: Buffer) => (this.stderr += piece));
    this.#exit = new Promise(resolve => this.child.on("close", code => resolve(code)));
  }

  /** Waits until the first line is there, or the program has ended. */
  get started(): Promise<void> {
    return until(
      () => this.stdout.includes("\n") || this.child.exitCode !== null,
      () => this.stderr,
    );
  }

  get address(): URL {
    return new URL(this.stdout.split("\n")[0]?.replace("Dedup Inspector: ", "") ?? "");
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.#exit;
  }

  get exit(): Promise<number | null> {
    return this.#exit;
  }
}

/** A tab that behaves like the page's script. */
export class Tab {
  readonly messages: ToPage[] = [];
  readonly #states: PanelState[] = [];
  readonly #address: URL;
  readonly #page = randomUUID();
  readonly #ending = new AbortController();
  #lastId = 0;

  constructor(address: URL) {
    this.#address = address;
  }

  static async open(opened: Opened): Promise<Tab> {
    const tab = new Tab(opened.address);
    const events = new URL(`/events?token=${tab.#token}&page=${tab.#page}`, tab.#address);
    const response = await fetch(events, { signal: tab.#ending.signal });
    void tab.#read(response).catch(() => {});
    return tab;
  }

  async post(message: ToHost): Promise<void> {
    const { status } = await fetch(new URL(`/message?page=${this.#page}`, this.#address), {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(message),
    });
    expect(status).toBe(204);
  }

  /** The answer, or the failure's message. */
  async ask(ask: PageAsk): Promise<unknown> {
    const id = ++this.#lastId;
    await this.post({ type: "request", id, ask });
    const found = () => this.messages.find(message => "id" in message && message.id === id);
    await until(() => found() !== undefined);
    const message = found();
    return message?.type === "reply" ? message.result : message?.type === "failure" ? message.message : undefined;
  }

  /** The report of all sessions, as downloaded. */
  async report(format: ReportFormat = "json"): Promise<string> {
    const response = await fetch(new URL(`/report?format=${format}`, this.#address), {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  }

  /** The comparison of all sessions, once available. */
  async comparedAll(): Promise<NonNullable<AllSessions["report"]>> {
    const found = () =>
      this.messages.findLast(message => message.type === "delta" && message.delta.all?.report) as
        | { readonly delta: { readonly all: AllSessions } }
        | undefined;
    await until(() => found() !== undefined);
    return found()?.delta.all.report as NonNullable<AllSessions["report"]>;
  }

  /** The newest snapshot for which this holds. */
  async state(holds: (state: PanelState) => boolean = () => true): Promise<PanelState> {
    const found = () => this.#states.findLast(holds);
    await until(() => found() !== undefined);
    return found() as PanelState;
  }

  close(): void {
    this.#ending.abort();
  }

  get #token(): string {
    return this.#address.hash.slice("#token=".length);
  }

  async #read(response: Response): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      const events = (text + decoder.decode(piece, { stream: true })).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        if (event.startsWith("data: ")) await this.#take(JSON.parse(event.slice(6)) as ToPage);
      }
    }
  }

  /** Fetches the bytes of a snapshot; if they are gone, a newer one is pending. */
  async #take(message: ToPage): Promise<void> {
    this.messages.push(message);
    if (message.type !== "snapshot") return;
    const { seq, state } = message;
    if (state.context === null) return void this.#states.push({ ...state, context: null });
    const context = await fetch(new URL(`/context?page=${this.#page}&seq=${seq}`, this.#address), {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    if (context.ok) this.#states.push(unpackState({ ...state, context: [await context.arrayBuffer()] }));
  }
}

/** Processes whose parent this is; threads do not count. */
export function childrenOf(pid: number | undefined): string[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc").filter(name => /^\d+$/.test(name) && parentOf(name) === String(pid));
}

/** Undefined once the process has ended: other tests' processes come and go while this one looks. */
function parentOf(process: string): string | undefined {
  try {
    return readFileSync(`/proc/${process}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
  } catch {
    return undefined;
  }
}

/** The addresses on which anybody listens on this port, in the kernel's notation. */
export function listening(port: number): string[] {
  if (!existsSync("/proc/net/tcp")) return ["0100007F"];
  const lines = ["tcp", "tcp6"].flatMap(kind => {
    const table = `/proc/net/${kind}`;
    return existsSync(table) ? readFileSync(table, "utf8").split("\n") : [];
  });
  const listens = lines.map(line => line.trim().split(/\s+/)).filter(fields => fields[3] === "0A");
  return listens.flatMap(([, local = ""]) => {
    const [address = "", hex = ""] = local.split(":");
    return Number.parseInt(hex, 16) === port ? [address] : [];
  });
}

export function answers(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.on("connect", end(true)).on("error", end(false)).on("timeout", end(false));
  });
}

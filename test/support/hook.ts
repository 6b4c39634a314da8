/** The built hook program as Claude Code runs it: a fresh process for every event, a log that grows in between. */
import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { quickName } from "../../src/hook/quick.js";
import { homeIn } from "./cli.js";
import { call, type Json, logText, result } from "./log.js";
import { filesUnder, REPOSITORY } from "./replay.js";

const PROGRAM = join(REPOSITORY, "dist", "hook.js");
const WRITER = join(REPOSITORY, "test", "support", "writeWhileWaiting.cjs");

/** A text worth a hint; each mark gives a different text. */
export function longText(mark = "a"): string {
  return `${`${mark} line of output\n`.repeat(30)}end`;
}

/** The hint that refers to a call made by `HookedSession.bash`. */
export function hintTo(id: string, from = `Bash(cat ${id}), run again now`): string {
  return `> [ref: ${id}, byte-identical, from: ${from}]`;
}

export class HookedSession {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "dedup-hook-")));
  readonly log = join(this.folder, "s.jsonl");
  readonly state = join(this.folder, "state");
  /** May be set to another copy of the program. */
  program = PROGRAM;
  readonly #args: readonly string[];
  /** In the environment of the next run only. */
  #once: Record<string, string> = {};

  constructor(...args: string[]) {
    this.#args = [`--state=${this.state}`, ...args];
    writeFileSync(this.log, "");
  }

  /** Writes to the session's log, or to a subagent's. */
  write(lines: readonly Json[], agent?: string): void {
    const log = agent === undefined ? this.log : join(this.folder, "s", "subagents", `agent-${agent}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    appendFileSync(log, logText(...lines));
  }

  /** Writes while the next hook waits for the log, as Claude Code does: when it has waited for this long. */
  writeSoon(lines: readonly Json[], afterMs = 0): void {
    const soon = join(this.folder, "soon");
    writeFileSync(soon, logText(...lines));
    this.#once = {
      NODE_OPTIONS: `--require ${WRITER}`,
      DEDUP_SOON: soon,
      DEDUP_LOG: this.log,
      DEDUP_AFTER_MS: `${afterMs}`,
    };
  }

  /** As if a mod of Claude Code handled this session. */
  markAsLookedAfter(session: string): void {
    this.#once = { DEDUP_INSPECTOR_MOD: session };
  }

  /** The call's own line, which is in the log when its hook runs; each call is a separate answer. */
  begin(id: string, tool = "Bash", input: Json = { command: `cat ${id}` }, message = `m-${id}`): void {
    this.write([call(id, tool, input, { uuid: `c-${id}`, message: { id: message, model: "m" } })]);
  }

  end(id: string, body: unknown, more: Json = {}): void {
    this.write([result(id, body, { uuid: `r-${id}`, ...more })]);
  }

  /** A whole Bash call: its line, its hook, and the hook's result in the log. Returns that text. */
  bash(id: string, stdout: string, message?: string): string {
    this.begin(id, "Bash", { command: `cat ${id}` }, message);
    const emitted = this.bashHook(id, stdout);
    this.end(id, emitted);
    return emitted;
  }

  /** Runs only the hook; returns the text that the model would read. */
  bashHook(id: string, stdout: string, more: Json = {}): string {
    const answer = this.post("Bash", id, { stdout, stderr: "", interrupted: false, isImage: false }, more);
    return (answer?.["stdout"] as string | undefined) ?? stdout;
  }

  /** What the hook makes of a response; undefined if it says nothing. */
  post(tool: string, id: string, response: unknown, more: Json = {}): Json | undefined {
    const tool_input = more["tool_input"] ?? {};
    const event = { tool_name: tool, tool_use_id: id, tool_input, tool_response: response, ...more };
    const answer = this.send({ hook_event_name: "PostToolUse", ...event });
    return answer === "" ? undefined : JSON.parse(answer).hookSpecificOutput.updatedToolOutput;
  }

  /** Sends an event and returns the program's answer. It must exit with 0, whatever happens. */
  send(event: Json | string): string {
    const input = typeof event === "string" ? event : JSON.stringify({ transcript_path: this.log, ...event });
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.program, ...this.#args], {
      input,
      encoding: "utf8",
      env: { ...homeIn(this.folder), ...this.#once },
      // A program that hangs is killed and fails its test.
      timeout: 60_000,
    });
    this.#once = {};
    if (status !== 0 || stderr !== "") throw new Error(`the hook ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** The command that runs the program. */
  get command(): readonly string[] {
    return [process.execPath, this.program, ...this.#args];
  }

  /** A file that the hook keeps about the log. */
  kept(kind: "state" | "journal"): string {
    return join(this.state, `${quickName(this.log)}.${kind}`);
  }

  /** Starts the program and sends it the event, for tests that run several at once or kill them. */
  start(event: Json) {
    const child = spawn(process.execPath, [this.program, ...this.#args], {
      stdio: ["pipe", "pipe", "inherit"],
      env: homeIn(this.folder),
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ transcript_path: this.log, ...event }));
    return child;
  }

  /** The lines of the log. */
  get lines(): string[] {
    return readFileSync(this.log, "utf8").trimEnd().split("\n");
  }

  get complaints(): string[] {
    const file = join(this.state, "hook.log");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  get files(): string[] {
    return existsSync(this.state) ? filesUnder(this.state) : [];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

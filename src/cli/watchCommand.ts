import { statSync } from "node:fs";
import { followLog, type ReplayFollower } from "../batch/replayLog.js";
import type { DedupEvent } from "../dedup/events.js";
import type { PipelineOptions } from "../pipeline/logPipeline.js";
import { REPLAY } from "../settings/table.js";
import { findLogs } from "../tail/discover.js";
import { LogWatcher } from "../tail/watcher.js";
import { namedRoots } from "./askedReport.js";
import { damageOf } from "./damage.js";
import { optionsFor, readArguments, settingsIn, wholeNumber } from "./options.js";
import { orderedEvent } from "./reportJson.js";
import type { Terminal } from "./terminal.js";
import { eventLine } from "./watchLine.js";

/** Follows logs until Ctrl-C: one line per event, as it happens. */
export async function watchCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, {
    ...optionsFor(REPLAY),
    json: { type: "boolean" },
    "from-start": { type: "boolean" },
    "idle-exit": { type: "string" },
  });
  const idleSeconds = wholeNumber(values, "idle-exit", 1);
  const roots = paths.length > 0 ? paths : namedRoots();
  const options = { settings: settingsIn(REPLAY, values), keepEvents: false, keepDetails: false, keepFacts: false };
  const write = values["json"] === true ? jsonWriter(terminal) : lineWriter(terminal);
  const { problems, isUsable } = findLogs(roots);
  for (const line of problems) terminal.say(line);
  if (!isUsable) return 1;

  const session = new WatchSession(roots, options, write, terminal, values["from-start"] === true);
  await session.run(idleSeconds);
  return problems.length > 0 ? 1 : 0;
}

/** A log written to this recently is probably still in use. */
const IN_USE_MS = 10 * 60_000;

type Write = (file: string, context: string, event: DedupEvent | { kind: "restart" }, target: string) => void;

class WatchSession {
  readonly #followers = new Map<string, ReplayFollower>();
  /** The state of each log when the watch began: earlier lines are replayed silently. */
  readonly #past = new Map<string, { readonly size: number; readonly ino: number }>();
  readonly #options: PipelineOptions;
  readonly #write: Write;
  readonly #fromStart: boolean;
  readonly #watcher: LogWatcher;
  readonly #terminal: Terminal;
  readonly #reported = new Set<string>();
  #lastChange = Date.now();

  constructor(
    roots: readonly string[],
    options: PipelineOptions,
    write: Write,
    terminal: Terminal,
    fromStart: boolean,
  ) {
    this.#options = options;
    this.#write = write;
    this.#fromStart = fromStart;
    this.#terminal = terminal;
    const now = Date.now();
    for (const { path } of fromStart ? [] : findLogs(roots).logs) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      this.#past.set(path, stats);
      // Reads the past of a log in use before its next line comes, so that the event need not wait.
      if (now - stats.mtimeMs < IN_USE_MS) this.#follow(path);
    }
    this.#watcher = new LogWatcher(roots, {
      changed: path => this.#changed(path),
      gone: () => {},
      notice: line => terminal.say(line),
    });
  }

  async run(idleSeconds: number | undefined): Promise<void> {
    await new Promise<void>(resolve => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
      if (idleSeconds !== undefined) {
        const check = setInterval(() => {
          if (Date.now() - this.#lastChange < idleSeconds * 1000) return;
          clearInterval(check);
          resolve();
        }, 50);
      }
      this.#watcher.start(!this.#fromStart);
    });
    this.#watcher.stop();
  }

  #changed(path: string): void {
    const follower = this.#followers.get(path) ?? this.#follow(path);
    const look = follower?.update(fresh => {
      this.#write(path, "", { kind: "restart" }, "");
      this.#listen(path, fresh);
    });
    if (look === undefined || look === "absent" || look === "unreadable") this.#watcher.retry(path);
    else this.#lastChange = Date.now();
    if (follower !== undefined) this.#tellDamage(follower);
  }

  /** Undefined if a log's past, which is needed to judge new lines, cannot be read yet. */
  #follow(path: string): ReplayFollower | undefined {
    const follower = followLog(path, this.#options);
    const past = this.#past.get(path);
    const now = past && statSync(path, { throwIfNoEntry: false });
    // Shorter than when the watch began, or another file: it was rewritten, and nothing in it is past.
    if (past !== undefined && now !== undefined && now.size >= past.size && now.ino === past.ino) {
      const look = follower.update(undefined, past.size);
      this.#tellDamage(follower);
      if (look === "absent" || look === "unreadable") return undefined;
    } else if (past !== undefined) this.#write(path, "", { kind: "restart" }, "");
    this.#listen(path, follower.sink);
    this.#followers.set(path, follower);
    return follower;
  }

  /** Reports each problem once per log, however often it occurs. */
  #tellDamage({ path, problem, sink: model }: ReplayFollower): void {
    const lines = new Map<string, string>(damageOf(path, model.lines, model.header));
    // A log that has just begun may still turn out to be one.
    lines.delete("foreign");
    if (problem !== undefined) lines.set(problem, problem);
    for (const [kind, line] of lines) {
      const key = `${kind} ${path}`;
      if (!this.#reported.has(key)) this.#terminal.say(line);
      this.#reported.add(key);
    }
  }

  #listen(path: string, model: ReplayFollower["sink"]): void {
    model.onEvent = (context, event, target) => this.#write(path, context, event, target);
  }
}

function jsonWriter(terminal: Terminal): Write {
  return (file, context, event) => {
    const line = event.kind === "restart" ? { kind: "restart", file } : { file, context, ...orderedEvent(event) };
    terminal.out(`${JSON.stringify(line)}\n`);
  };
}

function lineWriter(terminal: Terminal): Write {
  return (file, context, event, target) => {
    if (event.kind !== "evict") terminal.out(eventLine(file, context, event, target, terminal));
  };
}

import { digest } from "../dedup/digest.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { ContextReplay, type Decision } from "../dedup/replay.js";
import type { DedupSettings } from "../dedup/settings.js";
import { emittedText, type SpanDecision, SpanReplay, type SpanSettings } from "../dedup/span/replay.js";
import { readLog } from "../files/readLog.js";
import { utf8Length } from "../log/bytes.js";
import { agentOfFile } from "../log/layout.js";
import { LogReader } from "../log/reader.js";
import { FIGURES, REPLAY } from "../settings/table.js";
import { problemOf } from "../tail/discover.js";
import { damageOf } from "./damage.js";
import { oneOf, onlyWith, optionsFor, readArguments, settingsIn, text, UsageError } from "./options.js";
import type { Terminal } from "./terminal.js";

const STRATEGIES = ["lru", "near", "span"] as const;
const SPANS = { minBytes: FIGURES.spanMinBytes };

/** What the model would have been given, one JSON line per result, in the order of the log. */
export function replayCommand(args: string[], terminal: Terminal): number {
  const { values, paths } = readArguments(args, {
    ...optionsFor(REPLAY, SPANS),
    strategy: { type: "string" },
    "span-inputs": { type: "boolean" },
    json: { type: "boolean" },
  });
  const [file] = paths;
  if (file === undefined || paths.length > 1) throw new UsageError("replay takes one log file");
  if (values["json"] !== true) throw new UsageError("replay writes JSON lines: use --json");
  const strategy = oneOf(text(values, "strategy") ?? "lru", "strategy", STRATEGIES);
  const engine = settingsIn(REPLAY, values);
  const settings = { ...engine, nearRef: engine.nearRef || strategy === "near" };
  const span = { ...settingsIn(SPANS, values), inputs: values["span-inputs"] === true };
  onlyWith(values, ["span-inputs", ...Object.keys(optionsFor(SPANS))], strategy === "span", "--strategy span");
  onlyWith(values, Object.keys(optionsFor(REPLAY)), strategy !== "span", "--strategy lru or near");
  const lines: string[] = [];
  try {
    const write = (line: string) => {
      lines.push(line);
      // Written in large pieces; held back only until the file has proved readable.
      if (lines.length >= 256) terminal.out(lines.splice(0).join(""));
    };
    const reader = strategy === "span" ? spanReader(file, span, write) : resultReader(file, settings, write);
    readLog(file, bytes => reader.push(bytes));
    terminal.out(lines.join(""));
    for (const line of damageOf(file, reader.lines, reader.header).values()) terminal.say(line);
  } catch (error) {
    throw new Error(`${problemOf(error)}: ${file}`);
  }
  return 0;
}

function resultReader(file: string, settings: DedupSettings, write: (line: string) => void): LogReader {
  const replays = new Map<string, ContextReplay>();
  return new LogReader(
    (context, fact) => {
      const replay = replays.get(context.id) ?? new ContextReplay(settings, emitter(context.id, write));
      replays.set(context.id, replay);
      replay.take(digest(fact, true, fingerprint));
    },
    { agentOfFile: agentOfFile(file) },
  );
}

function emitter(context: string, write: (line: string) => void) {
  return {
    event: () => {},
    decided: ({ event, result, hint }: Decision) => {
      const emitted = result.text ? (hint ?? result.body) : null;
      const refs = hint !== undefined && "ref" in event && event.ref !== undefined ? [event.ref] : [];
      const { partition, id, tool, bytes } = event;
      write(`${JSON.stringify({ context, partition, id, tool, bytes, emitted, refs })}\n`);
    },
  };
}

function spanReader(file: string, settings: SpanSettings, write: (line: string) => void): LogReader {
  const replays = new Map<string, SpanReplay>();
  return new LogReader(
    (context, fact) => {
      const replay = replays.get(context.id) ?? new SpanReplay(settings);
      replays.set(context.id, replay);
      const decision = replay.take(fact);
      if (decision !== undefined) write(spanLineOf(context.id, decision));
    },
    { agentOfFile: agentOfFile(file), tellCalls: settings.inputs },
  );
}

function spanLineOf(context: string, { result, partition, runs: [runs = []] }: SpanDecision): string {
  const { id, tool, body } = result;
  const emitted = body === null ? null : emittedText(body, runs);
  const refs = [...new Set(runs.map(run => run.hint.id))];
  const bytes = body === null ? 0 : utf8Length(body);
  return `${JSON.stringify({ context, partition, id, tool, bytes, emitted, refs })}\n`;
}

import { basename } from "node:path";
import { type DedupEvent, droppedBy, isResultEvent, type ResultEvent, type RunReference } from "../dedup/events.js";
import { outcomeOf } from "../inspect/outcomes.js";
import { percent } from "../words/numbers.js";
import type { OutcomeWords } from "../words/outcomeStrings.js";
import { markValues } from "../words/outcomeTexts.js";
import { strings } from "../words/strings.js";
import { bytesText, fill, plural, visible } from "../words/text.js";
import { painter, type Terminal, type Tint } from "./terminal.js";

/** Evictions are not shown: the misses that they cause are. */
export type Watched = Exclude<DedupEvent, { readonly kind: "evict" }> | { readonly kind: "restart" };

/** Unlisted marks are yellow. */
const TINTS: Readonly<Partial<Record<Watched["kind"], Tint>>> = {
  hit: "green",
  nearHit: "green",
  miss: "blue",
  bypass: "dim",
  reask: "magenta",
  invalidate: "red",
  fallback: "magenta",
  restart: "magenta",
};

const { outcomes, marks, partial, watched } = strings;
const TITLES = [
  ...Object.values({ ...outcomes, ...marks, partial }).map(one => one.title),
  watched.reask,
  watched.restart,
];
const TITLE_WIDTH = Math.max(...TITLES.map(title => title.length));

/** One event on one aligned line: time, session, what happened, to what, and why. */
export function eventLine(file: string, context: string, event: Watched, target: string, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const at = "at" in event && event.at !== null ? timeOf(event.at) : "";
  const session = visible(basename(file, ".jsonl")).slice(0, 8).padEnd(8);
  const tool = "tool" in event ? event.tool : "";
  const size = "bytes" in event ? bytesText(event.bytes) : "";
  const subject = context === "main" || context === "" ? target : `${target} (${context})`;
  const title = paint(TINTS[event.kind] ?? "yellow", titleOf(event).padEnd(TITLE_WIDTH));
  const head = `${paint("dim", at.padEnd(8))}  ${session}  ${title}  `;
  const plain = `${tool.slice(0, 12).padEnd(12)} ${size.padStart(9)}  ${explain(event)}${subject && `  ${subject}`}`;
  return `${head}${visible(plain.trimEnd(), Math.max(20, terminal.width - TITLE_WIDTH - 22))}\n`;
}

/** In the time zone of the clock next to the terminal. */
function timeOf(at: string): string {
  return new Date(at).toTimeString().slice(0, 8);
}

function titleOf(event: Watched): string {
  if (event.kind === "restart") return strings.watched.restart;
  if (isResultEvent(event)) return wordsOf(event).title;
  if (event.kind === "reask") return strings.watched.reask;
  return strings.marks[event.kind].title;
}

/** Calls are named by their ids, which can be looked up in the log. */
function reason(event: ResultEvent): string {
  const { name, line = name } = wordsOf(event);
  if (event.kind === "miss" && event.runs !== undefined) return partsOf(event.runs, event.bytes, line);
  const call = "ref" in event ? event.ref : "cause" in event ? event.cause : undefined;
  return call === undefined || !line.includes("{call}") ? plural(name, 1) : fill(line, { call });
}

function partsOf(runs: readonly RunReference[], bytes: number, line: string): string {
  const repeated = runs.reduce((sum, run) => sum + run.bytes, 0);
  return fill(line, { share: percent(repeated, bytes), call: [...new Set(runs.map(run => run.ref))].join(", ") });
}

function wordsOf(event: ResultEvent): OutcomeWords {
  return event.kind === "miss" && event.runs !== undefined ? strings.partial : strings.outcomes[outcomeOf(event)];
}

function explain(event: Watched): string {
  const { watched, marks } = strings;
  switch (event.kind) {
    case "hit":
    case "nearHit":
      return `${reason(event)}, ${fill(watched.saves, { bytes: bytesText(event.savedBytes) })}`;
    case "miss": {
      const { savedBytes = 0 } = event;
      return savedBytes > 0
        ? `${reason(event)}, ${fill(watched.saves, { bytes: bytesText(savedBytes) })}`
        : reason(event);
    }
    case "bypass":
      return reason(event);
    case "reask":
      return fill(watched.reasked, { call: event.ref });
    case "invalidate":
      return fill(watched.invalidated, { call: event.id, cause: event.cause });
    case "restart":
      return watched.restarted;
    default:
      return fill<string>(marks[event.kind].line, markValues({ ...event, dropped: droppedBy(event) }));
  }
}

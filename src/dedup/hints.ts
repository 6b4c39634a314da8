import type { LogText } from "../log/heldText.js";
import { isShell, type ToolKind } from "../log/tools.js";
import type { NearDelta } from "./near.js";
import type { DedupSettings } from "./settings.js";

export type Verbosity = DedupSettings["verbosity"];

/** The call that a hint points at. */
export interface HintSource {
  readonly id: string;
  readonly kind?: ToolKind;
  readonly tool?: string;
  readonly target?: string;
}

const TAGS: Record<ToolKind, string> = { read: "file-read", mutate: "file-mutate", other: "other" };

/** A hint is at most half as long as what it replaces, in UTF-16 characters. */
export const BREAK_EVEN = 2;

/** Whether a result of this length is too short for a hint to its own call in the standard form. */
export function isTooShort(chars: number, id: string): boolean {
  return chars < BREAK_EVEN * renderHint({ id }, "standard").length;
}

/** The hint in the requested form; in the standard form if that is longer than half of what it replaces. */
export function hintWithin(chars: number, source: HintSource, verbosity: Verbosity): string {
  const hint = renderHint(source, verbosity);
  return isWorthIt(hint, chars) ? hint : renderHint(source, "standard");
}

/** Whether a hint is short enough for a text of this length. */
function isWorthIt(hint: string, chars: number): boolean {
  return hint.length * BREAK_EVEN <= chars;
}

/** The line that replaces a result that the model already has. */
export function renderHint(source: HintSource, verbosity: Verbosity = "standard"): string {
  if (verbosity === "terse") return `> [ref: ${source.id}]`;
  const from = verbosity === "standard" ? undefined : originOf(source, verbosity);
  return from === undefined
    ? `> [ref: ${source.id}, byte-identical]`
    : `> [ref: ${source.id}, byte-identical, from: ${from}]`;
}

function originOf(source: HintSource, verbosity: "verbose" | "located"): string | undefined {
  if (verbosity === "verbose") return source.kind && TAGS[source.kind];
  if (!source.tool) return undefined;
  const call = source.target ? `${source.tool}(${source.target})` : source.tool;
  // Without this, a model may think that the command was not run.
  return isShell(source.tool) ? `${call}, run again now` : call;
}

export function renderNearHint(id: string, delta: NearDelta): string {
  return `> [near-ref: ${[id, ...delta.map(({ key, from, to }) => `${key}: ${from}→${to}`)].join(", ")}]`;
}

/** Read puts a line number before every line it returns: in the old padded form, or with a tab, or with a colon. */
const LINE_NUMBER = /^ *\d+[\u2192\t:]/;
const HINT = /^> \[ref: ([^\s,\]]+)(?:, byte-identical(?:, from: [^\n]+)?)?\]$/;
const NEAR_HINT = /^> \[near-ref: ([^\s,\]]+), [^\n]+\]$/;
const LONGEST_HINT = 400;

export function isNearHint(body: string): boolean {
  return NEAR_HINT.test(body.replace(LINE_NUMBER, ""));
}

/** The id that a body refers to if the whole body is one of our hints. */
export function hintedId(body: LogText): string | undefined {
  if (body.length > LONGEST_HINT) return undefined;
  const text = body.toString();
  if (!text.includes("> [")) return undefined;
  const line = text.replace(LINE_NUMBER, "");
  return (HINT.exec(line) ?? NEAR_HINT.exec(line))?.[1];
}

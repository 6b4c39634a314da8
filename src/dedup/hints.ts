import type { ToolKind } from "../log/tools.js";
import type { NearDelta } from "./near.js";
import type { DedupSettings } from "./settings.js";

export type Verbosity = DedupSettings["verbosity"];

/** The call a hint points at. */
export interface HintSource {
  readonly id: string;
  readonly kind?: ToolKind;
  readonly tool?: string;
  readonly target?: string;
}

const TAGS: Record<ToolKind, string> = { read: "file-read", mutate: "file-mutate", other: "other" };

/** The line that stands in for a result which the model already has. */
export function renderHint(source: HintSource, verbosity: Verbosity): string {
  if (verbosity === "terse") return `> [ref: ${source.id}]`;
  const from = verbosity === "standard" ? undefined : originOf(source, verbosity);
  return from === undefined
    ? `> [ref: ${source.id}, byte-identical]`
    : `> [ref: ${source.id}, byte-identical, from: ${from}]`;
}

function originOf(source: HintSource, verbosity: "verbose" | "located"): string | undefined {
  if (verbosity === "verbose") return source.kind && TAGS[source.kind];
  if (!source.tool) return undefined;
  return source.target ? `${source.tool}(${source.target})` : source.tool;
}

export function renderNearHint(id: string, delta: NearDelta): string {
  return `> [near-ref: ${[id, ...delta.map(({ key, from, to }) => `${key}: ${from}→${to}`)].join(", ")}]`;
}

/** Read puts a line number before every line it returns, in the old padded or the newer tabbed form. */
const LINE_NUMBER = /^ *\d+(?:→|\t)/;
const HINT = /^> \[ref: ([^\s,\]]+)(?:, byte-identical(?:, from: [^\n]+)?)?\]$/;
const NEAR_HINT = /^> \[near-ref: ([^\s,\]]+), [^\n]+\]$/;
const LONGEST_HINT = 400;

/** The id a body refers to where the whole body is one of our own hints. */
export function hintedId(body: string): string | undefined {
  if (body.length > LONGEST_HINT || !body.includes("> [")) return undefined;
  const line = body.replace(LINE_NUMBER, "");
  return (HINT.exec(line) ?? NEAR_HINT.exec(line))?.[1];
}

/** The hint lines of runs, which name lines of an earlier text. */
import type { LogText } from "../../log/heldText.js";
import { hintedId, isNearHint } from "../hints.js";
import { hintStart, numberedPart } from "./numbered.js";

export interface RunHint {
  /** The call whose result or input contains the lines. */
  readonly id: string;
  /** The member of the call's input; undefined for its result. */
  readonly input?: string | undefined;
  /** First and last line, counted from 1, of the text as emitted. */
  readonly from: number;
  readonly to: number;
  /** The lines' own number prefixes are replaced by numbers that count up from here. */
  readonly renumberedFrom?: number | undefined;
  /** The lines have no numbers; they get prefixes that count up from here. */
  readonly numberedFrom?: number | undefined;
  /** The call's tool and subject, if the hint names them. */
  readonly origin?: { readonly tool: string; readonly target: string } | undefined;
}

export function renderRunHint(hint: RunHint): string {
  const source = hint.input === undefined ? hint.id : `${hint.id} input.${hint.input}`;
  const numbers =
    hint.renumberedFrom !== undefined
      ? `, renumbered from ${hint.renumberedFrom}`
      : hint.numberedFrom !== undefined
        ? `, numbered from ${hint.numberedFrom}`
        : "";
  const origin = hint.origin?.tool ? `, from: ${callText(hint.origin)}` : "";
  return `> [ref: ${source} lines ${hint.from}-${hint.to}${numbers}${origin}]`;
}

function callText({ tool, target }: { readonly tool: string; readonly target: string }): string {
  return target === "" ? tool : `${tool}(${target})`;
}

/** Our numbers never have more digits than JavaScript can represent exactly. */
const RUN_HINT =
  /^> \[ref: (\S+?)(?: input\.(\S+))? lines (\d{1,15})-(\d{1,15})(?:, (renumbered|numbered) from (\d{1,15}))?(?:, from: [^\n]+)?\]$/;

/** Parses a line as a hint, without its origin; undefined if it is not one. */
export function parseRunHint(line: string): RunHint | undefined {
  const found = RUN_HINT.exec(line);
  if (found === null) return undefined;
  const [, id = "", input, from, to, how, number] = found;
  return {
    id,
    input,
    from: Number(from),
    to: Number(to),
    renumberedFrom: how === "renumbered" ? Number(number) : undefined,
    numberedFrom: how === "numbered" ? Number(number) : undefined,
  };
}

/** Whether a text has a line that looks like a hint, with or without a number prefix. */
export function mentionsHints(text: string): boolean {
  return text.includes("> [") && text.split("\n").some(line => looksLikeHint(line, hintStart(line)));
}

/** A text with such a line is not replaced: the line could be mistaken for a hint of ours. */
export function looksLikeHint(text: string, begin = 0): boolean {
  return text.startsWith("> [ref:", begin) || text.startsWith("> [near-ref:", begin);
}

/** A live hint in a text. */
export interface LiveHint extends RunHint {
  /** "whole" and "near" replace the whole result, or all of its numbered lines. */
  readonly kind: "whole" | "near" | "run";
  /** Its own length, including a number prefix. */
  readonly chars: number;
}

/** What hint-like lines of a text name: the call, and the member of its input. */
export function namedIn(text: string): { readonly id: string; readonly input: string | undefined }[] {
  return Array.from(text.matchAll(NAMING), ([, id = "", input]) => ({ id, input }));
}

/** Only a line feed ends a line. */
const NAMING = /(?<![^\n])(?: *\d+[\t\u2192:])?> \[(?:near-)?ref: ([^\s,\]]+)(?: input\.(\S+))?/g;

const NO_HINTS: readonly LiveHint[] = [];
const HINT_START = "> [ref: ";

/** The live hints in a text. */
export function hintsIn(held: LogText): readonly LiveHint[] {
  if (!held.includes("> [")) return NO_HINTS;
  const text = held.toString();
  const whole = wholeHintIn(text);
  return whole === undefined ? runHintsIn(text) : [whole];
}

/** A hint for a whole text, or for all of its lines that Claude Code numbered. */
function wholeHintIn(text: string): LiveHint | undefined {
  const part = numberedPart(text);
  const line = part === undefined ? text : text.slice(part.begin, part.end);
  const id = hintedId(line);
  if (id === undefined) return undefined;
  const kind = isNearHint(line) ? "near" : "whole";
  return { kind, id, from: 1, to: Number.POSITIVE_INFINITY, chars: line.length };
}

function runHintsIn(text: string): readonly LiveHint[] {
  const hints: LiveHint[] = [];
  let end = 0;
  // Only the first one of a line can be at its beginning.
  for (let at = text.indexOf(HINT_START); at >= 0; at = text.indexOf(HINT_START, end)) {
    const begin = text.lastIndexOf("\n", at) + 1;
    const newline = text.indexOf("\n", at);
    end = newline < 0 ? text.length : newline;
    if (begin < at && begin + hintStart(text.slice(begin, at)) !== at) continue;
    const hint = parseRunHint(text.slice(at, end));
    if (hint !== undefined) hints.push({ kind: "run", ...hint, chars: end - begin });
  }
  return hints.length === 0 ? NO_HINTS : hints;
}

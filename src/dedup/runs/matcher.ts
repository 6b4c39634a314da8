import { utf8Length } from "../../log/bytes.js";
import { BREAK_EVEN } from "../hints.js";
import { BYTES, cell, type LineTable, lineCount, NEVER, NUMBER } from "./lines.js";
import { numberOfCode, prefixOf, styleOfCode } from "./numbered.js";
import { type RunHint, renderRunHint } from "./runHints.js";
import type { RunIndex } from "./runIndex.js";
import type { HeldSource, RunSource, Stretch } from "./sources.js";

/** Lines [start, end) of a text that a source has, too: they become one hint. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** The UTF-8 bytes of these lines. */
  readonly bytes: number;
  readonly hint: RunHint;
  /** What Claude Code puts before the hint. */
  readonly prefix?: string;
  readonly savedBytes: number;
  readonly savedChars: number;
}

/** The text to search for runs. It is in the index, too. */
interface MatchedText {
  readonly held: HeldSource;
  readonly lines: LineTable;
  /** The offset of each line, in characters; after the last one, where another would begin. */
  readonly begins: Float64Array;
}

export interface MatchOptions {
  /** Which variant: each has its own hidden lines. */
  readonly way: number;
  /** Shorter runs are ignored. */
  readonly minBytes: number;
  /** Whether hints name the origin of their lines. */
  readonly isLocated: boolean;
  /** Lines without numbers may replace lines with numbers: see `RunHint.numberedFrom`. */
  readonly numbering: boolean;
  /** Only a run at either end of these lines can be replaced: Claude Code numbers them itself, from the first one on. */
  readonly numbered?: Stretch | undefined;
  /** Whether a hint may point at a source. */
  readonly isFree: (source: RunSource) => boolean;
}

/** Common lines occur in many places; the newest few are enough to find the longest run. */
const MAX_CANDIDATES = 8;
/** The slots to check for them: some belong to texts that are gone. */
const MAX_SLOTS = 64;

/** How a line may replace another one with the same text. */
const VERBATIM = 0;
const RENUMBERED = 1;
const NUMBERED = 2;
const RELATIONS = 3;

interface Found {
  readonly held: HeldSource;
  readonly relation: number;
  readonly start: number;
  readonly end: number;
  /** The slot where line 0 of the text would be. */
  readonly shift: number;
  /** Characters, minus what its hint has beyond the shortest one. */
  readonly worth: number;
}

/**
 * Finds the runs of a text's lines that the model already has. The text is in the index, too, but only earlier sources
 * count. The best run through each line wins, first line first.
 */
export function findRuns(text: MatchedText, index: RunIndex, options: MatchOptions): Run[] {
  const { held: target, lines } = text;
  const { start, end } = options.numbered ?? { start: 0, end: lineCount(lines) };
  const matcher = new Matcher(text, index, options);
  const runs: Run[] = [];
  for (let line = start, done = start; line < end; line++) {
    if (index.older(target.first + line) < 0) continue;
    const found = matcher.bestThrough(line, done);
    const run = found && matcher.runOf(found);
    if (run === undefined) continue;
    runs.push(run);
    done = run.end;
    line = run.end - 1;
  }
  const { numbered } = options;
  return numbered === undefined ? runs : runs.flatMap(run => atEdge(run, numbered, lines));
}

/** The run with its hint as one of the numbered lines, so that the others keep their numbers; none in the middle. */
function atEdge(run: Run, numbered: Stretch, lines: LineTable): Run[] {
  const { start, end, savedBytes, savedChars } = run;
  if (start !== numbered.start && end !== numbered.end) return [];
  const code = cell(lines, end === numbered.end ? start : end - 1, NUMBER);
  const prefix = prefixOf(styleOfCode(code), numberOfCode(code));
  const saved = { savedBytes: savedBytes - utf8Length(prefix), savedChars: savedChars - prefix.length };
  return [{ ...run, prefix, ...saved }];
}

class Matcher {
  readonly #lines: LineTable;
  readonly #count: number;
  readonly #target: HeldSource;
  readonly #index: RunIndex;
  readonly #options: MatchOptions;
  readonly #begins: Float64Array;
  /** By shift and relation, the newest stretch of equal lines that was followed: none is followed twice. */
  readonly #followed = new Map<number, Stretch>();
  /** Per slot of the text, the newest slot of an equal line in an earlier source. */
  readonly #earlier = new Map<number, number>();

  constructor({ lines, held, begins }: MatchedText, index: RunIndex, options: MatchOptions) {
    this.#lines = lines;
    this.#count = lineCount(lines);
    this.#target = held;
    this.#index = index;
    this.#options = options;
    this.#begins = begins;
  }

  /** The best run that includes the line and begins no earlier than `first`. */
  bestThrough(line: number, first: number): Found | undefined {
    const { way, numbering, isFree } = this.#options;
    const index = this.#index;
    const number = cell(this.#lines, line, NUMBER);
    let best: Found | undefined;
    let slots = MAX_SLOTS;
    let candidates = MAX_CANDIDATES;
    for (let slot = this.#newestEarlier(line); slot >= 0 && slots > 0; slot = index.older(slot), slots--) {
      const held = index.source(slot);
      if (!held.isThere || index.isHidden(slot, way) || !isFree(held.source)) continue;
      if (candidates-- === 0) break;
      const mayNumber = numbering && held.source.input !== undefined;
      for (let relation = VERBATIM; relation <= NUMBERED; relation++) {
        if (!areRelated(relation, number, index.number(slot), mayNumber)) continue;
        const found = this.#follow(relation, held, line, slot - line, first, mayNumber);
        // Among equals, the newest source wins: it is nearest in the context.
        if (best === undefined || found.worth > best.worth) best = found;
      }
    }
    return best;
  }

  /** The run with its hint; undefined if it is too short to be worth one. */
  runOf({ held, relation, start, end, shift }: Found): Run | undefined {
    const { minBytes, way, isLocated } = this.#options;
    const chars = this.#chars(start, end);
    if (chars * 3 < minBytes) return undefined;
    const bytes = this.#bytes(start, end);
    if (bytes < minBytes) return undefined;
    const line = start + shift - held.first;
    const from = line + 1 - hiddenBefore(held, way, line);
    const number = numberOfCode(cell(this.#lines, start, NUMBER));
    const { id, input, tool, target } = held.source;
    const hint: RunHint = {
      id,
      input,
      from,
      to: from + end - start - 1,
      renumberedFrom: relation === RENUMBERED ? number : undefined,
      numberedFrom: relation === NUMBERED ? number : undefined,
    };
    const plain = renderRunHint(hint);
    // By the plain form, whatever the setting: the wording of hints never changes what is replaced.
    if (plain.length * BREAK_EVEN > chars) return undefined;
    const located = isLocated ? { ...hint, origin: { tool, target } } : hint;
    const longer = isLocated ? renderRunHint(located) : plain;
    const isLong = longer.length * BREAK_EVEN > chars;
    const chosen = isLong ? hint : located;
    const text = isLong ? plain : longer;
    const savedBytes = bytes - utf8Length(text);
    // A call's id may be anything: a hint can have more bytes than characters.
    if (savedBytes <= 0) return undefined;
    return { start, end, bytes, hint: chosen, savedBytes, savedChars: chars - text.length };
  }

  #chars(start: number, end: number): number {
    return (this.#begins[end] as number) - (this.#begins[start] as number) - 1;
  }

  #bytes(start: number, end: number): number {
    let bytes = end - start - 1;
    for (let line = start; line < end; line++) bytes += cell(this.#lines, line, BYTES);
    return bytes;
  }

  /** The chain of a line that the text itself repeats begins in the text: remembers where it leads. */
  #newestEarlier(line: number): number {
    const { first } = this.#target;
    let slot = this.#index.older(first + line);
    if (slot < first) return slot;
    while (slot >= first) slot = this.#earlier.get(slot) ?? this.#index.older(slot);
    this.#earlier.set(first + line, slot);
    return slot;
  }

  /** The equal lines around one, in both directions, starting no earlier than `first`. */
  #follow(relation: number, held: HeldSource, line: number, shift: number, first: number, mayNumber: boolean): Found {
    const key = shift * RELATIONS + relation;
    let known = this.#followed.get(key);
    if (known === undefined || line >= known.end) {
      known = this.#stretchAround(relation, held, line, shift, first, mayNumber);
      this.#followed.set(key, known);
    }
    const start = Math.max(first, known.start);
    const { input } = held.source;
    const longer = (input === undefined ? 0 : input.length + 7) + (relation === VERBATIM ? 0 : 20);
    return { held, relation, start, end: known.end, shift, worth: this.#chars(start, known.end) - longer };
  }

  /** Not before `first`: in a text that repeats one line, every line would be followed back to the beginning. */
  #stretchAround(
    relation: number,
    held: HeldSource,
    line: number,
    shift: number,
    first: number,
    mayNumber: boolean,
  ): Stretch {
    const within = this.#options.numbered ?? { start: 0, end: this.#count };
    const top = Math.max(within.start, first, held.first - shift);
    const bottom = Math.min(within.end, held.end - shift);
    let start = line;
    while (start > top && this.#joins(relation, start - 1, start, shift, mayNumber)) start--;
    let end = line + 1;
    while (end < bottom && this.#joins(relation, end, end - 1, shift, mayNumber)) end++;
    return { start, end };
  }

  /** Whether a line extends a run to which its neighbor belongs: numbers must count up by one along a run. */
  #joins(relation: number, line: number, neighbour: number, shift: number, mayNumber: boolean): boolean {
    const slot = line + shift;
    const index = this.#index;
    if (!index.isSameText(slot, this.#target.first + line)) return false;
    if (index.isHidden(slot, this.#options.way)) return false;
    const number = cell(this.#lines, line, NUMBER);
    if (!areRelated(relation, number, index.number(slot), mayNumber)) return false;
    return relation === VERBATIM || number - cell(this.#lines, neighbour, NUMBER) === 2 * (line - neighbour);
  }
}

/** Whether a line with this number may replace one with the other; `mayNumber`: also if the other has none. */
function areRelated(relation: number, number: number, other: number, mayNumber: boolean): boolean {
  if (number === NEVER || other === NEVER) return false;
  if (relation === VERBATIM) return number === other;
  if (number === 0) return false;
  return relation === RENUMBERED ? other > 0 && number % 2 === other % 2 : mayNumber && other === 0;
}

/** How many lines shorter the emitted text is before this line: each hidden stretch became one line. */
function hiddenBefore({ hidden }: HeldSource, way: number, line: number): number {
  let lines = 0;
  for (const { start, end } of hidden[way] ?? []) if (end <= line) lines += end - start - 1;
  return lines;
}

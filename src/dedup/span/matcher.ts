import { utf8Length } from "../../log/bytes.js";
import { numberOfCode, prefixLength } from "../runs/numbered.js";
import { renderSpanHint, type SpanHint } from "./hints.js";
import type { HeldSource, SpanIndex } from "./index.js";
import type { ScannedLines } from "./lines.js";

/** Lines [start, end) of a text that a source has, too: they become one hint. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly hint: SpanHint;
  readonly savedBytes: number;
  readonly savedChars: number;
}

export interface MatchOptions {
  /** The variant of the replay, which decides which lines are hidden. */
  readonly variant: number;
  /** Shorter runs stay as they are. */
  readonly minBytes: number;
  /** Strings in calls' inputs are sources, too. */
  readonly inputs: boolean;
  /** Lines without numbers may replace lines with numbers: see `numberedFrom`. */
  readonly numbering: boolean;
  /** Whether the model that made the present call has a source: see `Chain`. */
  readonly isInReach: (source: HeldSource) => boolean;
}

/** Common lines occur in many places; the newest few are enough to find a long run. */
const MAX_CANDIDATES = 8;
/** How many slots are tried for them: some belong to inputs, or to texts that are gone. */
const MAX_SLOTS = 64;

/** How lines may replace others with the same text. */
const VERBATIM = 0;
const RENUMBERED = 1;
const NUMBERED = 2;

/** A run that was found, not yet compared character by character. */
interface Found {
  readonly source: HeldSource;
  readonly relation: number;
  readonly start: number;
  readonly end: number;
  /** The slot that line 0 of the text would have. */
  readonly shift: number;
  /** Characters, less what makes its hint longer than the shortest one. */
  readonly worth: number;
}

export interface RunsFound {
  readonly runs: readonly Run[];
  /** The first two variants find the same: nothing on the way depended on the variant. */
  readonly isSameForBoth: boolean;
}

/**
 * Finds the runs of lines in `target` that the model already has from earlier sources. The index has the target, too.
 * Goes from the first line to the last and takes the best run through each line.
 */
export function findRuns(lines: ScannedLines, target: HeldSource, index: SpanIndex, options: MatchOptions): RunsFound {
  // A character takes at most three bytes.
  if (lines.hinted || lines.text.length * 3 < options.minBytes) return NONE;
  let finder: RunFinder | undefined;
  const runs: Run[] = [];
  let done = 0;
  for (let line = 0; line < lines.count; line++) {
    if (index.older(target.first + line) < 0) continue;
    finder ??= new RunFinder(lines, target, index, options);
    const found = finder.bestThrough(line, done);
    const run = found && runOf(found, lines, index, options);
    if (run === undefined) continue;
    runs.push(run);
    done = run.end;
    line = run.end - 1;
  }
  return finder === undefined ? NONE : { runs, isSameForBoth: finder.isSameForBoth };
}

const NONE: RunsFound = { runs: [], isSameForBoth: true };

class RunFinder {
  readonly #lines: ScannedLines;
  readonly #target: HeldSource;
  readonly #index: SpanIndex;
  readonly #options: MatchOptions;
  /** For each shift, the line up to which runs have been followed: none is followed twice. */
  readonly #followed = new Map<number, number>();
  /** For each slot of the text, the newest slot of an equal line in an earlier source. */
  readonly #earlier = new Map<number, number>();
  isSameForBoth = true;

  constructor(lines: ScannedLines, target: HeldSource, index: SpanIndex, options: MatchOptions) {
    this.#lines = lines;
    this.#target = target;
    this.#index = index;
    this.#options = options;
  }

  /** The best run that contains the line and begins no earlier than `first`. */
  bestThrough(line: number, first: number): Found | undefined {
    const { inputs, variant, numbering, isInReach } = this.#options;
    const index = this.#index;
    const number = this.#lines.numbers[line] as number;
    let best: Found | undefined;
    let slots = MAX_SLOTS;
    let candidates = MAX_CANDIDATES;
    for (let slot = this.#newestEarlier(line); slot >= 0 && slots > 0; slot = index.older(slot), slots--) {
      const source = index.source(slot);
      if (source.text === "" || !isInReach(source)) continue;
      const isInput = source.input !== undefined;
      if (isInput || !index.isHiddenAlike(slot)) this.isSameForBoth = false;
      if ((isInput && !inputs) || index.isHidden(slot, variant)) continue;
      if (candidates-- === 0) break;
      const shift = slot - line;
      if (line < (this.#followed.get(shift) ?? 0)) continue;
      let furthest = line + 1;
      const other = index.number(slot);
      for (let relation = VERBATIM; relation <= NUMBERED; relation++) {
        if (!areRelated(relation, number, other, numbering && isInput)) continue;
        const found = this.#follow(relation, source, line, shift, first);
        if (found.end > furthest) furthest = found.end;
        // Of equally good ones, the newest source wins: it is nearest in the context.
        if (best === undefined || found.worth > best.worth) best = found;
      }
      this.#followed.set(shift, furthest);
    }
    return best;
  }

  /** If a line occurs several times in the text, its chain begins in the text itself: remembers where it leads. */
  #newestEarlier(line: number): number {
    const { first } = this.#target;
    let slot = this.#index.older(first + line);
    if (slot < first) return slot;
    while (slot >= first) slot = this.#earlier.get(slot) ?? this.#index.older(slot);
    this.#earlier.set(first + line, slot);
    return slot;
  }

  /** Follows the equal lines in both directions. */
  #follow(relation: number, source: HeldSource, line: number, shift: number, first: number): Found {
    const top = Math.max(first, source.first - shift);
    const bottom = Math.min(this.#lines.count, source.end - shift);
    let start = line;
    while (start > top && this.#joins(relation, source, start - 1, start, shift)) start--;
    let end = line + 1;
    while (end < bottom && this.#joins(relation, source, end, end - 1, shift)) end++;
    const chars = this.#lines.end(end - 1) - (this.#lines.begins[start] as number);
    if (!isEmittedAlike(source)) this.isSameForBoth = false;
    const longer = (source.input === undefined ? 0 : source.input.length + 7) + (relation === VERBATIM ? 0 : 20);
    return { source, relation, start, end, shift, worth: chars - longer };
  }

  /** Whether a line extends a run that has its neighbour: numbers must count up by one along a run. */
  #joins(relation: number, source: HeldSource, line: number, neighbour: number, shift: number): boolean {
    const slot = line + shift;
    const index = this.#index;
    if (index.hash(slot) !== this.#lines.hashes[line]) return false;
    if (!index.isHiddenAlike(slot)) this.isSameForBoth = false;
    if (index.isHidden(slot, this.#options.variant)) return false;
    const { numbers } = this.#lines;
    const number = numbers[line] as number;
    const mayNumber = this.#options.numbering && source.input !== undefined;
    if (!areRelated(relation, number, index.number(slot), mayNumber)) return false;
    return relation === VERBATIM || number - (numbers[neighbour] as number) === 2 * (line - neighbour);
  }
}

/** Whether a line with this number may replace one with the other; `mayNumber`: also one without a number. */
function areRelated(relation: number, number: number, other: number, mayNumber: boolean): boolean {
  if (relation === VERBATIM) return number === other;
  if (number === 0) return false;
  return relation === RENUMBERED ? other > 0 && (number & 1) === (other & 1) : mayNumber && other === 0;
}

/** The run with its hint; undefined if it is too short to be worth one, or if only its hashes are equal. */
function runOf(found: Found, lines: ScannedLines, index: SpanIndex, options: MatchOptions): Run | undefined {
  const { source, relation, start, end, shift } = found;
  const { minBytes, variant } = options;
  const [from, to] = [lines.begins[start] as number, lines.end(end - 1)];
  if ((to - from) * 3 < minBytes) return undefined;
  const line = start + shift - source.first;
  const emitted = line + 1 - hiddenBefore(source, variant, line);
  const number = numberOfCode(lines.numbers[start] as number);
  const hint: SpanHint = {
    id: source.id,
    input: source.input,
    from: emitted,
    to: emitted + end - start - 1,
    renumberedFrom: relation === RENUMBERED ? number : undefined,
    numberedFrom: relation === NUMBERED ? number : undefined,
  };
  const text = renderSpanHint(hint);
  if (text.length >= to - from) return undefined;
  const original = lines.text.slice(from, to);
  const bytes = utf8Length(original);
  // A call's id may contain anything, so a hint can have more bytes than characters.
  const savedBytes = bytes - utf8Length(text);
  if (bytes < minBytes || savedBytes <= 0 || !isSame(found, original, lines, index)) return undefined;
  return { start, end, hint, savedBytes, savedChars: original.length - text.length };
}

/** Whether the first two variants emitted the same lines of a source. */
function isEmittedAlike({ hidden: [one = [], other = []] }: HeldSource): boolean {
  return one === other || one.length + other.length === 0;
}

/** By how many lines the emitted text is shorter before this line: each hidden range became one line. */
function hiddenBefore({ hidden }: HeldSource, variant: number, line: number): number {
  let lines = 0;
  for (const { start, end } of hidden[variant] ?? []) if (end <= line) lines += end - start - 1;
  return lines;
}

/** Whether lines with equal hashes are really equal. */
function isSame(found: Found, original: string, lines: ScannedLines, index: SpanIndex): boolean {
  const { source, relation, start, end, shift } = found;
  const { text } = source;
  if (relation === VERBATIM)
    return text.slice(index.begin(start + shift), index.end(end - 1 + shift, source)) === original;
  for (let line = start; line < end; line++) {
    const slot = line + shift;
    const other = text.slice(index.begin(slot) + prefixLength(index.number(slot)), index.end(slot, source));
    if (lines.text.slice(lines.textStart(line), lines.end(line)) !== other) return false;
  }
  return true;
}

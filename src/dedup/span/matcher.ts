import { utf8Length } from "../../log/bytes.js";
import { renderSpanHint, type SpanHint } from "./hints.js";
import type { HeldSource, SpanIndex } from "./index.js";
import type { ScannedLines } from "./lines.js";
import { numberOfCode, prefixLength } from "./numbered.js";

/** Lines [start, end) of a text that also stand in a source: they become one hint. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly hint: SpanHint;
  readonly savedBytes: number;
  readonly savedChars: number;
}

export interface MatchOptions {
  /** Which variant of the replay: its own lines are hidden. */
  readonly variant: number;
  /** Shorter runs are left alone. */
  readonly minBytes: number;
  /** Strings of calls' inputs are sources too. */
  readonly inputs: boolean;
  /** Lines without numbers may stand for lines with numbers: see `numberedFrom`. */
  readonly numbering: boolean;
  /** Whether the model that made the present call has a source: see `Chain`. */
  readonly isInReach: (source: HeldSource) => boolean;
}

/** Common lines stand in many places; the newest few are enough to find the longest run. */
const MOST_CANDIDATES = 8;
/** Slots that may be looked at for them: some belong to texts that have gone, or to inputs. */
const MOST_SLOTS = 64;

/** How lines may stand for others with the same text. */
const VERBATIM = 0;
const RENUMBERED = 1;
const NUMBERED = 2;

/** A run that was found, not yet compared character by character. */
interface Found {
  readonly source: HeldSource;
  readonly relation: number;
  readonly start: number;
  readonly end: number;
  /** Line 0 of the text would stand at this slot. */
  readonly shift: number;
  /** Characters, less what its hint has more than the shortest one. */
  readonly worth: number;
}

export interface RunsFound {
  readonly runs: readonly Run[];
  /** The first two variants find the same: nothing that was looked at tells them apart. */
  readonly isSameForBoth: boolean;
}

/**
 * Finds the runs of lines that the model already has: those of `target`, which the index holds too, in earlier sources.
 * The best run through each line wins, first line first.
 */
export function findRuns(lines: ScannedLines, target: HeldSource, index: SpanIndex, options: MatchOptions): RunsFound {
  // Characters are at most three bytes each.
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
  /** Per shift, up to which line runs have been followed: no run is followed twice. */
  readonly #followed = new Map<number, number>();
  /** Per slot of the text, the newest one of an equal line of an earlier source. */
  readonly #earlier = new Map<number, number>();
  isSameForBoth = true;

  constructor(lines: ScannedLines, target: HeldSource, index: SpanIndex, options: MatchOptions) {
    this.#lines = lines;
    this.#target = target;
    this.#index = index;
    this.#options = options;
  }

  /** The best run that holds the line and begins no earlier than `first`. */
  bestThrough(line: number, first: number): Found | undefined {
    const { inputs, variant, numbering, isInReach } = this.#options;
    const index = this.#index;
    const number = this.#lines.numbers[line] as number;
    let best: Found | undefined;
    let slots = MOST_SLOTS;
    let candidates = MOST_CANDIDATES;
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
        // Of equally good ones the newest source wins: it is nearest in the context.
        if (best === undefined || found.worth > best.worth) best = found;
      }
      this.#followed.set(shift, furthest);
    }
    return best;
  }

  /** The chain of a line that the text repeats begins in the text itself: what it leads to is remembered. */
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

  /** Whether a line lengthens a run that has its neighbour already: numbers must count up by one along a run. */
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

/** Whether a line with this number may stand for one with the other; `mayNumber`: also where that has none. */
function areRelated(relation: number, number: number, other: number, mayNumber: boolean): boolean {
  if (relation === VERBATIM) return number === other;
  if (number === 0) return false;
  return relation === RENUMBERED ? other > 0 && (number & 1) === (other & 1) : mayNumber && other === 0;
}

/** The run with its hint; undefined where it is too short to be worth one, or only looked equal. */
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
  // A call's id may be anything: in bytes a hint can be longer than in characters.
  const savedBytes = bytes - utf8Length(text);
  if (bytes < minBytes || savedBytes <= 0 || !isSame(found, original, lines, index)) return undefined;
  return { start, end, hint, savedBytes, savedChars: original.length - text.length };
}

/** Whether the first two variants emitted the same lines of a source. */
function isEmittedAlike({ hidden: [one = [], other = []] }: HeldSource): boolean {
  return one === other || one.length + other.length === 0;
}

/** By how many lines the emitted text is shorter before this line: each hidden stretch became one line. */
function hiddenBefore({ hidden }: HeldSource, variant: number, line: number): number {
  let lines = 0;
  for (const { start, end } of hidden[variant] ?? []) if (end <= line) lines += end - start - 1;
  return lines;
}

/** Lines were found by their hashes: whether they really say the same. */
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

/** The runs of a text's lines that the model already has: src/dedup/runs/matcher.ts. */
import { addOrigin, BREAK_EVEN, hintBytes, hintChars, measureRunHint, NUMBERED, RENUMBERED, VERBATIM } from "./hints";
import { BYTES, CHARS, cell, NEVER, NO_STYLE, NUMBER, numberOfCode } from "./lines";
import { List, Table } from "./lists";
import { charsOfName } from "./names";
import { Reach } from "./reach";
import { Result } from "./result";
import { RunIndex, Source } from "./runIndex";
import { VERBOSITY_LOCATED, verbosity } from "./settings";

/** Common lines occur in many places; the newest few are enough to find the longest run. */
const MAX_CANDIDATES: i32 = 8;
/** The slots to check for them: some belong to texts that are gone. */
const MAX_SLOTS: i32 = 64;
const RELATIONS: i32 = 3;
const UNKNOWN: i32 = -3;

/** What runs may refer to: by the rules of live hints, or, for upper bounds, to any earlier result, or also inputs. */
export const LIVE: i32 = 0;
export const RESULTS: i32 = 1;
export const EVERYTHING: i32 = 2;

/** One variant of replacing runs. */
export class RunWay {
  constructor(
    /** Its number, from 0 to 14. */
    public way: i32,
    /** Shorter runs are ignored. */
    public minBytes: f64,
    public sources: i32,
  ) {}
}

/** The runs found last. */
export let runs: i32 = 0;
export let starts = new List<i32>();
export let ends = new List<i32>();
/** The calls that they refer to, and their bytes. */
export let runIds = new List<i32>();
export let runBytes = new List<i32>();
export let savedBytes: i32 = 0;
export let savedChars: i32 = 0;
/** The call with the longest one. */
export let longestId: i32 = -1;
/** Whether a hint adds numbers to lines that have none. */
export let hasNumbered: bool = false;
let longestBytes: i32 = 0;

/** By shift and relation, the newest stretch of equal lines that was followed, plus 1: none is followed twice. */
let followed = new Table();
let followedStarts = new List<i32>();
let followedEnds = new List<i32>();
/** Per line of the text, the newest slot of an equal line in an earlier source. */
let earlier = new List<i32>();
/** The offset of each line, in characters. */
let begins = new List<i32>();

/** The best run through a line. */
let bestSource: Source | null = null;
let bestRelation: i32 = 0;
let bestStart: i32 = 0;
let bestEnd: i32 = 0;
let bestShift: i32 = 0;
let bestWorth: i32 = 0;

export function beginMatcher(): void {
  starts = new List<i32>();
  ends = new List<i32>();
  runIds = new List<i32>();
  runBytes = new List<i32>();
  followed = new Table();
  followedStarts = new List<i32>();
  followedEnds = new List<i32>();
  earlier = new List<i32>();
  begins = new List<i32>();
  bestSource = null;
}

export function forgetRuns(): void {
  runs = 0;
  starts.length = ends.length = runIds.length = runBytes.length = 0;
  savedBytes = savedChars = longestBytes = 0;
  longestId = -1;
  hasNumbered = false;
}

/** Finds the runs of a result, for one variant after another. */
export class Matcher {
  index: RunIndex;
  reach: Reach;
  call: Result;
  lines: usize = 0;
  count: i32 = 0;
  first: i32 = 0;
  /** The style of all numbered lines. */
  style: i32 = NO_STYLE;
  way: i32 = 0;
  minBytes: f64 = 0;
  sources: i32 = LIVE;

  constructor(index: RunIndex, reach: Reach, call: Result) {
    this.index = index;
    this.reach = reach;
    this.call = call;
  }

  /** Begins a result; `target` holds its lines in the index. */
  begin(target: Source, style: i32): void {
    this.lines = this.call.lines;
    this.count = this.call.lineCount;
    this.first = target.first;
    this.style = style;
    earlier.length = begins.length = 0;
    earlier.reserve(this.count);
    begins.reserve(this.count + 1);
    begins.push(0);
    for (let line = 0; line < this.count; line++) {
      earlier.push(UNKNOWN);
      begins.push(begins.get(line) + <i32>cell(this.lines, line, CHARS) + 1);
    }
  }

  find(way: RunWay, numbering: bool): void {
    forgetRuns();
    this.way = way.way;
    this.minBytes = way.minBytes;
    this.sources = way.sources;
    followed.clear();
    followedStarts.length = followedEnds.length = 0;
    let done = 0;
    for (let line = 0; line < this.count; line++) {
      if (this.index.older[this.first + line] < 0) continue;
      this.bestThrough(line, done, numbering);
      const source = bestSource;
      if (source === null || !this.addRun(source)) continue;
      done = bestEnd;
      line = bestEnd - 1;
    }
  }

  /** The best run that includes the line and begins no earlier than `first`. */
  bestThrough(line: i32, first: i32, numbering: bool): void {
    const index = this.index;
    const number = cell(this.lines, line, NUMBER);
    let candidates = MAX_CANDIDATES;
    let slot = this.newestEarlier(line);
    bestSource = null;
    for (let slots = MAX_SLOTS; slot >= 0 && slots > 0; slot = index.older[slot], slots--) {
      const source = index.source(slot);
      if (!source.isThere || index.isHidden(slot, this.way) || !this.isFree(source)) continue;
      if (candidates-- === 0) break;
      const mayNumber = numbering && source.input >= 0;
      for (let relation = VERBATIM; relation <= NUMBERED; relation++) {
        if (!areRelated(relation, number, index.numbers[slot], mayNumber)) continue;
        this.follow(relation, source, line, slot - line, first, mayNumber);
      }
    }
  }

  isFree(source: Source): bool {
    if (this.sources === LIVE) return !source.isListing && this.reach.mayQuote(source, this.call);
    if (source.input >= 0 && this.sources === RESULTS) return false;
    return this.reach.chain.leads(this.call.callLine, source.callLine);
  }

  /** Adds the best run with its hint; false if it is too short to be worth one. */
  addRun(source: Source): bool {
    const start = bestStart;
    const end = bestEnd;
    const chars = this.charsOf(start, end);
    if (<f64>chars * 3 < this.minBytes) return false;
    const bytes = this.bytesOf(start, end);
    if (<f64>bytes < this.minBytes) return false;
    const line = start + bestShift - source.first;
    const from = line + 1 - source.hiddenBefore(line, this.way);
    const number = numberOfCode(cell(this.lines, start, NUMBER));
    measureRunHint(source.id, source.input, from, from + end - start - 1, bestRelation, number);
    // By the plain form, whatever the setting: the wording of hints never changes what is replaced.
    if (hintChars * BREAK_EVEN > chars) return false;
    let chosenChars = hintChars;
    let chosenBytes = hintBytes;
    if (verbosity === VERBOSITY_LOCATED && this.sources === LIVE) {
      addOrigin(source.tool, source.target);
      if (hintChars * BREAK_EVEN <= chars) {
        chosenChars = hintChars;
        chosenBytes = hintBytes;
      }
    }
    // A call's id may be anything: a hint can have more bytes than characters.
    if (bytes <= chosenBytes) return false;
    starts.push(start);
    ends.push(end);
    runIds.push(source.id);
    runBytes.push(bytes);
    savedBytes += bytes - chosenBytes;
    savedChars += chars - chosenChars;
    if (bestRelation === NUMBERED) hasNumbered = true;
    if (runs++ === 0 || bytes > longestBytes) {
      longestBytes = bytes;
      longestId = source.id;
    }
    return true;
  }

  charsOf(start: i32, end: i32): i32 {
    return begins.get(end) - begins.get(start) - 1;
  }

  bytesOf(start: i32, end: i32): i32 {
    let bytes = end - start - 1;
    for (let line = start; line < end; line++) bytes += cell(this.lines, line, BYTES);
    return bytes;
  }

  /** The chain of a line that the text itself repeats begins in the text: remembers where it leads. */
  newestEarlier(line: i32): i32 {
    const first = this.first;
    let slot = this.index.older[first + line];
    if (slot < first) return slot;
    while (slot >= first) {
      const known = earlier.get(slot - first);
      slot = known === UNKNOWN ? this.index.older[slot] : known;
    }
    earlier.set(line, slot);
    return slot;
  }

  /** The equal lines around one, in both directions, starting no earlier than `first`. */
  follow(relation: i32, source: Source, line: i32, shift: i32, first: i32, mayNumber: bool): void {
    const key = <u64>(<i64>shift * RELATIONS + relation + 0x7fffffff);
    let known = <i32>followed.get(key) - 1;
    if (known < 0) {
      known = followedStarts.length;
      followed.set(key, known + 1);
      followedStarts.push(0);
      followedEnds.push(0);
    }
    if (line >= followedEnds.get(known)) this.stretchAround(known, relation, source, line, shift, first, mayNumber);
    const start = max<i32>(first, followedStarts.get(known));
    const end = followedEnds.get(known);
    const longer = (source.input < 0 ? 0 : charsOfName(source.input) + 7) + (relation === VERBATIM ? 0 : 20);
    const worth = this.charsOf(start, end) - longer;
    // Among equals, the newest source wins: it is nearest in the context.
    if (bestSource !== null && worth <= bestWorth) return;
    bestSource = source;
    bestRelation = relation;
    bestStart = start;
    bestEnd = end;
    bestShift = shift;
    bestWorth = worth;
  }

  stretchAround(known: i32, relation: i32, source: Source, line: i32, shift: i32, first: i32, mayNumber: bool): void {
    const top = max<i32>(first, source.first - shift);
    const bottom = min<i32>(this.count, source.end - shift);
    let start = line;
    while (start > top && this.joins(relation, start - 1, start, shift, mayNumber)) start--;
    let end = line + 1;
    while (end < bottom && this.joins(relation, end, end - 1, shift, mayNumber)) end++;
    followedStarts.set(known, start);
    followedEnds.set(known, end);
  }

  /** Whether a line extends a run to which its neighbor belongs: numbers must count up by one along a run. */
  joins(relation: i32, line: i32, neighbour: i32, shift: i32, mayNumber: bool): bool {
    const slot = line + shift;
    const index = this.index;
    if (!index.isSameText(slot, this.first + line) || index.isHidden(slot, this.way)) return false;
    const number = cell(this.lines, line, NUMBER);
    if (!areRelated(relation, number, index.numbers[slot], mayNumber)) return false;
    if (relation === VERBATIM) return true;
    return <i64>number - <i64>cell(this.lines, neighbour, NUMBER) === 2 * <i64>(line - neighbour);
  }
}

/** Whether a line with this number may replace one with the other; `mayNumber`: also if the other has none. */
function areRelated(relation: i32, number: u32, other: u32, mayNumber: bool): bool {
  if (number === NEVER || other === NEVER) return false;
  if (relation === VERBATIM) return number === other;
  if (number === 0) return false;
  return relation === RENUMBERED ? other > 0 && (number & 1) === (other & 1) : mayNumber && other === 0;
}

/** A context's lines, and the runs of them that results repeat: src/dedup/runs/contextRuns.ts and replayRuns.ts. */
import {
  HINT_CHARS,
  HINT_FROM,
  HINT_ID,
  HINT_INPUT,
  HINT_NUMBERED_FROM,
  HINT_RENUMBERED_FROM,
  HINT_TO,
} from "../layout";
import { digitsOf } from "./hints";
import {
  cell,
  looksHinted,
  NEVER,
  NO_STYLE,
  NUMBER,
  onlyStyle,
  prefixChars,
  prefixLength,
  styleOfCode,
  TAB,
} from "./lines";
import { ends, forgetRuns, hasNumbered, LIVE, Matcher, RunWay, runs, starts } from "./matcher";
import { Reach } from "./reach";
import { Result } from "./result";
import { RunIndex, Source } from "./runIndex";
import { spanMinBytes } from "./settings";

const MAX_COUNTED_LINES: f64 = 16777216;

export class ContextRuns {
  index: RunIndex;
  reach: Reach;
  matcher: Matcher;
  inForce: RunWay = new RunWay(0, spanMinBytes, LIVE);
  /** Of the current result; negative until needed. */
  longestRepeat: i32 = -1;
  /** Whether the matcher has begun with it. */
  isBegun: bool = false;
  /** The style of line numbers in the newest result that has any. */
  style: i32 = TAB;
  /** How many more lines behind live hints are counted. */
  countable: f64 = MAX_COUNTED_LINES;

  constructor(reach: Reach, result: Result) {
    const index = new RunIndex();
    this.index = index;
    this.reach = reach;
    this.matcher = new Matcher(index, reach, result);
  }

  /** Adds the current result; null if it has no lines, or too many. */
  add(result: Result): Source | null {
    if (result.lineCount < 0) return null;
    this.longestRepeat = -1;
    this.isBegun = false;
    const source = this.index.add(result.id, -1, result.lines, result.lineCount, result.chars);
    if (source === null) return null;
    source.tool = result.tool;
    source.target = result.target;
    source.logLine = result.line;
    source.callLine = result.callLine;
    source.order = this.reach.order;
    source.isListing = result.isListing;
    return source;
  }

  /** Finds the runs of the current result that become hints; from then on, nothing points at these lines. */
  find(text: Source, result: Result, way: RunWay): void {
    forgetRuns();
    if (text.isListing && way.sources === LIVE) return;
    const lines = result.lines;
    const lineCount = result.lineCount;
    if (this.longestRepeat < 0) {
      this.longestRepeat = looksHinted(lines, lineCount) ? 0 : this.index.longestRepeat(text.first, lines, lineCount);
    }
    if (<f64>this.longestRepeat <= way.minBytes) return;
    if (!this.isBegun) this.matcher.begin(text, onlyStyle(lines, lineCount));
    this.isBegun = true;
    const style = this.matcher.style;
    this.matcher.find(way, style !== NO_STYLE);
    if (hasNumbered) {
      // A reader assumes the style of the first numbered line left, otherwise that of the newest earlier result.
      const left = firstStyle(lines, lineCount);
      if ((left === NO_STYLE ? this.style : left) !== style) this.matcher.find(way, false);
    }
    for (let run = 0; run < runs; run++) this.index.hide(text, way.way, starts.get(run), ends.get(run));
  }

  /** The current result was replaced whole: none of it was emitted. */
  hideAll(text: Source, way: RunWay): void {
    this.index.hide(text, way.way, 0, text.end - text.first);
  }

  /** The current result has been decided on: remembers how Read numbers its lines here. */
  endResult(result: Result): void {
    if (result.lineCount < 0) return;
    forgetRuns();
    const style = firstStyle(result.lines, result.lineCount);
    if (style !== NO_STYLE) this.style = style;
  }

  /** Characters saved by live hints: those of the lines that they replace, minus their own. */
  savedBy(result: Result): f64 {
    let saved: f64 = 0;
    for (let which = 0; which < result.hints; which++) {
      saved += max<f64>(0, this.charsOf(result, which) - result.hint(which, HINT_CHARS));
    }
    return saved;
  }

  /** The characters of the lines that a hint replaces; 0 if they are not there, or too many to count. */
  charsOf(result: Result, which: i32): f64 {
    const source = this.index.sourceNamed(<i32>result.hint(which, HINT_ID), <i32>result.hint(which, HINT_INPUT));
    const from = result.hint(which, HINT_FROM);
    const to = result.hint(which, HINT_TO);
    if (source === null || from < 1 || to < from || <f64>source.first + to > <f64>source.end) return 0;
    this.countable -= to - from;
    if (this.countable < 0) return 0;
    const renumbered = result.hint(which, HINT_RENUMBERED_FROM);
    const number = renumbered >= 0 ? renumbered : result.hint(which, HINT_NUMBERED_FROM);
    let chars: f64 = to - from;
    for (let line = from - 1; line < to; line++) {
      const slot = source.first + <i32>line;
      chars += this.index.lengths[slot];
      if (number < 0) continue;
      const own = this.index.numbers[slot];
      const style = own === 0 || own === NEVER ? this.style : styleOfCode(own);
      chars += prefixChars(style, digitsOf<f64>(number + line + 1 - from)) - (own === NEVER ? 0 : prefixLength(own));
    }
    return chars;
  }
}

/** The style of the first numbered line outside of the runs found last. */
function firstStyle(lines: usize, count: i32): i32 {
  let next = 0;
  for (let line = 0; line < count; line++) {
    if (next < runs && line === starts.get(next)) {
      line = ends.get(next++) - 1;
      continue;
    }
    const code = cell(lines, line, NUMBER);
    if (code !== 0 && code !== NEVER) return styleOfCode(code);
  }
  return NO_STYLE;
}

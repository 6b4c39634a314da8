import { CHARS, cell, type LineTable, lineCount, NEVER, NUMBER } from "./lines.js";
import { findRuns, type MatchOptions, type Run } from "./matcher.js";
import { type NumberStyle, prefixLength, prefixOf, styleOfCode } from "./numbered.js";
import { type RunHint, renderRunHint } from "./runHints.js";
import { RunIndex, type SavedIndex } from "./runIndex.js";
import type { HeldSource, RunSource, Stretch } from "./sources.js";

/** The style of line numbers if the context shows none: that of all newer versions of Claude Code. */
export const DEFAULT_STYLE: NumberStyle = "tab";

/**
 * A log may be full of hints that each claim to replace a hundred thousand lines. Real ones replace far fewer in all:
 * this is thirty times as many lines as a context can hold.
 */
const MAX_COUNTED_LINES = 1 << 24;

/** A text in the index. Several variants search it for runs; what they have in common is computed once. */
export class HeldText {
  readonly held: HeldSource;
  readonly lines: LineTable;
  readonly #index: RunIndex;
  #longestRepeat: number | undefined;
  #begins: Float64Array | undefined;

  constructor(held: HeldSource, lines: LineTable, index: RunIndex) {
    this.held = held;
    this.lines = lines;
    this.#index = index;
  }

  /** An upper bound on the bytes of adjacent lines that also occur elsewhere and may be replaced. */
  get longestRepeat(): number {
    this.#longestRepeat ??= looksHinted(this.lines) ? 0 : this.#index.longestRepeat(this.held, this.lines);
    return this.#longestRepeat;
  }

  /** The offset of each line, in characters; after the last one, where another would begin. */
  get begins(): Float64Array {
    this.#begins ??= beginsOf(this.lines);
    return this.#begins;
  }
}

/** As plain data. */
export interface SavedRuns {
  readonly index: SavedIndex;
  readonly style: NumberStyle;
}

/**
 * The lines of all texts that one context's model has, and the runs of them that a new text repeats. Variants with
 * different rules share the lines; each has its own number.
 */
export class ContextRuns {
  readonly #index: RunIndex;
  /** The style of line numbers in the newest result that has any. */
  #style: NumberStyle;
  /** How many more lines behind live hints are counted. */
  #countable = MAX_COUNTED_LINES;

  /** `wanted`: see `RunIndex`. */
  constructor(saved?: SavedRuns, wanted?: LineTable) {
    this.#index = new RunIndex(saved?.index, wanted);
    this.#style = saved?.style ?? DEFAULT_STYLE;
  }

  get state(): SavedRuns {
    return { index: this.#index.state, style: this.#style };
  }

  /** Adds a text of this length; undefined if it cannot be held. */
  add(source: RunSource, lines: LineTable, chars: number): HeldText | undefined {
    const held = this.#index.add(source, lines, chars);
    return held && new HeldText(held, lines, this.#index);
  }

  /** The runs of a text in what came before it; from then on, nothing points at these lines. */
  find(text: HeldText, options: Omit<MatchOptions, "numbering">): readonly Run[] {
    if (text.longestRepeat <= options.minBytes) return NO_RUNS;
    const runs = this.#runs(text, options);
    if (runs.length > 0) this.#index.hide(text.held, options.way, runs);
    return runs;
  }

  /** The text was replaced whole: none of it was emitted. */
  hideAll({ held, lines }: HeldText, way: number): void {
    this.#index.hide(held, way, [{ start: 0, end: lineCount(lines) }]);
  }

  /** Remembers how Read numbers its lines here. */
  learnStyle(lines: LineTable): void {
    this.#style = firstStyle(lines, NO_RUNS) ?? this.#style;
  }

  get oldestCall(): number {
    return this.#index.oldestCall;
  }

  /** The newest text with this name. */
  sourceNamed(id: string, input: string | undefined): RunSource | undefined {
    return this.#index.sourceNamed(id, input)?.source;
  }

  /** The characters of the lines that a hint replaces; 0 if they are not there, or too many to count. */
  charsOf({ id, input, from, to, renumberedFrom, numberedFrom }: RunHint): number {
    const held = this.#index.sourceNamed(id, input);
    if (held === undefined || from < 1 || to < from || held.first + to > held.end) return 0;
    this.#countable -= to - from;
    if (this.#countable < 0) return 0;
    const number = renumberedFrom ?? numberedFrom;
    let chars = to - from;
    for (let line = from - 1; line < to; line++) {
      const slot = held.first + line;
      chars += this.#index.chars(slot);
      if (number === undefined) continue;
      const own = this.#index.number(slot);
      const style = own === 0 || own === NEVER ? this.#style : styleOfCode(own);
      chars += prefixOf(style, number + line + 1 - from).length - (own === NEVER ? 0 : prefixLength(own));
    }
    return chars;
  }

  clear(): void {
    this.#index.clear();
  }

  drop(leaves: (source: RunSource) => boolean): void {
    this.#index.drop(leaves);
  }

  /**
   * "numbered from" does not name the style of the numbers. A reader assumes that of the first numbered line left in
   * the text, otherwise that of the newest earlier result with numbered lines; if that would be wrong, there are no such
   * hints.
   */
  #runs(text: HeldText, options: Omit<MatchOptions, "numbering">): readonly Run[] {
    const style = onlyStyle(text.lines);
    const runs = findRuns(text, this.#index, { ...options, numbering: style !== undefined });
    if (!runs.some(({ hint }) => hint.numberedFrom !== undefined)) return runs;
    const assumed = firstStyle(text.lines, runs) ?? this.#style;
    return assumed === style ? runs : findRuns(text, this.#index, { ...options, numbering: false });
  }
}

export const NO_RUNS: readonly Run[] = [];

function beginsOf(lines: LineTable): Float64Array {
  const count = lineCount(lines);
  const begins = new Float64Array(count + 1);
  for (let line = 0; line < count; line++) begins[line + 1] = (begins[line] as number) + cell(lines, line, CHARS) + 1;
  return begins;
}

/** A text with a line that looks like a hint is left alone: its own lines could be mistaken for ours. */
function looksHinted(lines: LineTable): boolean {
  for (let line = 0; line < lineCount(lines); line++) if (cell(lines, line, NUMBER) === NEVER) return true;
  return false;
}

/** The lines from the first to the last numbered one: see `numberedPart`. */
export function numberedLines(lines: LineTable): Stretch | undefined {
  const count = lineCount(lines);
  const isNumbered = (line: number) => cell(lines, line, NUMBER) !== 0;
  let [start, end] = [0, count];
  while (start < count && !isNumbered(start)) start++;
  while (end > start && !isNumbered(end - 1)) end--;
  return start < end ? { start, end } : undefined;
}

/** The style of the first numbered line outside of the runs. */
function firstStyle(lines: LineTable, runs: readonly Run[]): NumberStyle | undefined {
  const end = lineCount(lines);
  let next = 0;
  for (let line = 0; line < end; line++) {
    const run = runs[next];
    if (run !== undefined && line === run.start) {
      line = run.end - 1;
      next++;
      continue;
    }
    const code = cell(lines, line, NUMBER);
    if (code !== 0 && code !== NEVER) return styleOfCode(code);
  }
  return undefined;
}

/** The style of all numbered lines; undefined if there are none or two. */
function onlyStyle(lines: LineTable): NumberStyle | undefined {
  let style: NumberStyle | undefined;
  for (let line = 0; line < lineCount(lines); line++) {
    const code = cell(lines, line, NUMBER);
    if (code === 0) continue;
    if (style !== undefined && style !== styleOfCode(code)) return undefined;
    style = styleOfCode(code);
  }
  return style;
}

/** The text with its runs replaced by their hints. */
export function emittedText(body: string, runs: readonly Run[]): string {
  if (runs.length === 0) return body;
  const lines = body.split("\n");
  const emitted: string[] = [];
  let line = 0;
  for (const { start, end, hint, prefix = "" } of runs) {
    for (; line < start; line++) emitted.push(lines[line] as string);
    emitted.push(prefix + renderRunHint(hint));
    line = end;
  }
  for (; line < lines.length; line++) emitted.push(lines[line] as string);
  return emitted.join("\n");
}

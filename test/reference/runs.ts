/** Runs of lines for the naive reference replay: texts are compared with texts, every line with every other. */

import type { Numbered } from "./door";

interface NumberedLine {
  /** Without its line number. */
  text: string;
  number: number | undefined;
  style: "arrow" | "tab" | undefined;
  raw: string;
  isHint: boolean;
  /** For a hint: the hint alone. */
  said: string;
}

export interface Source {
  id: string;
  input: string | undefined;
  tool: string;
  target: string;
  lines: NumberedLine[];
  /** By line, whether it was emitted, and where in the emitted text, counted from 1. */
  emittedAt: (number | undefined)[];
  isThere: boolean;
}

export interface ReferenceRun {
  start: number;
  end: number;
  bytes: number;
  ref: string;
  input: string | undefined;
  from: number;
  to: number;
  hint: string;
}

export function sourceOf(
  text: string,
  { id, input, tool, target }: Pick<Source, "id" | "input" | "tool" | "target">,
): Source {
  const lines = text.split("\n").map(parsed);
  const isThere = /^[\w.:-]+$/.test(id) && (input === undefined || /^[\w.:-]+$/.test(input));
  return { id, input, tool, target, lines, emittedAt: lines.map((_, at) => at + 1), isThere };
}

export function parsed(raw: string): NumberedLine {
  const tab = /^(0|[1-9]\d{0,8})\t/.exec(raw);
  const arrow = /^( *)(0|[1-9]\d{0,8})→/.exec(raw);
  const isArrow = arrow !== null && arrow[0].length - 1 === Math.max(6, (arrow[2] ?? "").length);
  const [prefix, digits] = tab ? [tab[0], tab[1]] : isArrow ? [arrow[0], arrow[2]] : ["", undefined];
  const text = raw.slice(prefix.length);
  const style = tab ? "tab" : isArrow ? "arrow" : undefined;
  // A number with a colon is part of the text, except before a hint.
  const said = prefix === "" ? text.replace(/^(?:0|[1-9]\d{0,8}):(?=> \[)/, "") : text;
  const isHint = said.startsWith("> [ref:") || said.startsWith("> [near-ref:");
  return { text, number: digits === undefined ? undefined : Number(digits), style, raw, isHint, said };
}

type Relation = "verbatim" | "renumbered" | "numbered";

function related(line: NumberedLine, other: NumberedLine, relation: Relation, mayNumber: boolean): boolean {
  if (line.isHint || other.isHint || line.text !== other.text) return false;
  if (relation === "verbatim") return line.raw === other.raw;
  if (line.number === undefined) return false;
  return relation === "renumbered" ? other.style === line.style : mayNumber && other.number === undefined;
}

/** The runs of a text in earlier sources, oldest first, that may be quoted. */
export function runsIn(
  target: Source,
  sources: readonly Source[],
  mayQuote: (source: Source) => boolean,
  settings: { minBytes: number; located: boolean; newestStyle: "arrow" | "tab"; numbered?: Numbered | undefined },
): ReferenceRun[] {
  const runs = unfiltered(target, sources, mayQuote, settings);
  const { numbered } = settings;
  if (numbered === undefined) return runs;
  // Claude Code numbers the lines itself, and counts a hint as one: only at the ends do the others keep their numbers.
  return runs
    .filter(({ start, end }) => start === numbered.start || end === numbered.end)
    .map(run => {
      const { raw, text } = target.lines[run.end === numbered.end ? run.start : run.end - 1] as NumberedLine;
      return { ...run, hint: raw.slice(0, raw.length - text.length) + run.hint };
    });
}

function unfiltered(
  target: Source,
  sources: readonly Source[],
  mayQuote: (source: Source) => boolean,
  settings: { minBytes: number; located: boolean; newestStyle: "arrow" | "tab"; numbered?: Numbered | undefined },
): ReferenceRun[] {
  const { lines } = target;
  if (lines.some(({ isHint }) => isHint)) return [];
  const styles = new Set(lines.map(({ style }) => style).filter(style => style !== undefined));
  const [style] = styles;
  const runs = search(target, sources, mayQuote, settings, styles.size === 1);
  if (!runs.some(({ hint }) => hint.includes(", numbered from"))) return runs;
  const left = lines.find((line, at) => line.style !== undefined && !runs.some(run => run.start <= at && at < run.end));
  const told = left?.style ?? settings.newestStyle;
  return told === style ? runs : search(target, sources, mayQuote, settings, false);
}

function search(
  target: Source,
  sources: readonly Source[],
  mayQuote: (source: Source) => boolean,
  settings: { minBytes: number; located: boolean; numbered?: Numbered | undefined },
  numbering: boolean,
): ReferenceRun[] {
  const runs: ReferenceRun[] = [];
  const { start, end } = settings.numbered ?? { start: 0, end: target.lines.length };
  const within = { ...target, lines: target.lines.slice(0, end) };
  let done = start;
  for (let line = start; line < end; line++) {
    const best = bestThrough(line, done, within, sources, mayQuote, numbering);
    const run = best && runOf(best, target, settings);
    if (run === undefined) continue;
    runs.push(run);
    done = run.end;
    line = run.end - 1;
  }
  return runs;
}

interface Found {
  source: Source;
  relation: Relation;
  start: number;
  end: number;
  /** The source line that corresponds to line 0 of the text. */
  shift: number;
  worth: number;
}

function bestThrough(
  line: number,
  first: number,
  target: Source,
  sources: readonly Source[],
  mayQuote: (source: Source) => boolean,
  numbering: boolean,
): Found | undefined {
  const own = target.lines[line] as NumberedLine;
  if (own.text.length < 8) return undefined;
  const equal = sources.flatMap(source =>
    source.lines.flatMap((other, at) => (other.text === own.text && !other.isHint ? [{ source, at }] : [])),
  );
  const newest = equal.reverse().slice(0, 64);
  const allowed = newest.filter(
    ({ source, at }) => source.isThere && source.emittedAt[at] !== undefined && mayQuote(source),
  );
  let best: Found | undefined;
  for (const { source, at } of allowed.slice(0, 8)) {
    const mayNumber = numbering && source.input !== undefined;
    for (const relation of ["verbatim", "renumbered", "numbered"] as const) {
      if (!related(own, source.lines[at] as NumberedLine, relation, mayNumber)) continue;
      const found = follow(line, at, target, source, relation, mayNumber);
      const start = Math.max(first, found.start);
      const chars = textOf(target, start, found.end).length;
      const longer = (source.input === undefined ? 0 : source.input.length + 7) + (relation === "verbatim" ? 0 : 20);
      const worth = chars - longer;
      if (best === undefined || worth > best.worth)
        best = { source, relation, start, end: found.end, shift: at - line, worth };
    }
  }
  return best;
}

function follow(line: number, at: number, target: Source, source: Source, relation: Relation, mayNumber: boolean) {
  const joins = (next: number, neighbour: number) => {
    const [own, other] = [target.lines[next], source.lines[next + at - line]];
    if (own === undefined || other === undefined || source.emittedAt[next + at - line] === undefined) return false;
    if (!related(own, other, relation, mayNumber)) return false;
    const before = target.lines[neighbour] as NumberedLine;
    return relation === "verbatim" || (own.number ?? 0) - (before.number ?? 0) === next - neighbour;
  };
  let [start, end] = [line, line + 1];
  while (joins(start - 1, start)) start--;
  while (joins(end, end - 1)) end++;
  return { start, end };
}

function textOf({ lines }: Source, start: number, end: number): string {
  return lines
    .slice(start, end)
    .map(({ raw }) => raw)
    .join("\n");
}

function runOf(
  { source, relation, start, end, shift }: Found,
  target: Source,
  { minBytes, located }: { minBytes: number; located: boolean },
): ReferenceRun | undefined {
  const text = textOf(target, start, end);
  const bytes = Buffer.byteLength(text);
  const from = source.emittedAt[start + shift] as number;
  const to = from + end - start - 1;
  const { id, input, tool } = source;
  const number = (target.lines[start] as NumberedLine).number;
  const numbers = relation === "verbatim" ? "" : `, ${relation} from ${number}`;
  const plain = `> [ref: ${id}${input === undefined ? "" : ` input.${input}`} lines ${from}-${to}${numbers}`;
  const origin = tool === "" ? "" : `, from: ${source.target === "" ? tool : `${tool}(${source.target})`}`;
  if (bytes < minBytes || 2 * `${plain}]`.length > text.length) return undefined;
  const wanted = `${plain}${located ? origin : ""}]`;
  const hint = 2 * wanted.length > text.length ? `${plain}]` : wanted;
  if (Buffer.byteLength(hint) >= bytes) return undefined;
  return { start, end, bytes, ref: id, input, from, to, hint };
}

/** The runs were replaced: their lines are no longer there, and the others have moved. */
export function replaceRuns(target: Source, runs: readonly ReferenceRun[]): void {
  let emitted = 0;
  target.emittedAt = target.lines.map((_, line) => {
    const run = runs.find(one => one.start <= line && line < one.end);
    if (run === undefined) return ++emitted;
    if (run.start === line) emitted++;
    return undefined;
  });
}

import { utf8Length } from "../../log/bytes.js";
import { looksLikeHint, renderSpanHint, type SpanHint } from "./hints.js";
import { type SpanIndex, type SpanLine, type SpanSource, spanLine } from "./source.js";

/** What a result becomes. */
export interface SpanEmission {
  readonly lines: readonly string[];
  /** Per emitted line, whether it is a hint. */
  readonly hints: readonly (SpanHint | undefined)[];
  readonly savedBytes: number;
  readonly savedChars: number;
}

/** A run of lines that also stands in a source. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly hint: SpanHint;
  /** Characters that the hint spares. */
  readonly gain: number;
}

/** Replaces the runs of lines that the model already has. The best run through each line wins, first line first. */
export function emitSpans(body: string, index: SpanIndex, minBytes: number): SpanEmission {
  const texts = body.split("\n");
  if (texts.some(looksLikeHint))
    return { lines: texts, hints: texts.map(() => undefined), savedBytes: 0, savedChars: 0 };
  const lines = texts.map(spanLine);
  const emitted: string[] = [];
  const hints: (SpanHint | undefined)[] = [];
  let [savedBytes, savedChars, done] = [0, 0, 0];
  const passOn = (until: number) => {
    for (; done < until; done++) {
      emitted.push(texts[done] ?? "");
      hints.push(undefined);
    }
  };
  const finder = new RunFinder(lines, texts, index);
  for (let at = 0; at < lines.length; at++) {
    const run = finder.bestThrough(at, done);
    if (run === undefined) continue;
    const original = texts.slice(run.start, run.end).join("\n");
    const hint = renderSpanHint(run.hint);
    const bytes = utf8Length(original);
    if (bytes < minBytes || hint.length >= original.length) continue;
    passOn(run.start);
    emitted.push(hint);
    hints.push(run.hint);
    savedBytes += bytes - utf8Length(hint);
    savedChars += original.length - hint.length;
    done = run.end;
    at = run.end - 1;
  }
  passOn(lines.length);
  return { lines: emitted, hints, savedBytes, savedChars };
}

class RunFinder {
  readonly #lines: readonly SpanLine[];
  readonly #texts: readonly string[];
  readonly #index: SpanIndex;
  /** Per source and distance, up to which line runs have been looked at: no run is followed twice. */
  readonly #seen = new Map<SpanSource, Map<number, number>>();

  constructor(lines: readonly SpanLine[], texts: readonly string[], index: SpanIndex) {
    this.#lines = lines;
    this.#texts = texts;
    this.#index = index;
  }

  /** The best run that holds line `at` and begins no earlier than `first`. */
  bestThrough(at: number, first: number): Run | undefined {
    const line = this.#lines[at] as SpanLine;
    let best: Run | undefined;
    for (const { source, at: sourceAt } of this.#index.candidates(line)) {
      if (this.#wasSeen(source, at - sourceAt, at)) continue;
      for (const run of this.#runsThrough(source, at, sourceAt, first)) {
        // Of equally good ones the newest source wins: it is nearest in the context.
        if (best === undefined || run.gain >= best.gain) best = run;
      }
    }
    return best;
  }

  #wasSeen(source: SpanSource, distance: number, at: number): boolean {
    return at < (this.#seen.get(source)?.get(distance) ?? -1);
  }

  /** Follows the equal lines in both directions, as they are and with other numbers. */
  #runsThrough(source: SpanSource, at: number, sourceAt: number, first: number): Run[] {
    const distance = at - sourceAt;
    const runs: Run[] = [];
    let furthest = at + 1;
    for (const relation of RELATIONS) {
      if (!this.#fits(relation, source, at, distance)) continue;
      let start = at;
      while (start > first && this.#joins(relation, source, start - 1, start, distance)) start--;
      let end = at + 1;
      while (end < this.#lines.length && this.#joins(relation, source, end, end - 1, distance)) end++;
      furthest = Math.max(furthest, end);
      runs.push(this.#run(relation, source, start, end, distance));
    }
    const seen = this.#seen.get(source) ?? new Map<number, number>();
    this.#seen.set(source, seen.set(distance, furthest));
    return runs;
  }

  #fits(relation: Relation, source: SpanSource, at: number, distance: number): boolean {
    const line = this.#lines[at];
    const other = source.lines[at - distance];
    if (line === undefined || other === undefined || !other.visible || other.text !== line.text) return false;
    return relation.fits(line, other, source);
  }

  /** Whether line `at` lengthens a run that has line `neighbour` already. */
  #joins(relation: Relation, source: SpanSource, at: number, neighbour: number, distance: number): boolean {
    if (!this.#fits(relation, source, at, distance)) return false;
    if (!relation.counts) return true;
    const number = this.#lines[at]?.numbered?.number ?? 0;
    return number - (this.#lines[neighbour]?.numbered?.number ?? 0) === at - neighbour;
  }

  #run(relation: Relation, source: SpanSource, start: number, end: number, distance: number): Run {
    let chars = end - start - 1;
    for (let at = start; at < end; at++) chars += this.#texts[at]?.length ?? 0;
    const number = this.#lines[start]?.numbered?.number;
    const numbers = relation.counts ? { [relation.name]: number } : {};
    const hint = { id: source.id, input: source.input, from: start - distance + 1, to: end - distance, ...numbers };
    return { start, end, hint, gain: chars - renderSpanHint(hint).length };
  }
}

/** How a line may stand for another one with the same text. */
interface Relation {
  readonly name: "verbatim" | "renumberedFrom" | "numberedFrom";
  /** Numbers must count up by one along a run. */
  readonly counts: boolean;
  fits(line: SpanLine, other: SpanLine, source: SpanSource): boolean;
}

const RELATIONS: readonly Relation[] = [
  {
    name: "verbatim",
    counts: false,
    fits: ({ numbered }, other) =>
      numbered?.style === other.numbered?.style && numbered?.number === other.numbered?.number,
  },
  {
    name: "renumberedFrom",
    counts: true,
    fits: ({ numbered }, other) => numbered !== undefined && numbered.style === other.numbered?.style,
  },
  {
    name: "numberedFrom",
    counts: true,
    fits: ({ numbered }, other, source) =>
      source.input !== undefined && numbered !== undefined && other.numbered === undefined,
  },
];

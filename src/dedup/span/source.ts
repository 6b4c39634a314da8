import { type NumberedLine, numberedLine } from "./numbered.js";

/** One line of a text in the context: what it says without its number, and its number where it carries one. */
export interface SpanLine {
  /** What lines are compared by. */
  readonly text: string;
  readonly numbered: NumberedLine | undefined;
  /** False for a hint line: nothing may refer to it. */
  readonly visible: boolean;
}

/** A text that the model has: a result as it was emitted, or a string of a call's input. */
export interface SpanSource {
  readonly id: string;
  readonly input: string | undefined;
  readonly lines: readonly SpanLine[];
  /** The line of the log and its uuid, to tell when the text leaves the context. */
  readonly logLine: number;
  readonly uuid: string;
}

export function spanLine(line: string): SpanLine {
  const numbered = numberedLine(line);
  return { text: numbered?.text ?? line, numbered, visible: true };
}

/** Where a line stands: the source and the line's index in it. */
interface Position {
  readonly source: SpanSource;
  readonly at: number;
}

/** Common lines stand in many places; the newest few are enough to find the longest run. */
const MOST_CANDIDATES = 24;
/** Blank lines and lone brackets begin no run by themselves: a run that holds them is found from its other lines. */
const SHORTEST_ANCHOR = 4;

/** All lines that may be referred to, by their text. */
export class SpanIndex {
  readonly #positions = new Map<string, Position[]>();
  #sources: SpanSource[] = [];

  add(source: SpanSource): void {
    this.#sources.push(source);
    for (const [at, line] of source.lines.entries()) {
      if (!line.visible || !isAnchor(line)) continue;
      const known = this.#positions.get(line.text);
      if (known === undefined) this.#positions.set(line.text, [{ source, at }]);
      else {
        known.push({ source, at });
        if (known.length > MOST_CANDIDATES) known.shift();
      }
    }
  }

  /** Newest last. */
  candidates(line: SpanLine): readonly Position[] {
    return isAnchor(line) ? (this.#positions.get(line.text) ?? NONE) : NONE;
  }

  /** Keeps only the sources that are still in the context. */
  keep(stays: (source: SpanSource) => boolean): void {
    const kept = this.#sources.filter(stays);
    if (kept.length === this.#sources.length) return;
    this.#positions.clear();
    this.#sources = [];
    for (const source of kept) this.add(source);
  }

  get sources(): readonly SpanSource[] {
    return this.#sources;
  }
}

const NONE: readonly Position[] = [];

function isAnchor(line: SpanLine): boolean {
  return line.text.length >= SHORTEST_ANCHOR;
}

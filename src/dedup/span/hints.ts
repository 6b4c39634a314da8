/** The hint lines of span references: which lines of which earlier text stand in the hint's place. */

export interface SpanHint {
  /** The call whose result, or whose input, holds the lines. */
  readonly id: string;
  /** The member of the call's input; undefined for its result. */
  readonly input?: string | undefined;
  /** First and last line, counted from 1, of the text as it was emitted. */
  readonly from: number;
  readonly to: number;
  /** The lines' own number prefixes give way to numbers that count up from here. */
  readonly renumberedFrom?: number | undefined;
  /** The lines carry no numbers; they get prefixes that count up from here. */
  readonly numberedFrom?: number | undefined;
}

export function renderSpanHint(hint: SpanHint): string {
  const source = hint.input === undefined ? hint.id : `${hint.id} input.${hint.input}`;
  const numbers =
    hint.renumberedFrom !== undefined
      ? `, renumbered from ${hint.renumberedFrom}`
      : hint.numberedFrom !== undefined
        ? `, numbered from ${hint.numberedFrom}`
        : "";
  return `> [ref: ${source} lines ${hint.from}-${hint.to}${numbers}]`;
}

const SPAN_HINT = /^> \[ref: (\S+?)(?: input\.(\S+))? lines (\d+)-(\d+)(?:, (renumbered|numbered) from (\d+))?\]$/;

export function parseSpanHint(line: string): SpanHint | undefined {
  const found = SPAN_HINT.exec(line);
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

/** A text with such a line is left alone: its own lines could be taken for our hints. */
export function looksLikeHint(line: string): boolean {
  return line.startsWith("> [ref:") || line.startsWith("> [near-ref:");
}

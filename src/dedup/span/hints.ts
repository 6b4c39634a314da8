/** The hint lines of span references: which lines of which earlier text the hint replaces. */

export interface SpanHint {
  /** The call whose result, or whose input, has the lines. */
  readonly id: string;
  /** The member of the call's input; undefined for its result. */
  readonly input?: string | undefined;
  /** First and last line, counted from 1, in the text as it was emitted. */
  readonly from: number;
  readonly to: number;
  /** The lines' own number prefixes are replaced by numbers that count up from here. */
  readonly renumberedFrom?: number | undefined;
  /** The lines have no numbers; they get prefixes that count up from here. */
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

const HINT_START = "> [ref: ";

/** The first call that a span hint in the text refers to. */
export function spannedId(text: string): string | undefined {
  for (let at = text.indexOf(HINT_START); at >= 0; at = text.indexOf(HINT_START, at + 1)) {
    if (at > 0 && text[at - 1] !== "\n") continue;
    const end = text.indexOf("\n", at);
    const hint = parseSpanHint(text.slice(at, end < 0 ? undefined : end));
    if (hint !== undefined) return hint.id;
  }
  return undefined;
}

/** A text with such a line is not replaced: the line could be mistaken for a hint of ours. */
export function looksLikeHint(text: string, begin = 0): boolean {
  return text.startsWith("> [ref:", begin) || text.startsWith("> [near-ref:", begin);
}

/** Read's line-number prefixes: `     7→text` in the old form, `7<TAB>text` in the newer one. */

export type NumberStyle = "arrow" | "tab";

export interface NumberedLine {
  readonly style: NumberStyle;
  readonly number: number;
  readonly text: string;
}

const ARROW = /^( *)(\d+)→/;
const TAB = /^(\d+)\t/;
/** Longer numbers are no line numbers. */
const MOST_DIGITS = 9;

/** The line's parts where it carries a prefix exactly as Read would write it; undefined elsewhere. */
export function numberedLine(line: string): NumberedLine | undefined {
  const first = line.charCodeAt(0);
  // Nearly all lines of other tools are told by their first character.
  if (first !== 0x20 && (first < 0x30 || first > 0x39)) return undefined;
  for (const [style, pattern] of [
    ["tab", TAB],
    ["arrow", ARROW],
  ] as const) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const digits = found[found.length - 1] ?? "";
    const number = Number(digits);
    if (digits.length > MOST_DIGITS || prefixOf(style, number) !== found[0]) return undefined;
    return { style, number, text: line.slice(found[0].length) };
  }
  return undefined;
}

export function prefixOf(style: NumberStyle, number: number): string {
  return style === "tab" ? `${number}\t` : `${String(number).padStart(6)}→`;
}

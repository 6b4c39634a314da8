/** Texts of the page: numbers as the report writes them, times, and log text made harmless. */
import { grouped, percent, short } from "../../src/words/numbers.js";
import { counted, fill, strings, type ValuesOf } from "../../src/words/strings.js";

export { counted, fill, grouped, percent, short, strings };

/** A call has the number of its result in the conversation, from 1. */
export function callNumber(row: number): string {
  return grouped(row + 1);
}

export function callText(row: number): string {
  return fill(strings.app.call, { number: callNumber(row) });
}

export function tokensText(tokens: number): string {
  return fill(strings.figures.tokens, { value: short(tokens) });
}

const BYTE_UNITS = ["bytes", "KB", "MB", "GB"];

export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < BYTE_UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? grouped(Math.round(size)) : size.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** Control characters, and the invisible ones that can turn text around or hide it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const LONGEST_LINE = 2000;

/** Log text on one line, as it may be shown: nothing in it can steer the page, and its end can be reached. */
export function visible(text: string, longest: number = LONGEST_LINE): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(UNSEEN, seen);
}

/** The same for text with lines and tabs. */
export function visibleBlock(text: string): string {
  return text.replace(UNSEEN, character => (character === "\n" || character === "\t" ? character : seen(character)));
}

/** The picture of an ASCII control character, as ␛ for escape; the replacement character for any other. */
function seen(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x0d || code === 0x0a || code === 0x09) return " ";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
}

/** The last folder of a project's path: what people call it. */
export function projectName(path: string): string {
  return visible(path.split(/[\\/]/).filter(Boolean).at(-1) ?? path, 80);
}

/** A path as people of the project call it: without the project's own folder. */
export function pathInside(project: string, path: string): string {
  const folder = `${project.replaceAll("\\", "/")}/`;
  return project !== "" && path.startsWith(folder) ? path.slice(folder.length) : path;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;

/** How long ago, in the largest unit that fits: "12 min". */
export function ageText(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return "";
  const { now, minutes, hours, days, months } = strings.bar;
  if (seconds < MINUTE) return now;
  const [text, unit] =
    seconds < HOUR
      ? [minutes, MINUTE]
      : seconds < DAY
        ? [hours, HOUR]
        : seconds < MONTH
          ? [days, DAY]
          : [months, MONTH];
  return fill(text, { n: Math.floor(seconds / unit) });
}

export function clockText(seconds: number): string {
  if (seconds === 0) return "";
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "short", timeStyle: "medium" });
}

/** A piece of a sentence: plain text, or a call that can be gone to. */
export type Piece = string | { readonly call: number };

/** A sentence in pieces, so that the calls it names become links. */
export function pieces<T extends string>(text: T, values: ValuesOf<T, string | Piece | readonly Piece[]>): Piece[] {
  const known = values as Readonly<Record<string, Piece | readonly Piece[]>>;
  return text
    .split(/(\{\w+\})/)
    .flatMap<Piece>(part => known[/^\{(\w+)\}$/.exec(part)?.[1] ?? ""] ?? part)
    .filter(piece => piece !== "");
}

export function plain(sentence: readonly Piece[]): string {
  return sentence.map(piece => (typeof piece === "string" ? piece : callText(piece.call))).join("");
}

/** Formats, pluralizes, truncates and sanitizes texts for the page, VS Code and the terminal. */
import { grouped, short } from "./numbers.js";
import { strings } from "./strings.js";

/** The names between braces in a text. */
type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

export type ValuesOf<T extends string, V = string | number> = string extends T
  ? Readonly<Record<string, V>>
  : { readonly [K in NamesIn<T>]: V };

/** No text: `one|many` has to be reduced to one of its forms first. */
type OneForm<T extends string> = T extends `${string}|${string}` ? never : T;

/** Replaces the placeholders of a text. */
export function fill<T extends string>(text: OneForm<T> & T, values: ValuesOf<T>): string {
  const known: Readonly<Record<string, string | number>> = values;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = known[name];
    return typeof value === "number" ? grouped(value) : (value ?? whole);
  });
}

/** The form for a number, from `one|many`. */
export function plural(forms: string, count: number): string {
  const [one = "", many = one] = forms.split("|");
  return count === 1 ? one : many;
}

/** "1 hit", "2,140 hits". */
export function counted(forms: string, count: number): string {
  return fill(plural(forms, count), { n: count });
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A piece of a sentence: plain text, or a call to link to. */
export type Piece = string | { readonly call: number };

/** A sentence in pieces, so that the calls it names become links. */
export function pieces<T extends string>(
  text: OneForm<T> & T,
  values: ValuesOf<T, number | Piece | readonly Piece[]>,
): readonly Piece[] {
  const known: Readonly<Record<string, number | Piece | readonly Piece[]>> = values;
  return text
    .split(/(\{\w+\})/)
    .flatMap<Piece>(part => {
      const value = known[/^\{(\w+)\}$/.exec(part)?.[1] ?? ""] ?? part;
      return typeof value === "number" ? grouped(value) : value;
    })
    .filter(piece => piece !== "");
}

export function plain(sentence: readonly Piece[]): string {
  return sentence.map(piece => (typeof piece === "string" ? piece : callText(piece.call))).join("");
}

/** A call's number is that of its result in the conversation, from 1. */
export function callText(row: number): string {
  return fill(strings.app.call, { number: row + 1 });
}

export function tokensText(tokens: number): string {
  return fill(plural(strings.figures.tokens, Math.round(tokens)), { value: short(tokens) });
}

/** 1234 → "1.2 KB" */
export function bytesText(bytes: number): string {
  const { kilo, mega, giga } = strings.byteUnits;
  const larger = [kilo, mega, giga];
  let size = bytes;
  let unit = -1;
  while (size >= 999.5 && unit < larger.length - 1) {
    size /= 1000;
    unit++;
  }
  const text = larger[unit];
  if (text === undefined) return counted(strings.counts.bytes, Math.round(size));
  return fill(text, { n: size >= 99.95 ? Math.round(size) : size.toFixed(1) });
}

/** API-equivalent dollars; says so if there is no price, instead of 0. */
export function moneyText({ usd }: { readonly usd: number | null }): string {
  if (usd === null) return strings.whatIf.noPrice;
  const size = Math.abs(usd);
  if (size > 0 && size < 0.005) return usd > 0 ? "< $0.01" : "> -$0.01";
  return `${usd < 0 ? "-" : ""}$${size >= 100 ? grouped(size) : size.toFixed(2)}`;
}

/** Control characters, and the invisible ones that can reverse or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** At most `max` characters, ending in "…" if something was cut off. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/** Log text on one line, safe to show: nothing in it can control the page or the terminal. */
export function visible(text: string, max: number = Number.POSITIVE_INFINITY): string {
  return cut(text, max).replace(UNSEEN, seen);
}

/** The same for text with lines and tabs. */
export function visibleBlock(text: string): string {
  return text.replace(UNSEEN, character => (character === "\n" || character === "\t" ? character : seen(character)));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes any text for HTML or SVG. */
export function withoutMarkup(text: string): string {
  return text.replace(/[&<>"]/g, character => ENTITIES[character] ?? character);
}

/** Keeps renderers of Markdown from making links of addresses. */
export function withoutLinks(markdown: string): string {
  return markdown.replace(/[:@]|\.(?=\p{L})|\/(?=\/)/gu, "\\$&");
}

/** The Unicode picture of an ASCII control character, such as ␛ for escape; the replacement character for others. */
function seen(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x0d || code === 0x0a || code === 0x09) return " ";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
}

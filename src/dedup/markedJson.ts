/**
 * Compares JSON objects of any size and depth by value; numbers by their source text, so that 1 and 1.0 differ and big
 * integers keep all their digits. Nothing here is recursive, and no regular expression backtracks: strings may have any
 * length, and lists any depth.
 */

/** Precedes every string and every number, so that no string can be mistaken for a number. */
const STRING_MARK = "s";
const NUMBER_MARK = "n";

type Marked = Readonly<Record<string, unknown>>;

/** The value of one key. */
export interface JsonMember {
  /** "" for null, the contents of a string, the source of a number; undefined for lists and objects. */
  readonly text: string | undefined;
  /** Equal for equal values, and only for those, regardless of key order. */
  readonly value: string;
}

/**
 * The members of a JSON object, in order. Undefined if the text is not a JSON object, or if any object in it has a
 * duplicate key: one of the two values would be ignored.
 */
export function jsonMembers(text: string): ReadonlyMap<string, JsonMember> | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    JSON.parse(text);
    const { marked, keys } = withMarks(text);
    // With a mark in front, keys such as "1" or "__proto__" need no special treatment.
    const members = Object.entries(JSON.parse(marked) as Marked);
    const found = new Map<string, JsonMember>();
    let counted = members.length;
    for (const [key, value] of members) {
      const form = isContainer(value) ? canonical(value) : { value: String(value), keys: 0 };
      counted += form.keys;
      found.set(key.slice(STRING_MARK.length), { text: textOf(value), value: form.value });
    }
    return counted === keys ? found : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  if (value === null) return "";
  if (typeof value === "string") return value.slice(STRING_MARK.length);
  return typeof value === "boolean" ? String(value) : undefined;
}

/** A list or an object in a canonical form, and the number of keys in it. */
function canonical(container: object): { value: string; keys: number } {
  const pieces: string[] = [];
  const left: unknown[] = [container];
  let keys = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (next instanceof Piece) pieces.push(next.text);
    else if (!isContainer(next)) pieces.push(JSON.stringify(next));
    else if (Array.isArray(next)) {
      pieces.push("[");
      left.push(LIST_END);
      for (let at = next.length - 1; at >= 0; at--) left.push(COMMA, next[at]);
    } else {
      pieces.push("{");
      left.push(OBJECT_END);
      const names = Object.keys(next).sort();
      keys += names.length;
      for (const name of names.reverse()) left.push(next[name], new Piece(JSON.stringify(name)));
    }
  }
  return { value: pieces.join(""), keys };
}

/** Punctuation and keys. */
class Piece {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const [LIST_END, OBJECT_END, COMMA] = ["]", "}", ","].map(text => new Piece(text));

/** Valid JSON with marks, and the number of its keys. */
function withMarks(text: string): { marked: string; keys: number } {
  const pieces: string[] = [];
  let [from, keys] = [0, 0];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      pieces.push(text.slice(from, at + 1), STRING_MARK);
      from = at + 1;
      at = afterString(text, at);
      if (isKey(text, at)) keys++;
    } else if (isOfNumber(code) && code !== SMALL_E) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at))) at++;
      pieces.push(text.slice(from, start), `"${NUMBER_MARK}`, text.slice(start, at), '"');
      from = at;
    } else at++;
  }
  pieces.push(text.slice(from));
  return { marked: pieces.join(""), keys };
}

const [QUOTE, BACKSLASH, COLON, SMALL_E] = [0x22, 0x5c, 0x3a, 0x65];

function afterString(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isKey(text: string, afterString: number): boolean {
  let at = afterString;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}

/** A digit, a sign, a point or the "e" of an exponent, which is otherwise only in "true" and "false". */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e || (code | 0x20) === SMALL_E;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

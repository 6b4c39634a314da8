/**
 * JSON objects of any size and depth, compared by what they say: numbers by their source text, so that 1 and 1.0 differ
 * and big integers keep all their digits. Nothing here calls itself or searches by a pattern that could: a log decides
 * how long a string is and how deep lists are nested.
 */

/** In front of every string and every number: no string can be taken for a number, whatever it holds. */
const STRING_MARK = "s";
const NUMBER_MARK = "n";

type Marked = Readonly<Record<string, unknown>>;

/** What a key of an object stands for. */
export interface JsonMember {
  /** Null is the empty text, a string its contents, a number its source; undefined for lists and objects. */
  readonly text: string | undefined;
  /** The same for equal values, and only for them. The order of keys within a value does not matter. */
  readonly value: string;
}

/**
 * The members of a JSON object in their order. Undefined where the text is no JSON object, or where one in it has a key
 * twice: of its two values only one would be looked at.
 */
export function jsonMembers(text: string): ReadonlyMap<string, JsonMember> | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    JSON.parse(text);
    const { marked, keys } = withMarks(text);
    // Behind a mark keys that look like numbers, or like parts of every object, are keys like others.
    const members = Object.entries(JSON.parse(marked) as Marked);
    const found = new Map<string, JsonMember>();
    let counted = members.length;
    for (const [key, value] of members) {
      const spelled = isContainer(value) ? spell(value) : { value: String(value), keys: 0 };
      counted += spelled.keys;
      found.set(key.slice(STRING_MARK.length), { text: textOf(value), value: spelled.value });
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

/** A list or an object in the one way in which all that are equal to it are spelled, and how many keys are in it. */
function spell(container: object): { value: string; keys: number } {
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

/** What is between values. */
class Piece {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const [LIST_END, OBJECT_END, COMMA] = ["]", "}", ","].map(text => new Piece(text));

/** Valid JSON with its marks, and how many keys it has. */
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

/** A digit, a sign, a point or the letter of an exponent. Outside of strings only "true" and "false" share one of them. */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e || (code | 0x20) === SMALL_E;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

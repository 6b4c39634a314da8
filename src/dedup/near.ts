/**
 * Near-references: a JSON object that repeats an earlier one but for a few top-level scalars, such as a status poll.
 * Numbers are compared by their source text, so 1 and 1.0 differ and big integers keep all their digits.
 */
import { utf8Length } from "../log/bytes.js";

export const NEAR_MIN_BODY_BYTES = 500;
export const NEAR_MAX_DELTA_BYTES = 50;

/** The changed top-level values, in the new text's order. */
export type NearDelta = readonly { readonly key: string; readonly from: string; readonly to: string }[];

/** What changed from the old text to the new one, or undefined where that is not a small change of scalars. */
export function nearDelta(old: string, fresh: string): NearDelta | undefined {
  return new NearMatcher().delta(old, fresh);
}

/** Whether a text may be what a near-reference refers to. */
export function mayBeNear(text: string): boolean {
  return /^\s*\{/.test(text);
}

/** Compares many texts with one another: each is parsed once, each pair compared once. */
export class NearMatcher {
  readonly #parsed = new Map<string, JsonObject | undefined>();
  #fresh = "";
  #isLong = false;
  #deltas = new Map<string, NearDelta | undefined>();

  delta(old: string, fresh: string): NearDelta | undefined {
    if (fresh !== this.#fresh) {
      this.#fresh = fresh;
      this.#isLong = utf8Length(fresh) >= NEAR_MIN_BODY_BYTES;
      this.#deltas = new Map();
    }
    if (!this.#isLong) return undefined;
    if (!this.#deltas.has(old)) this.#deltas.set(old, this.#compare(old, fresh));
    return this.#deltas.get(old);
  }

  #compare(old: string, fresh: string): NearDelta | undefined {
    const after = this.#parse(fresh);
    const before = after && this.#parse(old);
    return before && after && before.size === after.size ? deltaOf(before.members, after.members) : undefined;
  }

  #parse(text: string): JsonObject | undefined {
    if (!this.#parsed.has(text)) {
      // A text that has not come up for a long while is parsed again when it does.
      if (this.#parsed.size >= MOST_PARSED) this.#parsed.clear();
      this.#parsed.set(text, jsonObject(text));
    }
    return this.#parsed.get(text);
  }
}

const MOST_PARSED = 4096;

function deltaOf(before: Members, after: Members): NearDelta | undefined {
  const delta: { key: string; from: string; to: string }[] = [];
  let bytes = 0;
  for (const [marked, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, marked)) return undefined;
    const key = marked.slice(KEY_MARK.length);
    const earlier = before[marked];
    if (isSame(earlier, value)) continue;
    const from = scalarText(earlier);
    const to = scalarText(value);
    if (from === undefined || to === undefined) return undefined;
    bytes += utf8Length(`, ${key}: ${from}→${to}`);
    // A hint is one line: a value with a line break cannot be told in it.
    if (bytes > NEAR_MAX_DELTA_BYTES || /[\r\n]/.test(key + from + to)) return undefined;
    delta.push({ key, from, to });
  }
  return delta.length > 0 ? delta : undefined;
}

type Members = Readonly<Record<string, unknown>>;

interface JsonObject {
  readonly members: Members;
  readonly size: number;
}

const NUMBER_MARK = "\0";
const KEY_MARK = "k";
const KEY_OR_SCALAR = /"(?:[^"\\]|\\.)*"(\s*:)?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(\s*:)?/gs;

/**
 * The object with every number as its marked source text, and every key behind a mark too: keys that look like numbers
 * would lose their place. Undefined where the text is no JSON object.
 */
function jsonObject(text: string): JsonObject | undefined {
  if (!mayBeNear(text)) return undefined;
  const marked = text.replace(KEY_OR_SCALAR, (token, afterString, afterNumber) => {
    if (afterString !== undefined) return `"${KEY_MARK}${token.slice(1)}`;
    return token.startsWith('"') || afterNumber !== undefined ? token : `"\\u0000${token}"`;
  });
  try {
    const members = JSON.parse(marked) as Members;
    return { members, size: Object.keys(members).length };
  } catch {
    return undefined;
  }
}

/** Null is the empty text, a string its contents, a number its source; undefined for anything nested. */
function scalarText(value: unknown): string | undefined {
  if (value === null) return "";
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "string") return undefined;
  return value.startsWith(NUMBER_MARK) ? value.slice(NUMBER_MARK.length) : value;
}

/** Deep equality; the order of keys does not matter. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    key =>
      Object.hasOwn(right, key) &&
      isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

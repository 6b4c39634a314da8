/** Near-references: a JSON object, such as a status, that repeats an earlier one except for a few top-level scalars. */
import { utf8Length } from "../log/bytes.js";
import type { LogText } from "../log/heldText.js";
import { type JsonMember, jsonMembers } from "./markedJson.js";

/** When a near-reference is worth it, in UTF-8 bytes. */
export interface NearLimits {
  /** Shorter texts are not compared. */
  readonly minBodyBytes: number;
  /** The list of changes may not be longer. */
  readonly maxDeltaBytes: number;
}

export const NEAR_LIMITS: NearLimits = { minBodyBytes: 500, maxDeltaBytes: 50 };

/** The changed top-level values, in the new text's order. */
export type NearDelta = readonly { readonly key: string; readonly from: string; readonly to: string }[];

/** The changes from the old text to the new one; undefined if they are more than a few scalars. */
export function nearDelta(old: string, fresh: string, limits?: Partial<NearLimits>): NearDelta | undefined {
  return new NearMatcher(limits).delta(old, fresh);
}

/** A quick check whether a text, if it is JSON at all, is an object. */
export function mayBeNear(text: LogText): boolean {
  // Most texts start with something else, possibly after a few spaces: no string needs to be created for them.
  const isKnown = typeof text === "string" ? undefined : beginsObject(text.utf8());
  return isKnown ?? /^\s*\{/.test(text.toString());
}

/** Undefined if it depends on non-ASCII characters, some of which are white space. */
function beginsObject(utf8: Uint8Array): boolean | undefined {
  for (const byte of utf8) {
    if (byte >= 0x80) return undefined;
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return byte === 0x7b;
  }
  return false;
}

type JsonObject = ReadonlyMap<string, JsonMember>;

/** Compares many texts: parses each text once and compares each pair once. */
export class NearMatcher {
  readonly #limits: NearLimits;
  readonly #parsed = new Map<string, JsonObject | undefined>();
  #parsedChars = 0;
  #fresh = "";
  #isLong = false;
  #deltas = new Map<string, NearDelta | undefined>();

  constructor(limits: Partial<NearLimits> = {}) {
    this.#limits = { ...NEAR_LIMITS, ...limits };
  }

  delta(old: string, fresh: string): NearDelta | undefined {
    if (fresh !== this.#fresh) {
      this.#fresh = fresh;
      this.#isLong = utf8Length(fresh) >= this.#limits.minBodyBytes;
      this.#deltas = new Map();
    }
    if (!this.#isLong) return undefined;
    if (!this.#deltas.has(old)) this.#deltas.set(old, this.#compare(old, fresh));
    return this.#deltas.get(old);
  }

  #compare(old: string, fresh: string): NearDelta | undefined {
    const after = this.#parse(fresh);
    const before = after && this.#parse(old);
    return before && after && before.size === after.size ? deltaOf(before, after, this.#limits) : undefined;
  }

  #parse(text: string): JsonObject | undefined {
    const known = this.#parsed.get(text);
    if (known !== undefined || this.#parsed.has(text)) return known;
    // Texts that come up again later are simply parsed again.
    if (this.#parsedChars > MAX_PARSED_CHARS) {
      this.#parsed.clear();
      this.#parsedChars = 0;
    }
    const parsed = jsonMembers(text);
    this.#parsed.set(text, parsed);
    this.#parsedChars += text.length;
    return parsed;
  }
}

/** A parsed text takes several times as much memory as the text. */
const MAX_PARSED_CHARS = 4_000_000;

function deltaOf(before: JsonObject, after: JsonObject, { maxDeltaBytes }: NearLimits): NearDelta | undefined {
  const delta: { key: string; from: string; to: string }[] = [];
  let bytes = 0;
  for (const [key, { value, text: to }] of after) {
    const earlier = before.get(key);
    if (earlier === undefined) return undefined;
    if (earlier.value === value) continue;
    const { text: from } = earlier;
    if (from === undefined || to === undefined) return undefined;
    bytes += utf8Length(`, ${key}: ${from}→${to}`);
    // A hint is one line, so it cannot show a value with a line break.
    if (bytes > maxDeltaBytes || /[\r\n]/.test(key + from + to)) return undefined;
    delta.push({ key, from, to });
  }
  return delta.length > 0 ? delta : undefined;
}

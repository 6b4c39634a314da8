/** Reads single JSON values out of bytes. */
import { BACKSLASH, type Bytes, QUOTE, textOf } from "./bytes.js";
import type { Spans } from "./keys.js";

/** The string that stands at bytes[start, end), quotes included, or undefined where that is no string. */
export function stringAt(bytes: Bytes, start: number, end: number): string | undefined {
  if (start < 0 || bytes[start] !== QUOTE) return undefined;
  return isPlain(bytes, start, end)
    ? textOf(bytes, start + 1, end - 1)
    : (JSON.parse(textOf(bytes, start, end)) as string);
}

/** Whether a short text has no escapes. Long ones are results' texts, which always do. */
function isPlain(bytes: Bytes, start: number, end: number): boolean {
  if (end - start > 256) return false;
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return false;
  return true;
}

export function stringOf<Name extends string>(bytes: Bytes, spans: Spans<Name>, name: Name): string | undefined {
  return stringAt(bytes, spans.start(name), spans.end(name));
}

/** The parsed value, or undefined where it is missing. Throws a SyntaxError where it is not JSON. */
export function parsedOf<Name extends string>(bytes: Bytes, spans: Spans<Name>, name: Name): unknown {
  const start = spans.start(name);
  return start < 0 ? undefined : JSON.parse(textOf(bytes, start, spans.end(name)));
}

/** A count of tokens. It is untrusted: anything that is not a whole number of at most 15 digits counts as 0. */
export function countAt(bytes: Bytes, start: number, end: number): number {
  if (start < 0 || end - start > 15) return 0;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return 0;
    value = value * 10 + digit;
  }
  return value;
}

import { utf8Length } from "../log/bytes.js";
import type { Fact, ResultFact } from "../log/facts.js";
import { hash64 } from "../log/lineIndex.js";
import type { Fingerprint } from "./fingerprint.js";
import { hintedId } from "./hints.js";
import { spannedId } from "./span/hints.js";

/** A result with its text reduced to what a replay needs, whatever the settings. */
export interface Digest extends Omit<ResultFact, "body"> {
  /** UTF-8 bytes and UTF-16 characters of the text; 0 if the result is not only text. */
  readonly bytes: number;
  readonly chars: number;
  readonly text: boolean;
  /** Undefined for errors and for anything that is not text: they are never looked up. */
  readonly fingerprint: Fingerprint | undefined;
  /** The call that a live hint names, if the whole text is one. */
  readonly hinted: string | undefined;
  /** The first call that a span hint names, if lines of the text are such hints. */
  readonly spanned?: string | undefined;
  /** 64 bits of the line's uuid and the call's id, the same in every copy; 0, 0 where the line has no uuid. */
  readonly copyHash: readonly [high: number, low: number];
  /** The text itself, kept only where near-references or spans ask for it. */
  readonly body: string | undefined;
}

export type ReplayFact = Digest | Exclude<Fact, ResultFact>;

/** Every text is hashed here and nowhere else, by the function given. */
export function digest(fact: Fact, keepBody: boolean, fingerprint: (text: string) => Fingerprint): ReplayFact {
  if (fact.fact !== "result") return fact;
  const spanned = fact.body === null ? undefined : spannedId(fact.body);
  const { body, line, offset, at, id, uuid, tool, kind, path, target, range, callOffset, callLine, error, native } =
    fact;
  return {
    fact: "result",
    line,
    offset,
    at,
    id,
    uuid,
    tool,
    kind,
    path,
    target,
    range,
    callOffset,
    callLine,
    error,
    native,
    bytes: body === null ? 0 : utf8Length(body),
    chars: body === null ? 0 : body.length,
    text: body !== null,
    fingerprint: body === null || error ? undefined : fingerprint(body),
    hinted: body === null ? undefined : hintedId(body),
    ...(spanned !== undefined && { spanned }),
    copyHash: uuid === "" ? [0, 0] : hash64(uuid + id),
    body: keepBody && body !== null ? body : undefined,
  };
}

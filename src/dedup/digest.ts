import { utf8Length } from "../log/bytes.js";
import type { CallFact, Fact, ResultFact } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";
import { hash64 } from "../log/lineIndex.js";
import { hasOwnInput } from "../log/tools.js";
import { type HookedPart, hookedPart } from "./door.js";
import type { Fingerprint } from "./fingerprint.js";
import type { LineTable, ScansLines } from "./runs/lines.js";
import { hintsIn, type LiveHint } from "./runs/runHints.js";
import { isWholeOrNothing } from "./runs/textKind.js";

/** A result reduced to what a replay needs, whatever the settings. */
export interface Digest extends Omit<ResultFact, "body" | "response"> {
  /** UTF-8 bytes and UTF-16 characters of the text; 0 if the result is not only text. */
  readonly bytes: number;
  readonly chars: number;
  readonly text: boolean;
  /** Undefined for errors and for anything that is not text: they are never looked up. */
  readonly fingerprint: Fingerprint | undefined;
  /** The live hints in the text. */
  readonly hints: readonly LiveHint[];
  /** The part of it that settings hooks can replace; undefined if none. */
  readonly hooked?: HookedPart | undefined;
  /** 64 bits of the line's uuid and the call's id, the same in every copy; 0, 0 if the line has no uuid. */
  readonly copyHash: readonly [high: number, low: number];
  /** The text's lines, if runs of lines are searched; undefined if it is too short for any. */
  readonly lines?: LineTable | undefined;
  /** People count or compare its lines: it is replaced whole or not at all. Only set for texts with lines. */
  readonly isListing?: boolean;
  /** The text itself, kept only for near-references or spans. */
  readonly body: string | undefined;
}

/** A call with the lines of its input's strings: what a later text may repeat. */
export interface CallDigest extends Omit<CallFact, "strings"> {
  readonly inputs: readonly { readonly key: string; readonly lines: LineTable; readonly chars: number }[];
}

export type ReplayFact = Digest | CallDigest | Exclude<Fact, ResultFact | CallFact>;

/** Shorter texts contain no runs: each line may get a number prefix, but never this many characters. */
const MIN_TEXT_CHARS = 17;

/**
 * Every text is hashed here and nowhere else, by the function given. `scanner`: set if runs of lines are searched.
 * `forHooks`: false if nobody needs to know what settings hooks can replace.
 */
export function digest(
  fact: Fact<LogText>,
  keepBody: boolean,
  fingerprint: (text: LogText) => Fingerprint,
  scanner?: ScansLines,
  forHooks = true,
): ReplayFact {
  if (fact.fact === "call") return callDigest(fact, scanner);
  if (fact.fact !== "result") return fact;
  const lines = fact.body === null ? undefined : linesOf(fact.body, scanner);
  const isListing = lines !== undefined && fact.body !== null && isWholeOrNothing(fact.tool, fact.body);
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
    bytes: body === null ? 0 : typeof body === "string" ? utf8Length(body) : body.utf8Length,
    chars: body === null ? 0 : body.length,
    text: body !== null,
    fingerprint: body === null || error ? undefined : fingerprint(body),
    hints: body === null ? [] : hintsIn(body),
    hooked: forHooks && body !== null ? hookedPart(tool, body, fact.response) : undefined,
    lines,
    isListing,
    copyHash: uuid === "" ? [0, 0] : hash64(uuid + id),
    body: keepBody && body !== null ? body.toString() : undefined,
  };
}

function linesOf(text: LogText, scanner: ScansLines | undefined): LineTable | undefined {
  return scanner === undefined || text.length < MIN_TEXT_CHARS ? undefined : scanner.scan(text);
}

function callDigest(call: CallFact<LogText>, scanner: ScansLines | undefined): CallDigest {
  const inputs: CallDigest["inputs"][number][] = [];
  if (scanner !== undefined && hasOwnInput(call.tool)) {
    for (const [key, text] of call.strings) {
      if (text.length >= MIN_TEXT_CHARS) inputs.push({ key, lines: scanner.scan(text), chars: text.length });
    }
  }
  const { line, offset, at, id, tool, target, uuid, callLine } = call;
  return { fact: "call", line, offset, at, id, tool, target, uuid, callLine, inputs };
}

/**
 * The facts of a log as numbers, tables of lines, and each text once: what the kernel replays, and what the cache keeps.
 * As tens of thousands of objects, they would take longer to read back than to replay.
 */
import type { CallDigest, Digest, ReplayFact } from "../dedup/digest.js";
import type { NumberedLines } from "../dedup/door.js";
import type { LineTable } from "../dedup/runs/lines.js";
import type { LiveHint } from "../dedup/runs/runHints.js";
import { type BoundaryFact, CLEARED_BY, type ClearFact, type Place, type RequestFact } from "../log/facts.js";
import type { ToolKind } from "../log/tools.js";
import * as Layout from "./layout.js";

/** Some facts, in file order. Tables and texts come in the order in which the facts mention them. */
export interface FactChunk {
  /** Fact by fact, as `FactPacker` writes and `FactUnpacker` reads them. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of all texts, one after another. */
  readonly lines: LineTable;
  /** The data of each new name: see `NAME_WORDS`. Names are numbered across all chunks. */
  readonly names: Uint32Array<ArrayBuffer>;
  /** The new names themselves, one after another. */
  readonly text: ChunkText;
}

/** A string, or something that returns pieces of it. */
export interface ChunkText {
  slice(start?: number, end?: number): string;
}

export interface PackedFacts {
  readonly chunks: readonly FactChunk[];
}

type Facts = Iterable<readonly [context: string, fact: ReplayFact]>;

export const KINDS: readonly ToolKind[] = ["other", "read", "mutate"];
export const HINT_KINDS: readonly LiveHint["kind"][] = ["whole", "near", "run"];

/** Whether facts are packed already. */
export function arePacked(facts: PackedFacts | Facts): facts is PackedFacts {
  return "chunks" in facts;
}

/** One after another, on demand. Fails, or returns nonsense, if they were not made by `FactPacker`. */
export function unpackFacts(packed: PackedFacts): Facts {
  return { [Symbol.iterator]: () => unpacked(packed) };
}

function* unpacked({ chunks }: PackedFacts): Generator<readonly [string, ReplayFact]> {
  const names = new NameList(chunks);
  for (const chunk of chunks) yield* new FactUnpacker(chunk, names).all();
}

/** The names of all chunks. */
export class NameList {
  readonly #chunks: readonly FactChunk[];
  /** The first name of each chunk. */
  readonly #firsts: readonly number[];
  /** How many there are. */
  readonly #count: number;
  /** By number. Created on demand: a list that grows leaves much behind. */
  #made: (string | undefined)[] | undefined;
  /** The chunk of the last name: the next one is mostly there, too. */
  #which = 0;

  constructor(chunks: readonly FactChunk[]) {
    this.#chunks = chunks;
    let first = 0;
    this.#firsts = chunks.map(({ names }) => {
      first += names.length / Layout.NAME_WORDS;
      return first - names.length / Layout.NAME_WORDS;
    });
    this.#count = first;
  }

  /** Undefined for `ABSENT`. */
  get(name: number): string | undefined {
    if (name < 0) return undefined;
    this.#made ??= new Array<string | undefined>(this.#count);
    const known = this.#made[name];
    if (known !== undefined) return known;
    const firsts = this.#firsts;
    const isThere = (firsts[this.#which] ?? 0) <= name && name < (firsts[this.#which + 1] ?? Number.POSITIVE_INFINITY);
    if (!isThere) this.#which = firsts.findLastIndex(first => first <= name);
    const { names, text } = this.#chunks[this.#which] as FactChunk;
    const at = (name - (firsts[this.#which] as number)) * Layout.NAME_WORDS;
    const start = names[at + Layout.NAME_START] as number;
    const made = text.slice(start, start + (names[at + Layout.NAME_CHARS] as number));
    this.#made[name] = made;
    return made;
  }
}

class FactUnpacker {
  readonly #numbers: Float64Array;
  readonly #lines: LineTable;
  readonly #names: NameList;
  #at = 0;
  #line = 0;

  constructor({ numbers, lines }: FactChunk, names: NameList) {
    this.#numbers = numbers;
    this.#lines = lines;
    this.#names = names;
  }

  *all(): Generator<readonly [string, ReplayFact]> {
    while (this.#at < this.#numbers.length) yield [this.#text() ?? "", this.#fact()];
  }

  #fact(): ReplayFact {
    const code = this.#number();
    const place: Place = { line: this.#number(), offset: this.#number(), at: this.#text() ?? null };
    switch (code) {
      case Layout.RESULT:
        return this.#result(place);
      case Layout.CALL:
        return this.#call(place);
      case Layout.REQUEST:
        return this.#request(place);
      case Layout.BOUNDARY:
        return this.#boundary(place);
      case Layout.CLEAR:
        return this.#clear(place);
      case Layout.REWIND:
        return { fact: "rewind", ...place, toLine: this.#number() };
      case Layout.BRANCH:
        return { fact: "branch", ...place, call: this.#number(), from: this.#number() };
      case Layout.EXPLANATION:
        return { fact: "explanation", ...place, chars: this.#number() };
      case Layout.ANSWER:
        return { fact: "answer", ...place, output: this.#number() };
      default:
        throw new Error("not a fact");
    }
  }

  /** One statement for each member, in the order of writing: most logs are done before V8 optimizes this. */
  #result({ line, offset, at }: Place): Digest {
    // Skips the time in seconds.
    this.#at++;
    const flags = this.#number();
    const kind = KINDS[this.#number()] ?? "other";
    const id = this.#text() ?? "";
    const uuid = this.#text() ?? "";
    const tool = this.#text() ?? "";
    const path = this.#text();
    const target = this.#text() ?? "";
    const fingerprint = this.#text();
    const callOffset = this.#number();
    const callLine = this.#number();
    const bytes = this.#number();
    const chars = this.#number();
    const copyHash = [this.#number(), this.#number()] as const;
    const lines = this.#table();
    const range = flags & Layout.HAS_RANGE ? ([this.#number(), this.#number()] as const) : undefined;
    const hints = flags & Layout.HAS_HINTS ? this.#hints() : NO_HINTS;
    const numbered = flags & Layout.IS_NUMBERED ? this.#numbered() : undefined;
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
      error: (flags & Layout.IS_ERROR) !== 0,
      native: (flags & Layout.IS_NATIVE) !== 0,
      bytes,
      chars,
      text: (flags & Layout.IS_TEXT) !== 0,
      fingerprint,
      hints,
      hooked: numbered ? { numbered } : flags & Layout.IS_HOOKED ? AS_IT_IS : undefined,
      lines,
      isListing: (flags & Layout.IS_LISTING) !== 0,
      copyHash,
      body: undefined,
    };
  }

  #hints(): LiveHint[] {
    const hints: LiveHint[] = [];
    for (let left = this.#number(); left > 0; left--) {
      const kind = HINT_KINDS[this.#number()] ?? "whole";
      const id = this.#text() ?? "";
      const input = this.#text();
      const from = this.#number();
      const to = this.#number();
      const renumberedFrom = this.#count();
      const numberedFrom = this.#count();
      hints.push({ kind, id, input, from, to, renumberedFrom, numberedFrom, chars: this.#number() });
    }
    return hints;
  }

  #numbered(): NumberedLines {
    const begin = this.#number();
    const end = this.#number();
    const hasTabs = this.#number() === 1;
    const keptBytes = this.#number();
    return { begin, end, hasTabs, keptBytes, prefix: this.#text() ?? "" };
  }

  #call({ line, offset, at }: Place): CallDigest {
    const id = this.#text() ?? "";
    const tool = this.#text() ?? "";
    const target = this.#text() ?? "";
    const uuid = this.#text() ?? "";
    const callLine = this.#number();
    const inputs: CallDigest["inputs"][number][] = [];
    for (let left = this.#number(); left > 0; left--) {
      const key = this.#text() ?? "";
      const chars = this.#number();
      inputs.push({ key, chars, lines: this.#table() ?? NO_LINES });
    }
    return { fact: "call", line, offset, at, id, tool, target, uuid, callLine, inputs };
  }

  #request({ line, offset, at }: Place): RequestFact {
    this.#at++;
    const continued = this.#number() === 1;
    const model = this.#text() ?? "";
    const input = this.#number();
    const written5m = this.#number();
    const written1h = this.#number();
    const cacheRead = this.#number();
    const output = this.#number();
    return { fact: "request", line, offset, at, continued, model, input, written5m, written1h, cacheRead, output };
  }

  #boundary(place: Place): BoundaryFact {
    const trigger = this.#text();
    const preTokens = this.#tokens();
    const postTokens = this.#tokens();
    const preserved = this.#texts(this.#number());
    // Their lines are for the kernel.
    const lines = this.#number();
    this.#at += lines;
    return { fact: "boundary", ...place, trigger, preTokens, postTokens, preserved };
  }

  #clear(place: Place): ClearFact {
    const by = CLEARED_BY[this.#number()] ?? "microcompact";
    const count = this.#number();
    return { fact: "clear", ...place, by, ids: count === Layout.ABSENT ? "all" : this.#texts(count) };
  }

  #texts(count: number): string[] {
    return Array.from({ length: count }, () => this.#text() ?? "");
  }

  #number(): number {
    const number = this.#numbers[this.#at++];
    if (number === undefined) throw new Error("the facts end too early");
    return number;
  }

  #count(): number | undefined {
    const count = this.#number();
    return count === Layout.ABSENT ? undefined : count;
  }

  #tokens(): number | undefined {
    const tokens = this.#number();
    return Number.isNaN(tokens) ? undefined : tokens;
  }

  #text(): string | undefined {
    return this.#names.get(this.#number());
  }

  #table(): LineTable | undefined {
    const length = this.#number();
    if (length === Layout.ABSENT) return undefined;
    const from = this.#line;
    this.#line += length;
    return this.#lines.subarray(from, this.#line);
  }
}

const NO_HINTS: Digest["hints"] = [];
const AS_IT_IS: NonNullable<Digest["hooked"]> = {};
const NO_LINES: LineTable = new Uint32Array();

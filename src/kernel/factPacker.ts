import type { CallDigest, Digest, ReplayFact } from "../dedup/digest.js";
import type { LineTable } from "../dedup/runs/lines.js";
import type { LiveHint } from "../dedup/runs/runHints.js";
import { type BoundaryFact, CLEARED_BY, type ClearFact, type Place, type RequestFact } from "../log/facts.js";
import * as Layout from "./layout.js";
import { NameMaps, type NameTable } from "./nameTable.js";
import { arePacked, type FactChunk, HINT_KINDS, KINDS, type PackedFacts } from "./packedFacts.js";

/** The minimum of free numbers before a fact is written: no part of one is longer, except lists. */
const MARGIN = 64;
/** A chunk with more is full. */
const MANY_NUMBERS = 1 << 15;
const MANY_CELLS = 1 << 18;
/** The first room for them; of most logs that are read, nothing is packed here. */
const FEW_NUMBERS = 1 << 10;
const FEW_CELLS = 1 << 12;
const NO_NUMBERS = new Float64Array();
const NO_CELLS = new Uint32Array();

/** Texts of results are omitted: `LogCache` says what needs them. */
export function packFacts(facts: PackedFacts | Iterable<readonly [context: string, fact: ReplayFact]>): PackedFacts {
  if (arePacked(facts)) return facts;
  const packer = new ChunkPacker();
  const chunks: FactChunk[] = [];
  for (const [context, fact] of facts) {
    packer.add(context, fact);
    if (packer.isFull) chunks.push(packer.chunk());
  }
  return { chunks: [...chunks, packer.chunk()] };
}

/** Packs facts into chunks that can be kept. */
export class ChunkPacker {
  readonly #names: NameMaps;
  readonly #facts: FactPacker;

  /** `before`: facts of the same log that were packed before. */
  constructor(keepAll = true, before?: PackedFacts) {
    this.#names = new NameMaps(keepAll, before);
    this.#facts = new FactPacker(this.#names);
  }

  add(context: string, fact: ReplayFact): void {
    this.#facts.add(context, fact);
  }

  /** Whether there is enough for a chunk. */
  get isFull(): boolean {
    return this.#facts.isFull;
  }

  /** The name with this number. */
  nameOf(name: number): string | undefined {
    return this.#names.nameOf(name);
  }

  /** What was added since the last chunk. */
  chunk(): FactChunk {
    const { numbers, lines } = this.#facts.chunk();
    return { numbers: numbers.slice(), lines: lines.slice(), ...this.#names.chunk() };
  }
}

/** Turns facts into numbers: see `FactChunk`. */
export class FactPacker {
  readonly #names: NameTable;
  #numbers = NO_NUMBERS;
  #at = 0;
  #lines: LineTable = NO_CELLS;
  #cells = 0;
  /** Successive facts often have the same context. */
  #context = "";
  #contextName = Layout.ABSENT;

  constructor(names: NameTable) {
    this.#names = names;
  }

  /** Whether there is enough for a chunk. */
  get isFull(): boolean {
    return this.#at > MANY_NUMBERS || this.#cells > MANY_CELLS;
  }

  /** What was added since the last chunk, valid until more is added. */
  chunk(): Pick<FactChunk, "numbers" | "lines"> {
    const chunk = { numbers: this.#numbers.subarray(0, this.#at), lines: this.#lines.subarray(0, this.#cells) };
    this.#at = this.#cells = 0;
    return chunk;
  }

  add(context: string, fact: ReplayFact): void {
    this.#reserve(MARGIN);
    if (context !== this.#context || this.#contextName < 0) {
      this.#context = context;
      this.#contextName = this.#names.text(context);
    }
    this.#numbers[this.#at++] = this.#contextName;
    switch (fact.fact) {
      case "result":
        return this.#result(fact);
      case "call":
        return this.#call(fact);
      case "request":
        return this.#request(fact);
      case "boundary":
        return this.#boundary(fact);
      case "clear":
        return this.#clear(fact);
      case "rewind":
        this.#place(Layout.REWIND, fact);
        this.#numbers[this.#at++] = fact.toLine;
        return;
      case "branch":
        this.#place(Layout.BRANCH, fact);
        this.#numbers[this.#at++] = fact.call;
        this.#numbers[this.#at++] = fact.from;
        return;
      case "explanation":
        this.#place(Layout.EXPLANATION, fact);
        this.#numbers[this.#at++] = fact.chars;
        return;
      case "answer":
        this.#place(Layout.ANSWER, fact);
        this.#numbers[this.#at++] = fact.output;
        return;
      default:
        fact satisfies never;
    }
  }

  #place(code: number, { line, offset, at }: Place): void {
    const numbers = this.#numbers;
    numbers[this.#at++] = code;
    numbers[this.#at++] = line;
    numbers[this.#at++] = offset;
    numbers[this.#at++] = this.#names.time(at);
  }

  #result(result: Digest): void {
    const { error, native, text, isListing, path, fingerprint, range, hints, hooked, copyHash } = result;
    const numbered = hooked?.numbered;
    this.#place(Layout.RESULT, result);
    const numbers = this.#numbers;
    numbers[this.#at++] = secondsOf(result.at);
    numbers[this.#at++] =
      (error ? Layout.IS_ERROR : 0) |
      (native ? Layout.IS_NATIVE : 0) |
      (text ? Layout.IS_TEXT : 0) |
      (isListing ? Layout.IS_LISTING : 0) |
      (range ? Layout.HAS_RANGE : 0) |
      (hints.length > 0 ? Layout.HAS_HINTS : 0) |
      (hooked ? Layout.IS_HOOKED : 0) |
      (numbered ? Layout.IS_NUMBERED : 0);
    numbers[this.#at++] = KINDS.indexOf(result.kind);
    numbers[this.#at++] = this.#names.name(result.id);
    numbers[this.#at++] = this.#names.uuid(result.uuid);
    this.#names.addResult(result.uuid, result.line);
    numbers[this.#at++] = this.#names.name(result.tool);
    numbers[this.#at++] = path === undefined ? Layout.ABSENT : this.#names.text(path);
    numbers[this.#at++] = this.#names.name(result.target);
    numbers[this.#at++] = fingerprint === undefined ? Layout.ABSENT : this.#names.text(fingerprint);
    numbers[this.#at++] = result.callOffset;
    numbers[this.#at++] = result.callLine;
    numbers[this.#at++] = result.bytes;
    numbers[this.#at++] = result.chars;
    numbers[this.#at++] = copyHash[0];
    numbers[this.#at++] = copyHash[1];
    this.#table(result.lines);
    if (range) {
      numbers[this.#at++] = range[0];
      numbers[this.#at++] = range[1];
    }
    if (hints.length > 0) this.#hints(hints);
    if (numbered === undefined) return;
    this.#reserve(MARGIN);
    this.#numbers[this.#at++] = numbered.begin;
    this.#numbers[this.#at++] = numbered.end;
    this.#numbers[this.#at++] = +numbered.hasTabs;
    this.#numbers[this.#at++] = numbered.keptBytes;
    this.#numbers[this.#at++] = this.#names.text(numbered.prefix);
  }

  #hints(hints: readonly LiveHint[]): void {
    this.#numbers[this.#at++] = hints.length;
    for (const { kind, id, input, from, to, renumberedFrom, numberedFrom, chars } of hints) {
      this.#reserve(MARGIN);
      const numbers = this.#numbers;
      numbers[this.#at++] = HINT_KINDS.indexOf(kind);
      numbers[this.#at++] = this.#names.name(id);
      numbers[this.#at++] = input === undefined ? Layout.ABSENT : this.#names.name(input);
      numbers[this.#at++] = from;
      numbers[this.#at++] = to;
      numbers[this.#at++] = renumberedFrom ?? Layout.ABSENT;
      numbers[this.#at++] = numberedFrom ?? Layout.ABSENT;
      numbers[this.#at++] = chars;
    }
  }

  #call(call: CallDigest): void {
    this.#place(Layout.CALL, call);
    const numbers = this.#numbers;
    numbers[this.#at++] = this.#names.name(call.id);
    numbers[this.#at++] = this.#names.name(call.tool);
    numbers[this.#at++] = this.#names.name(call.target);
    numbers[this.#at++] = this.#names.uuid(call.uuid);
    numbers[this.#at++] = call.callLine;
    numbers[this.#at++] = call.inputs.length;
    for (const { key, lines, chars } of call.inputs) {
      this.#reserve(MARGIN);
      this.#numbers[this.#at++] = this.#names.name(key);
      this.#numbers[this.#at++] = chars;
      this.#table(lines);
    }
  }

  #request(request: RequestFact): void {
    this.#place(Layout.REQUEST, request);
    const numbers = this.#numbers;
    numbers[this.#at++] = secondsOf(request.at);
    numbers[this.#at++] = request.continued ? 1 : 0;
    numbers[this.#at++] = this.#names.text(request.model);
    numbers[this.#at++] = request.input;
    numbers[this.#at++] = request.written5m;
    numbers[this.#at++] = request.written1h;
    numbers[this.#at++] = request.cacheRead;
    numbers[this.#at++] = request.output;
  }

  #boundary(boundary: BoundaryFact): void {
    const { trigger, preTokens, postTokens, preserved } = boundary;
    this.#place(Layout.BOUNDARY, boundary);
    this.#numbers[this.#at++] = trigger === undefined ? Layout.ABSENT : this.#names.text(trigger);
    this.#numbers[this.#at++] = preTokens ?? Number.NaN;
    this.#numbers[this.#at++] = postTokens ?? Number.NaN;
    this.#numbers[this.#at++] = preserved.length;
    this.#reserve(preserved.length + MARGIN);
    for (const uuid of preserved) this.#numbers[this.#at++] = this.#names.uuid(uuid);
    const lines = this.#names.linesWith(preserved);
    this.#reserve(lines.length + MARGIN);
    this.#numbers[this.#at++] = lines.length;
    for (const line of lines) this.#numbers[this.#at++] = line;
  }

  #clear(clear: ClearFact): void {
    const { by, ids } = clear;
    this.#place(Layout.CLEAR, clear);
    this.#numbers[this.#at++] = CLEARED_BY.indexOf(by);
    this.#numbers[this.#at++] = ids === "all" ? Layout.ABSENT : ids.length;
    if (ids === "all") return;
    this.#reserve(ids.length + MARGIN);
    for (const id of ids) this.#numbers[this.#at++] = this.#names.name(id);
  }

  #table(lines: LineTable | undefined): void {
    this.#numbers[this.#at++] = lines?.length ?? Layout.ABSENT;
    if (lines === undefined) return;
    const end = this.#cells + lines.length;
    if (end > this.#lines.length)
      this.#lines = enlarged(this.#lines, new Uint32Array(Math.max(FEW_CELLS, end, 2 * this.#lines.length)));
    this.#lines.set(lines, this.#cells);
    this.#cells = end;
  }

  #reserve(count: number): void {
    const length = this.#at + count;
    if (length <= this.#numbers.length) return;
    this.#numbers = enlarged(this.#numbers, new Float64Array(Math.max(FEW_NUMBERS, length, 2 * this.#numbers.length)));
  }
}

/** Since 1970; 0 if the line has no time. */
function secondsOf(at: string | null): number {
  return at === null ? 0 : Math.floor(Date.parse(at) / 1000) || 0;
}

function enlarged<T extends Float64Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

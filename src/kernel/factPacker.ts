import type { CallDigest, Digest, ReplayFact } from "../dedup/digest.js";
import type { LiveHint } from "../dedup/runs/hints.js";
import { isPlain } from "../dedup/runs/index.js";
import type { LineTable } from "../dedup/runs/lines.js";
import { utf8Length } from "../log/bytes.js";
import type { BoundaryFact, ClearFact, Place, RequestFact } from "../log/facts.js";
import { isShell } from "../log/tools.js";
import * as Layout from "./layout.js";
import {
  arePacked,
  CLEARED_BY,
  type FactChunk,
  HINT_KINDS,
  KINDS,
  NameList,
  type PackedFacts,
  unpackFacts,
} from "./packedFacts.js";

/** At least so many numbers are free before a fact is written: no part of one is longer, apart from lists. */
const MARGIN = 64;
/** A chunk with more is given to whoever takes it. */
const MANY_NUMBERS = 1 << 15;
const MANY_CELLS = 1 << 18;

/** Texts of results are left out: `LogCache` says who needs them. */
export function packFacts(facts: PackedFacts | Iterable<readonly [context: string, fact: ReplayFact]>): PackedFacts {
  if (arePacked(facts)) return facts;
  const packer = new FactPacker();
  const chunks: FactChunk[] = [];
  for (const [context, fact] of facts) {
    packer.add(context, fact);
    if (packer.isFull) chunks.push(packer.chunk());
  }
  return { chunks: [...chunks, packer.chunk()] };
}

export interface PackerOptions {
  /** False where only the kernel is given the facts: what it does not need is left out. */
  readonly keepAll?: boolean;
  /** Facts of the same log that were packed before. */
  readonly before?: PackedFacts | undefined;
}

/** Makes numbers of facts: see `FactChunk`. */
export class FactPacker {
  readonly #keepAll: boolean;
  #before: PackedFacts | undefined;
  #numbers = new Float64Array(1 << 10);
  #at = 0;
  #lines: LineTable = new Uint32Array(1 << 12);
  #cells = 0;
  #names = new Uint32Array(1 << 10);
  #words = 0;
  /** New names, and how many characters they have. */
  #fresh: string[] = [];
  #chars = 0;
  readonly #all: string[] = [];
  /** Of what hints name, more is known than of other texts. */
  readonly #known = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  /** The lines of results by their uuids, and the newest ones, which are entered there when somebody asks. */
  readonly #linesOf = new Map<string, number[]>();
  #newUuids: string[] = [];
  #newLines: number[] = [];
  /** Several facts come from the same context, and from the same line. */
  #context = "";
  #contextName = Layout.ABSENT;
  #time: string | null = null;
  #timeName = Layout.ABSENT;

  constructor({ keepAll = true, before }: PackerOptions = {}) {
    this.#keepAll = keepAll;
    this.#before = before;
    for (const chunk of before?.chunks ?? []) this.#recall(chunk);
  }

  /** The name with this number. */
  readonly nameOf = (name: number): string | undefined => this.#all[name];

  /** Whether there is enough for a chunk. */
  get isFull(): boolean {
    return this.#at > MANY_NUMBERS || this.#cells > MANY_CELLS;
  }

  /** What was added since the last chunk. What is not to be kept is only valid until more is added. */
  chunk(): FactChunk {
    const isKept = this.#keepAll;
    const numbers = isKept ? this.#numbers.slice(0, this.#at) : this.#numbers.subarray(0, this.#at);
    const lines = isKept ? this.#lines.slice(0, this.#cells) : this.#lines.subarray(0, this.#cells);
    const names = isKept ? this.#names.slice(0, this.#words) : this.#names.subarray(0, this.#words);
    const text = isKept ? this.#fresh.join("") : "";
    this.#at = this.#cells = this.#words = this.#chars = 0;
    this.#fresh = [];
    return { numbers, lines, names, text };
  }

  add(context: string, fact: ReplayFact): void {
    this.#reserve(MARGIN);
    if (context !== this.#context || this.#contextName < 0) {
      this.#context = context;
      this.#contextName = this.#text(context);
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
    if (at !== this.#time) this.#setTime(at);
    const numbers = this.#numbers;
    numbers[this.#at++] = code;
    numbers[this.#at++] = line;
    numbers[this.#at++] = offset;
    numbers[this.#at++] = this.#timeName;
  }

  /** Hardly two lines have the same time: looking for it would be in vain. */
  #setTime(at: string | null): void {
    this.#time = at;
    this.#timeName = at === null || !this.#keepAll ? Layout.ABSENT : this.#add(at, 0);
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
    numbers[this.#at++] = this.#name(result.id);
    numbers[this.#at++] = this.#uuid(result.uuid);
    this.#newUuids.push(result.uuid);
    this.#newLines.push(result.line);
    numbers[this.#at++] = this.#name(result.tool);
    numbers[this.#at++] = path === undefined ? Layout.ABSENT : this.#text(path);
    numbers[this.#at++] = this.#name(result.target);
    numbers[this.#at++] = fingerprint === undefined ? Layout.ABSENT : this.#text(fingerprint);
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
    this.#numbers[this.#at++] = numbered.first;
    this.#numbers[this.#at++] = numbered.keptBytes;
    this.#numbers[this.#at++] = this.#text(numbered.prefix);
  }

  #hints(hints: readonly LiveHint[]): void {
    this.#numbers[this.#at++] = hints.length;
    for (const { kind, id, input, from, to, renumberedFrom, numberedFrom, chars } of hints) {
      this.#reserve(MARGIN);
      const numbers = this.#numbers;
      numbers[this.#at++] = HINT_KINDS.indexOf(kind);
      numbers[this.#at++] = this.#name(id);
      numbers[this.#at++] = input === undefined ? Layout.ABSENT : this.#name(input);
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
    numbers[this.#at++] = this.#name(call.id);
    numbers[this.#at++] = this.#name(call.tool);
    numbers[this.#at++] = this.#name(call.target);
    numbers[this.#at++] = this.#uuid(call.uuid);
    numbers[this.#at++] = call.callLine;
    numbers[this.#at++] = call.inputs.length;
    for (const { key, lines, chars } of call.inputs) {
      this.#reserve(MARGIN);
      this.#numbers[this.#at++] = this.#name(key);
      this.#numbers[this.#at++] = chars;
      this.#table(lines);
    }
  }

  #request(request: RequestFact): void {
    this.#place(Layout.REQUEST, request);
    const numbers = this.#numbers;
    numbers[this.#at++] = secondsOf(request.at);
    numbers[this.#at++] = request.continued ? 1 : 0;
    numbers[this.#at++] = this.#text(request.model);
    numbers[this.#at++] = request.input;
    numbers[this.#at++] = request.written5m;
    numbers[this.#at++] = request.written1h;
    numbers[this.#at++] = request.cacheRead;
    numbers[this.#at++] = request.output;
  }

  #boundary(boundary: BoundaryFact): void {
    const { trigger, preTokens, postTokens, preserved } = boundary;
    this.#place(Layout.BOUNDARY, boundary);
    this.#numbers[this.#at++] = trigger === undefined ? Layout.ABSENT : this.#text(trigger);
    this.#numbers[this.#at++] = preTokens ?? Number.NaN;
    this.#numbers[this.#at++] = postTokens ?? Number.NaN;
    this.#numbers[this.#at++] = preserved.length;
    this.#reserve(preserved.length + MARGIN);
    for (const uuid of preserved) this.#numbers[this.#at++] = this.#uuid(uuid);
    const lines = this.#linesWith(preserved);
    this.#reserve(lines.length + MARGIN);
    this.#numbers[this.#at++] = lines.length;
    for (const line of lines) this.#numbers[this.#at++] = line;
  }

  /** The lines of results with these uuids. */
  #linesWith(uuids: readonly string[]): number[] {
    for (const [, fact] of this.#before ? unpackFacts(this.#before) : []) {
      if (fact.fact !== "result") continue;
      this.#newUuids.push(fact.uuid);
      this.#newLines.push(fact.line);
    }
    this.#before = undefined;
    for (const [index, uuid] of this.#newUuids.entries()) {
      const line = this.#newLines[index] as number;
      const known = this.#linesOf.get(uuid);
      if (known === undefined) this.#linesOf.set(uuid, [line]);
      else if (known.at(-1) !== line) known.push(line);
    }
    this.#newUuids = [];
    this.#newLines = [];
    return uuids.flatMap(uuid => this.#linesOf.get(uuid) ?? []);
  }

  #clear(clear: ClearFact): void {
    const { by, ids } = clear;
    this.#place(Layout.CLEAR, clear);
    this.#numbers[this.#at++] = CLEARED_BY.indexOf(by);
    this.#numbers[this.#at++] = ids === "all" ? Layout.ABSENT : ids.length;
    if (ids === "all") return;
    this.#reserve(ids.length + MARGIN);
    for (const id of ids) this.#numbers[this.#at++] = this.#name(id);
  }

  #table(lines: LineTable | undefined): void {
    this.#numbers[this.#at++] = lines?.length ?? Layout.ABSENT;
    if (lines === undefined) return;
    const end = this.#cells + lines.length;
    if (end > this.#lines.length)
      this.#lines = enlarged(this.#lines, new Uint32Array(Math.max(end, 2 * this.#lines.length)));
    this.#lines.set(lines, this.#cells);
    this.#cells = end;
  }

  /** What a hint may name: an id, a tool, a target or a member of an input. */
  #name(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isFit = isPlain(text);
    const bytes = isFit ? text.length : utf8Length(text);
    const flags = Layout.IS_NAME | (isFit ? Layout.IS_PLAIN : 0) | (isShell(text) ? Layout.IS_SHELL : 0);
    const name = this.#add(text, (bytes << Layout.NAME_FLAG_BITS) | flags);
    this.#known.set(text, name);
    return name;
  }

  /** Anything else. */
  #text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const name = this.#add(text, 0);
    this.#texts.set(text, name);
    return name;
  }

  /** Hardly two lines have the same uuid, either. */
  #uuid(uuid: string): number {
    return this.#keepAll ? this.#add(uuid, 0) : Layout.ABSENT;
  }

  #add(text: string, bytes: number): number {
    if (this.#words + Layout.NAME_WORDS > this.#names.length) {
      this.#names = enlarged(this.#names, new Uint32Array(2 * this.#names.length));
    }
    this.#names[this.#words + Layout.NAME_START] = this.#chars;
    this.#names[this.#words + Layout.NAME_CHARS] = text.length;
    this.#names[this.#words + Layout.NAME_BYTES] = bytes;
    this.#words += Layout.NAME_WORDS;
    this.#chars += text.length;
    this.#fresh.push(text);
    return this.#all.push(text) - 1;
  }

  /** Takes in the names of an earlier chunk. Those of which more is known are the ones that hints may name. */
  #recall(chunk: FactChunk): void {
    const names = new NameList([chunk]);
    for (let at = 0; at < chunk.names.length; at += Layout.NAME_WORDS) {
      const text = names.get(at / Layout.NAME_WORDS) ?? "";
      const isName = ((chunk.names[at + Layout.NAME_BYTES] as number) & Layout.IS_NAME) !== 0;
      (isName ? this.#known : this.#texts).set(text, this.#all.push(text) - 1);
    }
  }

  #reserve(count: number): void {
    const length = this.#at + count;
    if (length <= this.#numbers.length) return;
    this.#numbers = enlarged(this.#numbers, new Float64Array(Math.max(length, 2 * this.#numbers.length)));
  }
}

/** Since 1970; 0 where the line does not say. */
function secondsOf(at: string | null): number {
  return at === null ? 0 : Math.floor(Date.parse(at) / 1000) || 0;
}

function enlarged<T extends Float64Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

import { isPlain } from "../dedup/runs/runIndex.js";
import { utf8Length } from "../log/bytes.js";
import { isShell } from "../log/tools.js";
import * as Layout from "./layout.js";
import { type FactChunk, NameList, type PackedFacts, unpackFacts } from "./packedFacts.js";

/** The numbers of the names in facts. */
export interface NameTable {
  /** A name that a hint may use: an id, a tool, a target or a member of an input. */
  name(text: string): number;
  /** Any other name. */
  text(text: string): number;
  /** The time of a fact: times are hardly ever repeated, except by facts from the same line. */
  time(at: string | null): number;
  /** Uuids are hardly ever repeated, either. */
  uuid(uuid: string): number;
  /** A result has this uuid, and this line. */
  addResult(uuid: string, line: number): void;
  /** The lines of results with these uuids. */
  linesWith(uuids: readonly string[]): number[];
}

/** The lines of results by their uuids. */
class ResultLines {
  /** Uuids are hardly ever repeated: a list for each would take more memory than all the rest. */
  readonly #lines = new Map<string, number | number[]>();

  add(uuid: string, line: number): void {
    const known = this.#lines.get(uuid);
    if (known === undefined) this.#lines.set(uuid, line);
    else if (typeof known === "number") {
      if (known !== line) this.#lines.set(uuid, [known, line]);
    } else if (known.at(-1) !== line) known.push(line);
  }

  with(uuids: readonly string[]): number[] {
    return uuids.flatMap(uuid => this.#lines.get(uuid) ?? []);
  }
}

/** Names in JavaScript's memory. */
export class NameMaps implements NameTable {
  readonly #keepAll: boolean;
  #before: PackedFacts | undefined;
  #words = new Uint32Array(1 << 10);
  #used = 0;
  /** New names, and their total length. */
  #fresh: string[] = [];
  #chars = 0;
  readonly #all: string[] = [];
  /** More is known about names for hints than about other texts. */
  readonly #known = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  /** The newest results are added there on demand. */
  readonly #lines = new ResultLines();
  #newUuids: string[] = [];
  #newLines: number[] = [];
  #time: string | null = null;
  #timeName = Layout.ABSENT;

  constructor(keepAll: boolean, before: PackedFacts | undefined) {
    this.#keepAll = keepAll;
    this.#before = before;
    for (const chunk of before?.chunks ?? []) this.#recall(chunk);
  }

  /** The name with this number. */
  readonly nameOf = (name: number): string | undefined => this.#all[name];

  /** What was added since the last chunk. Unless everything is kept, it is only valid until more is added. */
  chunk(): Pick<FactChunk, "names" | "text"> {
    const names = this.#keepAll ? this.#words.slice(0, this.#used) : this.#words.subarray(0, this.#used);
    const text = this.#keepAll ? this.#fresh.join("") : "";
    this.#used = this.#chars = 0;
    this.#fresh = [];
    return { names, text };
  }

  name(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isFit = isPlain(text);
    const bytes = isFit ? text.length : utf8Length(text);
    const flags = Layout.IS_NAME | (isFit ? Layout.IS_PLAIN : 0) | (isShell(text) ? Layout.IS_SHELL : 0);
    const name = this.#add(text, (bytes << Layout.NAME_FLAG_BITS) | flags);
    this.#known.set(text, name);
    return name;
  }

  text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const name = this.#add(text, 0);
    this.#texts.set(text, name);
    return name;
  }

  time(at: string | null): number {
    if (at !== this.#time) {
      this.#time = at;
      this.#timeName = at === null || !this.#keepAll ? Layout.ABSENT : this.#add(at, Layout.IS_UNSHARED);
    }
    return this.#timeName;
  }

  uuid(uuid: string): number {
    return this.#keepAll ? this.#add(uuid, Layout.IS_UNSHARED) : Layout.ABSENT;
  }

  addResult(uuid: string, line: number): void {
    this.#newUuids.push(uuid);
    this.#newLines.push(line);
  }

  linesWith(uuids: readonly string[]): number[] {
    for (const [, fact] of this.#before ? unpackFacts(this.#before) : []) {
      if (fact.fact === "result") this.addResult(fact.uuid, fact.line);
    }
    this.#before = undefined;
    for (const [index, uuid] of this.#newUuids.entries()) this.#lines.add(uuid, this.#newLines[index] as number);
    this.#newUuids = [];
    this.#newLines = [];
    return this.#lines.with(uuids);
  }

  #add(text: string, bytes: number): number {
    if (this.#used + Layout.NAME_WORDS > this.#words.length) {
      const larger = new Uint32Array(2 * this.#words.length);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#used + Layout.NAME_START] = this.#chars;
    this.#words[this.#used + Layout.NAME_CHARS] = text.length;
    this.#words[this.#used + Layout.NAME_BYTES] = bytes;
    this.#used += Layout.NAME_WORDS;
    this.#chars += text.length;
    this.#fresh.push(text);
    return this.#all.push(text) - 1;
  }

  /** Adds the names of an earlier chunk: each can be looked up as before, or not at all. */
  #recall(chunk: FactChunk): void {
    const names = new NameList([chunk]);
    for (let at = 0; at < chunk.names.length; at += Layout.NAME_WORDS) {
      const text = names.get(at / Layout.NAME_WORDS) ?? "";
      const name = this.#all.push(text) - 1;
      const flags = chunk.names[at + Layout.NAME_BYTES] as number;
      if ((flags & Layout.IS_UNSHARED) === 0) (flags & Layout.IS_NAME ? this.#known : this.#texts).set(text, name);
    }
  }
}

import { compileInvalidation, type DedupSettings } from "../dedup/settings.js";
import type { ContextData, HintedRow } from "../inspect/logData.js";
import { utf8Length } from "../log/bytes.js";
import { NO_HOST, type ReaderHost, startProgram } from "../scanner/program.js";
import { asNumbers } from "../settings/kinds.js";
import { REPLAY } from "../settings/table.js";
import * as Layout from "./layout.js";
import { marksOf, sourcesOf } from "./markReader.js";
import { type FactChunk, HINT_KINDS } from "./packedFacts.js";

/** What the compiled kernel exports (src/kernel/assembly/index.ts). */
interface Exports extends Readonly<Record<keyof DedupSettings, { value: number }>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(withSweep: number, withWays: number, withDetails: number): void;
  factsRoom(bytes: number): number;
  take(numbers: number, cells: number, names: number): void;
  takeRead(): void;
  contextCount(): number;
  describe(which: number): number;
}

/** The name with a number. */
type NameOf = (name: number) => string | undefined;

/** The texts that may be near others: only JSON objects, and only needed by the other strategies. */
export interface NearTexts {
  readonly isEmpty: boolean;
  has(context: string, fingerprint: string): boolean;
  /** The hint, without the call's id, if one of them is near the other; undefined otherwise. */
  hint(context: string, old: string, fresh: string): string | undefined;
}

/** Larger than any cache gets. */
const MAX_CAPACITY = 2 ** 30;
/** If a log needed more memory, it is freed afterwards. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

export interface KernelOptions {
  /** Set if all strategies are replayed. */
  readonly texts?: NearTexts | undefined;
  /** Also provide what is displayed besides figures. Only for caches of up to `MAX_DETAILED` results. */
  readonly withDetails?: boolean;
}

/** Larger caches do not keep the order of what is dropped. */
export const MAX_DETAILED = 64;

export class KernelFailure extends Error {}

/** The replay of a context, without anything that depends on the file. */
export type ContextFigures = Omit<ContextData, "file">;

/**
 * Replays the facts of one log at a time with a small program in WebAssembly, by the rules of src/dedup/replay.ts and
 * only for figures: its rows are identical.
 */
export class ReplayKernel {
  #exports: Exports;
  #buffer: ArrayBuffer;
  #words: Uint32Array<ArrayBuffer>;
  /** The number of logs begun. */
  #log = 0;
  #nameOf: NameOf = () => undefined;
  #texts: NearTexts | undefined;
  #staleAfter = compileInvalidation({});
  /** The settings of the last log, which the next one mostly shares, and what the program gets of them. */
  #settings: DedupSettings | undefined;
  #globals: readonly (readonly [name: keyof DedupSettings, value: number])[] = [];
  #host: ReaderHost = NO_HOST;
  /** What has yet to be made of the last log. */
  #unmade: (() => void) | undefined;

  constructor() {
    this.#exports = this.#start();
    this.#buffer = this.#exports.memory.buffer;
    this.#words = new Uint32Array(this.#buffer);
  }

  /** Whether it supports these settings. */
  static serves({ nearRef, door }: DedupSettings): boolean {
    return !nearRef && door === "mod";
  }

  /** Begins a log and returns its number: everything about the previous log is gone. */
  begin(
    settings: DedupSettings,
    withSweep: boolean,
    nameOf: NameOf,
    { texts, withDetails }: KernelOptions = {},
  ): number {
    this.#unmade?.();
    if (this.#buffer.byteLength > MAX_MEMORY_BYTES) this.#exports = this.#start();
    this.#nameOf = nameOf;
    this.#texts = texts;
    if (settings !== this.#settings) this.#translate(settings);
    for (const [name, value] of this.#globals) this.#exports[name].value = value;
    this.#exports.begin(withSweep ? 1 : 0, texts === undefined ? 0 : 1, withDetails ? 1 : 0);
    this.#look();
    return ++this.#log;
  }

  #translate(settings: DedupSettings): void {
    const { capacity, invalidates } = settings;
    const size = Number.isNaN(capacity) ? 1 : Math.min(MAX_CAPACITY, Math.max(1, Math.floor(capacity)));
    const numbers = Object.entries(asNumbers(REPLAY, { ...settings, capacity: size }));
    this.#globals = numbers.map(([name, value]) => [name as keyof DedupSettings, value]);
    this.#staleAfter = compileInvalidation(invalidates);
    this.#settings = settings;
  }

  /** Fails with a `KernelFailure` if there is not enough memory: the log must be started over without the kernel. */
  take(log: number, chunk: FactChunk): void {
    this.#guard(log, () => this.#take(chunk));
  }

  /** The same for facts that the program has read itself. */
  takeRead(log: number): void {
    this.#guard(log, () => this.#exports.takeRead());
  }

  /** Reads the log with the program, which calls `host` for anything it cannot do; fails like `take`. */
  read<T>(log: number, host: ReaderHost, use: (exports: unknown) => T): T {
    this.#host = host;
    return this.#guard(log, () => use(this.#exports));
  }

  /** Derives something from the log that the program holds: on demand, or before the next log replaces it. */
  later<T>(log: number, make: () => T): () => T {
    this.#check(log);
    const made: { value?: T; make: (() => T) | undefined } = { make };
    const get = () => {
      if (made.make === undefined) return made.value as T;
      this.#unmade = undefined;
      made.value = made.make();
      made.make = undefined;
      return made.value;
    };
    this.#unmade = get;
    return get;
  }

  #guard<T>(log: number, use: () => T): T {
    this.#check(log);
    try {
      return use();
    } catch (error) {
      this.#exports = this.#start();
      throw new KernelFailure("the replay kernel failed", { cause: error });
    } finally {
      this.#look();
    }
  }

  #take({ numbers, lines, names }: FactChunk): void {
    const room = this.#exports.factsRoom(numbers.byteLength + lines.byteLength + names.byteLength);
    this.#look();
    new Float64Array(this.#buffer, room, numbers.length).set(numbers);
    const words = (room + numbers.byteLength) >>> 2;
    this.#words.set(lines, words);
    this.#words.set(names, words + lines.length);
    this.#exports.take(numbers.length, lines.length, names.length / Layout.NAME_WORDS);
  }

  /** By id, the contexts that have facts. */
  contexts(log: number): Map<string, ContextFigures> {
    this.#check(log);
    const contexts = new Map<string, ContextFigures>();
    for (let which = 0; which < this.#exports.contextCount(); which++) {
      const figures = this.#figures(this.#exports.describe(which) >>> 2);
      contexts.set(figures.id, figures);
    }
    return contexts;
  }

  /** By the id of the context, the byte offsets of each result's line and of its call's line, alternating. */
  offsets(log: number): Map<string, Float64Array> {
    this.#check(log);
    const offsets = new Map<string, Float64Array>();
    for (let which = 0; which < this.#exports.contextCount(); which++) {
      const at = this.#exports.describe(which) >>> 2;
      offsets.set(this.#name(this.#words[at + Layout.OUT_ID]), this.#numbers(at + Layout.OUT_OFFSETS).slice());
    }
    return offsets;
  }

  #figures(at: number): ContextFigures {
    const partitionRequests = [...this.#list(at + Layout.OUT_REQUESTS)];
    return {
      id: this.#name(this.#words[at + Layout.OUT_ID]),
      model: this.#name(this.#words[at + Layout.OUT_MODEL]),
      models: this.#names(at + Layout.OUT_MODELS),
      requests: partitionRequests.reduce((sum, requests) => sum + requests, 0),
      partitionRequests,
      requestCosts: this.#costs(at),
      tools: this.#names(at + Layout.OUT_TOOLS),
      files: this.#names(at + Layout.OUT_FILES),
      ids: this.#names(at + Layout.OUT_IDS),
      targets: this.#names(at + Layout.OUT_TARGETS),
      marks: marksOf(this.#numbers(at + Layout.OUT_MARKS), this.#nameOf),
      sources: sourcesOf(this.#list(at + Layout.OUT_SOURCES)),
      rows: this.#list(at + Layout.OUT_ROWS).slice(),
      sweep: this.#list(at + Layout.OUT_SWEEP).slice(),
      hinted: this.#hinted(this.#list(at + Layout.OUT_HINTED)),
      ...(this.#texts && {
        strategies: this.#list(at + Layout.OUT_WAYS).slice(),
        runSizes: this.#list(at + Layout.OUT_SIZES).slice(),
      }),
    };
  }

  #costs(at: number): number[][] {
    const starts = this.#list(at + Layout.OUT_COST_STARTS);
    const costs = this.#numbers(at + Layout.OUT_COSTS);
    return Array.from(starts, (start, partition) => {
      const numbers: number[] = [];
      // Spreading them takes twice as long.
      for (const number of costs.subarray(start, starts[partition + 1])) numbers.push(number);
      return numbers;
    });
  }

  #hinted(words: Uint32Array): HintedRow[] {
    const rows: HintedRow[] = [];
    for (let at = 0; at < words.length; at += Layout.HINTED_WORDS) {
      const kind = HINT_KINDS[words[at + Layout.HINTED_KIND] as number] ?? "whole";
      const row = words[at + Layout.HINTED_ROW] as number;
      rows.push({ row, kind, asked: words[at + Layout.HINTED_ASKED] === 1 });
    }
    return rows;
  }

  /** The list in the kernel's memory whose address and length are here. */
  #list(at: number): Uint32Array<ArrayBuffer> {
    const start = (this.#words[at] as number) >>> 2;
    return this.#words.subarray(start, start + (this.#words[at + 1] as number));
  }

  #numbers(at: number): Float64Array {
    return new Float64Array(this.#buffer, this.#words[at], this.#words[at + 1]);
  }

  #names(at: number): string[] {
    return Array.from(this.#list(at), name => this.#name(name));
  }

  /** "" if there is none. */
  #name(name: number | undefined): string {
    return this.#nameOf((name ?? Layout.ABSENT) | 0) ?? "";
  }

  #start(): Exports {
    const isStale = (tool: number, other: number) =>
      this.#staleAfter(this.#name(tool))?.(this.#name(other)) === true ? 1 : 0;
    const hasText = (context: number, fingerprint: number) => {
      // Most logs have none: then no name needs to be a string.
      if (this.#texts === undefined || this.#texts.isEmpty) return 0;
      return this.#texts.has(this.#name(context), this.#name(fingerprint)) ? 1 : 0;
    };
    const nearHint = (context: number, old: number, fresh: number) => {
      const hint = this.#texts?.hint(this.#name(context), this.#name(old), this.#name(fresh)) ?? "";
      return (hint.length << 8) | utf8Length(hint);
    };
    const host: ReaderHost = {
      fingerprint: (...numbers) => this.#host.fingerprint(...numbers),
      takeText: (...numbers) => this.#host.takeText(...numbers),
      pathOf: (...numbers) => this.#host.pathOf(...numbers),
      targetOf: (...numbers) => this.#host.targetOf(...numbers),
      cutLong: (...numbers) => this.#host.cutLong(...numbers),
      isListing: (...numbers) => this.#host.isListing(...numbers),
      hookedPart: (...numbers) => this.#host.hookedPart(...numbers),
    };
    return startProgram({ wrapper: { isStale, hasText, nearHint }, host }) as Exports;
  }

  #check(log: number): void {
    if (log !== this.#log) throw new Error("another log was begun before this one was finished");
  }

  /** Memory that has grown is in another buffer. */
  #look(): void {
    const { buffer } = this.#exports.memory;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#words = new Uint32Array(buffer);
  }
}

/** For a context without facts. `withWays`: all strategies are replayed. */
export function noFigures(id: string, withWays: boolean): ContextFigures {
  return {
    id,
    model: "",
    models: [],
    requests: 0,
    partitionRequests: [0],
    requestCosts: [[]],
    tools: [],
    files: [],
    ids: [],
    targets: [],
    marks: [],
    sources: [],
    rows: new Uint32Array(),
    sweep: new Uint32Array(),
    hinted: [],
    ...(withWays && { strategies: new Uint32Array(), runSizes: new Uint32Array() }),
  };
}

let kernel: ReplayKernel | undefined;
let isTried = false;

/** Frees the memory of this thread's kernel: no log will be replayed for now. */
export function forgetKernel(): void {
  kernel = undefined;
  isTried = false;
}

/** The kernel of this thread, for one log after another; undefined without WebAssembly. */
export function replayKernel(): ReplayKernel | undefined {
  if (!isTried) {
    isTried = true;
    try {
      kernel = new ReplayKernel();
    } catch {
      // No WebAssembly (`--jitless`, a hardened host), or no memory.
    }
  }
  return kernel;
}

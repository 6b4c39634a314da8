/**
 * What was learned from each log, kept in the user's cache folder so that the next start reads only what has changed. Two
 * files per log: its figures under the last settings, and its facts, which other settings leave untouched. The facts are
 * enough for any report without texts, so a changed setting costs a replay, but no look at the log. A damaged file, or
 * one of another version, is treated as missing.
 */
import { hash } from "node:crypto";
import { existsSync, fstatSync, lstatSync, mkdirSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { cacheFolder } from "../files/folders.js";
import { hasOnlyGrown, type LogIdentity } from "../files/identity.js";
import { withOpenFile } from "../files/openFile.js";
import { filesNamed, type Mark, type OwnFile, removeIfOurs } from "../files/ownFiles.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { LogData } from "../inspect/logData.js";
import { STRATEGY_LAYOUT } from "../inspect/strategyRows.js";
import { aligned, bytesOfFacts, type FactShape, factsOfBytes, shapeOf } from "../kernel/factBytes.js";
import { packFacts } from "../kernel/factPacker.js";
import type { PackedFacts } from "../kernel/packedFacts.js";
import type { SavedReader } from "../log/logReader.js";
import type { PipelineOptions, SavedLog } from "../pipeline/logPipeline.js";
import { LAYOUT, LEFT_BEHIND_MS } from "./keptFiles.js";

/** Incremented whenever the format, or the meaning of anything in it, changes; columns and outcomes are in the layout. */
const FORMAT = 13;
const MAGIC = Buffer.from(`dedup-inspector ${FORMAT} ${LAYOUT} node ${process.versions.modules}\n`.padEnd(48));
/** The magic bytes, then what the file is about, then the length and the checksum of each of its parts. */
const ABOUT_BYTES = 16;
const PARTS = 3;
const PART_BYTES = 16;
const HEADER_BYTES = MAGIC.length + ABOUT_BYTES + PARTS * PART_BYTES;
/** Its time is when the folder was last tidied: checking thousands of files would dominate a warm start. */
const TIDIED = "tidied";
/** Files of all versions. */
const MARK: Mark = { name: new RegExp(`^(?:[0-9a-f]{32}\\.(?:log|facts)|${TIDIED})$`), begins: /^dedup-inspector / };
const KEEP_DAYS = 90;
/** Facts take a tenth to a fifth of their log: enough for some twenty gigabytes of logs. */
const MAX_BYTES = 4 * 2 ** 30;
const HOUR_MS = 3_600_000;

/** What figures are about: the first part of their file. */
interface FiguresHead {
  readonly path: string;
  readonly identity: LogIdentity;
  /** The settings under which they were computed. */
  readonly settings: string;
  /** The same for the strategies; undefined if they were not asked for. */
  readonly strategies: string | undefined;
}

/**
 * The first part of a file of facts. With the second, the bytes of the facts, it is enough to replay a log that is as it was.
 * The third is the reader's whole state.
 */
interface FactsHead {
  readonly path: string;
  readonly identity: LogIdentity;
  readonly reader: SavedReader;
  readonly shape: FactShape;
}

/** What such a file tells of a log. */
interface Facts extends Omit<FactsHead, "shape"> {
  readonly packed: PackedFacts;
  readonly header: Buffer;
}

/** What the cache knows of a log that is still the one that was read, or has only grown. */
export interface RecalledLog {
  readonly identity: LogIdentity;
  /** The log's data; undefined if it has grown, or was replayed under other settings. */
  readonly data: LogData | undefined;
  /** Enough to replay a log that is as it was, under any settings; undefined if it has grown. */
  unchanged(): SavedLog | undefined;
  /** The same, and enough to go on reading where the log ended. */
  resumable(): SavedLog | undefined;
}

export interface ReadLog {
  readonly identity: LogIdentity;
  readonly options: PipelineOptions;
  readonly data: LogData;
  readonly facts: SavedLog;
}

export class LogCache {
  readonly folder: string;

  constructor(folder: string = cacheFolder()) {
    this.folder = folder;
  }

  /** In the user's cache folder; undefined if there is none, and nothing can be remembered. */
  static ofUser(): LogCache | undefined {
    try {
      return new LogCache();
    } catch {
      return undefined;
    }
  }

  /** Near-references compare texts, which the cache does not hold. */
  serves({ settings }: PipelineOptions): boolean {
    return !settings.nearRef;
  }

  /** `file`: the log, open. Undefined if nothing is known of it, or what is known is not to be trusted. */
  recall(file: number, path: string, options: PipelineOptions): RecalledLog | undefined {
    if (!this.serves(options)) return undefined;
    const figures = this.#figures(file, path, options);
    if (figures !== undefined)
      return { ...figures, unchanged: none, resumable: () => this.#factsOf(file, path)?.resumable() };
    return this.#factsOf(file, path);
  }

  #factsOf(file: number, path: string): RecalledLog | undefined {
    const known = this.#facts(resolve(path));
    if (known === undefined || !hasOnlyGrown(file, known.identity)) return undefined;
    const { identity, reader, packed: facts } = known;
    return {
      identity,
      data: undefined,
      unchanged: () => (fstatSync(file).size === identity.size ? { reader, facts } : undefined),
      resumable: () => {
        const whole = this.#readerOf(resolve(path), known.header);
        return whole && { reader: whole, facts };
      },
    };
  }

  /** Whether there are facts of a log, as far as a look at the names tells. */
  mayKnow(path: string): boolean {
    return existsSync(this.#fileOf(resolve(path), "facts"));
  }

  /** What was read of a log. */
  remember(path: string, { facts, ...read }: ReadLog): void {
    if (!this.serves(read.options)) return;
    const { reader, facts: all } = facts;
    const packed = packFacts(all);
    const head: FactsHead = {
      path: resolve(path),
      identity: read.identity,
      reader: withoutPast(reader),
      shape: shapeOf(packed),
    };
    const parts = [[serialize(head)], bytesOfFacts(packed), [serialize(reader)]];
    this.#save(this.#fileOf(resolve(path), "facts"), NO_SETTINGS, parts);
    this.rememberFigures(path, read);
  }

  /** What was made of facts that are in the cache. */
  rememberFigures(path: string, { identity, options, data }: Omit<ReadLog, "facts">): void {
    // Others need the sweep over capacities.
    if (!this.serves(options) || options.withoutSweep) return;
    const head: FiguresHead = { path: resolve(path), identity, ...keysOf(options) };
    const parts = [[serialize(head)], [serialize(figuresOnly(data))], []];
    this.#save(this.#fileOf(resolve(path), "log"), digestOf(head.settings), parts);
  }

  /** Whether just this is cached already, or never will be. */
  remembers(path: string, identity: LogIdentity, options: PipelineOptions): boolean {
    if (!this.serves(options)) return true;
    const known = this.#head(resolve(path));
    const isKnown = known !== undefined && isFor(options, known);
    return isKnown && isSame(known.identity, identity) && this.mayKnow(path);
  }

  #figures(file: number, path: string, options: PipelineOptions): Pick<RecalledLog, "identity" | "data"> | undefined {
    // Events and details are not cached: they are made again from the facts. Passes need the whole log.
    if (options.keepEvents || options.keepDetails || options.passes) return undefined;
    return this.#open(resolve(path), "log", (figures, header) => {
      // Most often they are for other settings, or for these, in all files.
      if (!aboutOf(header).equals(digestOf(keysOf(options).settings))) return undefined;
      const head = headOf(readPart(figures, header, 0), resolve(path));
      if (head === undefined || !isFor(options, head) || fstatSync(file).size !== head.identity.size) return undefined;
      const data = hasOnlyGrown(file, head.identity)
        ? (readPart(figures, header, 1) as LogData | undefined)
        : undefined;
      return data && { identity: head.identity, data: dataFor(options, withOwnRows(data), path) };
    });
  }

  /** What the figures of the last replay are about, whatever its settings. */
  #head(path: string): FiguresHead | undefined {
    return this.#open(path, "log", (file, header) => headOf(readPart(file, header, 0), path));
  }

  #facts(path: string): Facts | undefined {
    return this.#open(path, "facts", (file, header) => {
      const [first, second] = readParts(file, header, 0, 2) ?? [];
      if (first === undefined || second === undefined) return undefined;
      const { shape, ...head } = deserialize(first) as FactsHead;
      return head.path === path ? { ...head, packed: factsOfBytes(shape, second), header } : undefined;
    });
  }

  /** `header`: of the file that the facts are from. Another process may have written a newer one since. */
  #readerOf(path: string, header: Buffer): SavedReader | undefined {
    const reader = this.#open(path, "facts", (file, now) => (now.equals(header) ? readPart(file, now, 2) : undefined));
    return reader as SavedReader | undefined;
  }

  /** `parts`: each in pieces. Failing to write only costs time later. */
  #save(path: string, about: Buffer, parts: readonly (readonly Uint8Array[])[]): void {
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    about.copy(header, MAGIC.length);
    const pieces: Uint8Array[] = [header];
    for (const [index, part] of parts.entries()) {
      const length = part.reduce((sum, piece) => sum + piece.length, 0);
      header.writeDoubleLE(length, partAt(index));
      header.writeUInt32LE(checksumOf(part), partAt(index) + 8);
      pieces.push(...part, new Uint8Array(aligned(length) - length));
    }
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeWholeSync(path, pieces);
    } catch {
      // The log will be read again.
    }
  }

  /** Removes what is about logs nobody has written to for months, what is too much, and what a killed process left behind. */
  tidy(now: number = Date.now(), maxBytes = MAX_BYTES): void {
    const marker = join(this.folder, TIDIED);
    try {
      const tidied = lstatSync(marker, { throwIfNoEntry: false });
      // Ours is empty: if this one is not, the folder belongs to somebody else.
      if (tidied !== undefined && !(tidied.isFile() && tidied.size === 0)) return;
      if (now - (tidied?.mtimeMs ?? 0) < HOUR_MS) return;
      for (const file of outdated(filesNamed(this.folder, MARK), now, maxBytes)) removeIfOurs(file, MARK);
      writeWholeSync(marker, "");
    } catch {
      // A cache that cannot be tidied still works.
    }
  }

  /** Undefined if there is no such file, or it is not what it should be. */
  #open<T>(path: string, kind: "log" | "facts", use: (file: number, header: Buffer) => T): T | undefined {
    try {
      return withOpenFile(this.#fileOf(path, kind), file => {
        const header = headerOf(file);
        return header && use(file, header);
      });
    } catch {
      return undefined;
    }
  }

  #fileOf(path: string, kind: "log" | "facts"): string {
    return join(this.folder, `${hash("sha256", path, "hex").slice(0, 32)}.${kind}`);
  }
}

/** Whoever has the data needs no facts. */
const none = () => undefined;

/** The oldest go first where there is too much. */
function outdated(files: readonly OwnFile[], now: number, maxBytes: number): OwnFile[] {
  let bytes = 0;
  return [...files]
    .sort((one, two) => two.modified - one.modified)
    .filter(({ isWhole, modified, bytes: size }) => {
      bytes += size;
      return bytes > maxBytes || now - modified > (isWhole ? KEEP_DAYS * 86_400_000 : LEFT_BEHIND_MS);
    });
}

/** A reader's state that cannot be continued from, but knows all that a report says: most of it is what lines say of others. */
function withoutPast(reader: SavedReader): SavedReader {
  const contexts = reader.contexts.map(context => ({
    ...context,
    results: new Set<string>(),
    links: { ...context.links, index: new Uint32Array() },
  }));
  return { ...reader, calls: new Map(), contexts };
}

function headOf(part: unknown, path: string): FiguresHead | undefined {
  const head = part as FiguresHead | undefined;
  return head?.path === path ? head : undefined;
}

function isSame(one: LogIdentity, other: LogIdentity): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What the figures were computed under. */
function keysOf({ settings, strategies }: PipelineOptions): Pick<FiguresHead, "settings" | "strategies"> {
  return { settings: JSON.stringify(settings), strategies: strategies ? STRATEGY_LAYOUT : undefined };
}

/** Figures with all strategies also serve a request for none. */
function isFor(options: PipelineOptions, known: FiguresHead): boolean {
  const wanted = keysOf(options);
  return (
    known.settings === wanted.settings && (wanted.strategies === undefined || known.strategies === wanted.strategies)
  );
}

/** The path may be spelled differently from last time. */
function dataFor({ strategies: wanted }: PipelineOptions, data: LogData, path: string): LogData {
  const contexts = data.contexts.map(({ strategies, runSizes, ...context }) => ({
    ...context,
    ...(context.file !== undefined && { file: path }),
    ...(wanted && strategies && { strategies }),
    ...(wanted && runSizes && { runSizes }),
  }));
  return { ...data, path, contexts };
}

function figuresOnly(data: LogData): LogData {
  return {
    ...data,
    contexts: data.contexts.map(({ events: _, sent: _sent, passes: _passes, ...context }) => ({
      ...context,
      ids: [],
      targets: [],
      marks: [],
      sources: [],
    })),
  };
}

/** Deserialized rows are views of the bytes that were read, which must not be transferred to another thread. */
function withOwnRows(data: LogData): LogData {
  const contexts = data.contexts.map(context => ({
    ...context,
    rows: context.rows.slice(),
    ...(context.strategies && { strategies: context.strategies.slice() }),
    ...(context.runSizes && { runSizes: context.runSizes.slice() }),
  }));
  return { ...data, contexts };
}

function checksumOf(pieces: readonly Uint8Array[]): number {
  // Of nothing at all it would be 0, whatever came before.
  return pieces.reduce((sum, piece) => (piece.length === 0 ? sum : crc32(piece, sum)), 0);
}

/** With the checksums of all parts. */
function headerOf(file: number): Buffer | undefined {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  return header.subarray(0, MAGIC.length).equals(MAGIC) ? header : undefined;
}

/** What facts are about does not depend on any. */
const NO_SETTINGS = Buffer.alloc(ABOUT_BYTES);

function aboutOf(header: Buffer): Buffer {
  return header.subarray(MAGIC.length, MAGIC.length + ABOUT_BYTES);
}

function digestOf(settings: string): Buffer {
  return Buffer.from(hash("sha256", settings, "hex").slice(0, 2 * ABOUT_BYTES), "hex");
}

function partAt(index: number): number {
  return MAGIC.length + ABOUT_BYTES + index * PART_BYTES;
}

function readPart(file: number, header: Buffer, index: number): unknown {
  const [bytes] = readParts(file, header, index, index + 1) ?? [];
  return bytes && deserialize(bytes);
}

/** Some parts in a row, each beginning where numbers can be read; undefined if any of them is not what it was. */
function readParts(file: number, header: Buffer, from: number, to: number): Buffer<ArrayBuffer>[] | undefined {
  const lengths = Array.from({ length: to }, (_, index) => header.readDoubleLE(partAt(index)));
  const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + aligned(length), 0));
  const [first = 0, last = 0] = [starts[from], starts[to - 1]];
  const size = last + (lengths[to - 1] ?? 0) - first;
  // A damaged length must not allocate more memory than the file can fill.
  if (!(size >= 0 && HEADER_BYTES + first + size <= fstatSync(file).size)) return undefined;
  const bytes = Buffer.allocUnsafe(size);
  if (readSync(file, bytes, 0, size, HEADER_BYTES + first) < size) return undefined;
  const parts = lengths.slice(from).map((length, index) => {
    const start = (starts[from + index] ?? 0) - first;
    return bytes.subarray(start, start + length);
  });
  const isWhole = parts.every((part, index) => crc32(part) === header.readUInt32LE(partAt(from + index) + 8));
  return isWhole ? parts : undefined;
}

/**
 * What was learned from each log, kept in the user's cache folder so that the next start only reads what has changed:
 * its figures under the last settings, and its facts, which do not depend on settings. The facts are enough for any
 * report without texts, so a changed setting costs a replay, but no access to the log. Anything damaged, or of another
 * version, is treated as missing.
 */
import { fstatSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { cacheFolder } from "../files/folders.js";
import { hasOnlyGrown, type LogIdentity } from "../files/identity.js";
import { filesNamed, type Mark, type OwnFile, removeIfOurs } from "../files/ownFiles.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { LogData } from "../inspect/logData.js";
import { STRATEGY_LAYOUT } from "../inspect/strategyRows.js";
import { bytesOfFacts, type FactShape, factsOfBytes } from "../kernel/factBytes.js";
import { packFacts } from "../kernel/factPacker.js";
import type { SavedReader } from "../log/logReader.js";
import type { KnownLog } from "../pipeline/figuresPipeline.js";
import type { PipelineOptions, SavedLog } from "../pipeline/logPipeline.js";
import { LEFT_BEHIND_MS } from "./keptFiles.js";
import { type PackedSamples, packSamples, unpackSamples } from "./packedSamples.js";
import { aboutOf, DIGEST_BYTES, readParts } from "./packLayout.js";
import { PACK_NAME, Packs } from "./packs.js";
import { LAYOUT } from "./rowLayout.js";

/** Incremented whenever the format, or the meaning of anything in it, changes; columns and outcomes are in LAYOUT. */
const FORMAT = 28;
const MAGIC = Buffer.from(`dedup-inspector ${FORMAT} ${LAYOUT} node ${process.versions.modules}\n`.padEnd(48));
/** Its time is when the folder was last tidied: checking everything would dominate a warm start. */
const TIDIED = "tidied";
/** Files of all versions: earlier ones had two for each log. */
const MARK: Mark = {
  name: new RegExp(`^(?:[0-9a-f]{32}\\.(?:log|facts)|${TIDIED})$|${PACK_NAME.source}`),
  begins: /^dedup-inspector /,
};
const NOTHING = Buffer.alloc(0);
const KEEP_MS = 90 * 86_400_000;
/** Facts take a tenth to a fifth of their log: enough for some twenty gigabytes of logs. */
const MAX_BYTES = 4 * 2 ** 30;
const HOUR_MS = 3_600_000;

/** The first part of figures: what they are for. */
interface FiguresHead {
  readonly path: string;
  readonly identity: LogIdentity;
  /** The settings under which they were computed. */
  readonly settings: string;
  /** The same for the strategies; undefined if they were not requested. */
  readonly strategies: string | undefined;
}

/**
 * The first part of facts. With the second, the bytes of the facts, it is enough to replay an unchanged log. The third
 * is the reader's state, to continue from.
 */
interface FactsHead {
  readonly path: string;
  readonly identity: LogIdentity;
  /** See `ReadLog`. */
  readonly stamp: string | undefined;
  readonly log: Omit<KnownLog["log"], "samples">;
  readonly samples: PackedSamples;
  readonly shape: FactShape;
  /** See `SavedLog`. */
  readonly forHooks: boolean;
}

/** What they provide for a log. */
interface Facts extends Omit<FactsHead, "log" | "samples" | "shape">, KnownLog {
  readonly record: Buffer;
}

/** What the cache has for a log that is unchanged or has only grown. */
export interface RecalledLog {
  readonly identity: LogIdentity;
  /** The log's data; undefined if it has grown, or was replayed under other settings. */
  readonly data: LogData | undefined;
  /** Whether the log is unchanged. */
  isUnchanged(): boolean;
  /** Enough for the figures of an unchanged log, under any settings; undefined if `data` is known. */
  readonly known: KnownLog | undefined;
  /** Enough to replay the log, and to continue reading at its end. */
  resumable(): SavedLog | undefined;
}

export interface ReadLog {
  readonly identity: LogIdentity;
  readonly options: PipelineOptions;
  readonly data: LogData;
  readonly facts: SavedLog;
  /** Of the log as read; undefined if another write might not change it. */
  readonly stamp?: string | undefined;
}

type Kind = "figures" | "facts";

export class LogCache {
  readonly folder: string;
  readonly #packs: Packs;
  /** Reused for facts that nobody keeps: in new memory, reading them takes three times as long. */
  #room = NOTHING;
  #settings: { readonly of: object; readonly digest: Buffer } | undefined;

  constructor(folder: string = cacheFolder()) {
    this.folder = folder;
    this.#packs = new Packs(folder, MAGIC);
  }

  /** In the user's cache folder; undefined if there is none, and nothing can be remembered. */
  static ofUser(): LogCache | undefined {
    try {
      return new LogCache();
    } catch {
      return undefined;
    }
  }

  /** Near-references compare texts, which the cache does not have. */
  serves({ settings }: PipelineOptions): boolean {
    return !settings.nearRef;
  }

  /** For callers that recall or remember many logs. */
  together<T>(use: () => T): T {
    return this.#packs.together(use);
  }

  /** `file`: the log, open. Undefined if nothing is known about it, or nothing trustworthy. */
  recall(file: number, path: string, options: PipelineOptions): RecalledLog | undefined {
    if (!this.serves(options)) return undefined;
    const figures = this.#figures(file, path, options);
    if (figures !== undefined) {
      const resumable = () => this.#factsOf(file, path, options)?.resumable();
      return { ...figures, isUnchanged: () => true, known: undefined, resumable };
    }
    return this.#factsOf(file, path, options);
  }

  /**
   * The same without opening the log, which has this stamp: enough for its figures, and valid until the next log is
   * recalled. Undefined if the figures are known under these settings: `recall` returns them.
   */
  recallFacts(path: string, stamp: string, options: PipelineOptions): KnownLog | undefined {
    const whole = resolve(path);
    if (!this.serves(options) || this.#packs.about(keyOf(whole, "figures"))?.equals(this.#digestOf(options))) {
      return undefined;
    }
    const room = (bytes: number) => {
      if (this.#room.length < bytes) this.#room = Buffer.allocUnsafeSlow(bytes);
      return this.#room.subarray(0, bytes);
    };
    if (!this.#packs.about(keyOf(whole, "facts"))?.equals(digestOf(stamp))) return undefined;
    const known = this.#facts(whole, room);
    return known?.stamp === stamp ? known : undefined;
  }

  /** Of the settings, which are the same for all logs. */
  #digestOf({ settings }: PipelineOptions): Buffer {
    if (this.#settings?.of !== settings) {
      this.#settings = { of: settings, digest: digestOf(JSON.stringify(settings)) };
    }
    return this.#settings.digest;
  }

  #factsOf(file: number, path: string, { settings }: PipelineOptions): RecalledLog | undefined {
    const known = this.#facts(resolve(path));
    if (known === undefined || !hasOnlyGrown(file, known.identity)) return undefined;
    const { identity, facts, forHooks } = known;
    if (settings.door === "hooks" && !forHooks) return undefined;
    return {
      identity,
      data: undefined,
      isUnchanged: () => fstatSync(file).size === identity.size,
      known,
      resumable: () => {
        const whole = this.#readerOf(resolve(path), known.record);
        return whole && { reader: whole, facts, forHooks };
      },
    };
  }

  /** Whether there are facts of a log, valid or not. */
  mayKnow(path: string): boolean {
    return this.#packs.about(keyOf(resolve(path), "facts")) !== undefined;
  }

  /** Remembers a log that was read. */
  remember(path: string, { facts, stamp, ...read }: ReadLog): void {
    if (!this.serves(read.options)) return;
    const { reader, facts: all, forHooks } = facts;
    const { shape, pieces } = bytesOfFacts(packFacts(all));
    const { samples, ...log } = logOf(reader);
    const about = { path: resolve(path), identity: read.identity, stamp };
    const head: FactsHead = { ...about, log, samples: packSamples(samples), shape, forHooks };
    const parts = [[serialize(head)], pieces, [serialize(reader)]] as const;
    this.together(() => {
      this.#packs.add(keyOf(resolve(path), "facts"), stamp === undefined ? NO_STAMP : digestOf(stamp), parts);
      this.rememberFigures(path, read);
    });
  }

  /** Remembers figures made from cached facts. */
  rememberFigures(path: string, { identity, options, data }: Omit<ReadLog, "facts">): void {
    // Other requests need the capacity sweep.
    if (!this.serves(options) || options.withoutSweep) return;
    const head: FiguresHead = { path: resolve(path), identity, ...keysOf(options) };
    const parts = [[serialize(head)], [serialize(figuresOnly(data))], []] as const;
    this.#packs.add(keyOf(resolve(path), "figures"), this.#digestOf(options), parts);
  }

  /** Whether exactly this is cached already, or never will be. */
  remembers(path: string, identity: LogIdentity, options: PipelineOptions): boolean {
    if (!this.serves(options)) return true;
    const known = this.#head(resolve(path));
    const isKnown = known !== undefined && isFor(options, known);
    return isKnown && isSame(known.identity, identity) && this.mayKnow(path);
  }

  #figures(file: number, path: string, options: PipelineOptions): Pick<RecalledLog, "identity" | "data"> | undefined {
    // Events and details are not cached: they are made again from the facts. Passes need the whole log.
    if (options.keepEvents || options.keepDetails || options.passes) return undefined;
    return this.#packs.use(keyOf(resolve(path), "figures"), (figures, record) => {
      // A quick check: the figures of all logs usually have the same settings.
      if (!aboutOf(record).equals(this.#digestOf(options))) return undefined;
      const head = headOf(readPart(figures, record, 0), resolve(path));
      if (head === undefined || !isFor(options, head) || fstatSync(file).size !== head.identity.size) return undefined;
      const data = hasOnlyGrown(file, head.identity)
        ? (readPart(figures, record, 1) as LogData | undefined)
        : undefined;
      return data && { identity: head.identity, data: dataFor(options, withOwnRows(data), path) };
    });
  }

  /** What the figures of the last replay are for, whatever its settings. */
  #head(path: string): FiguresHead | undefined {
    return this.#packs.use(keyOf(path, "figures"), (file, record) => headOf(readPart(file, record, 0), path));
  }

  #facts(path: string, room = Buffer.allocUnsafe): Facts | undefined {
    return this.#packs.use(keyOf(path, "facts"), (file, record) => {
      const [first, second] = readParts(file, record, 0, 2, room) ?? [];
      if (first === undefined || second === undefined) return undefined;
      const { shape, samples, log, ...head } = deserialize(first) as FactsHead;
      if (head.path !== path) return undefined;
      const known = { log: { ...log, samples: unpackSamples(samples) }, facts: factsOfBytes(shape, second) };
      return { ...head, ...known, record };
    });
  }

  /** `record`: that of the facts it belongs to. Another process may have written newer ones since. */
  #readerOf(path: string, record: Buffer): SavedReader | undefined {
    const reader = this.#packs.use(keyOf(path, "facts"), (file, now) =>
      now.equals(record) ? readPart(file, now, 2) : undefined,
    );
    return reader as SavedReader | undefined;
  }

  /** Removes entries for logs unused for months, anything over the limit, and leftovers of killed processes. */
  tidy(now: number = Date.now(), maxBytes = MAX_BYTES): void {
    const marker = join(this.folder, TIDIED);
    try {
      const tidied = lstatSync(marker, { throwIfNoEntry: false });
      // Ours is empty: if this one is not, the folder is not ours.
      if (tidied !== undefined && !(tidied.isFile() && tidied.size === 0)) return;
      if (now - (tidied?.mtimeMs ?? 0) < HOUR_MS) return;
      this.#packs.tidy(now - KEEP_MS);
      for (const file of outdated(filesNamed(this.folder, MARK), now, maxBytes)) removeIfOurs(file, MARK);
      writeWholeSync(marker, "");
    } catch {
      // A cache that cannot be tidied still works.
    }
  }
}

/** Over the limit, the oldest go first. */
function outdated(files: readonly OwnFile[], now: number, maxBytes: number): OwnFile[] {
  let bytes = 0;
  return [...files]
    .sort((one, two) => two.modified - one.modified)
    .filter(({ isWhole, modified, bytes: size }) => {
      bytes += size;
      return bytes > maxBytes || now - modified > (isWhole ? KEEP_MS : LEFT_BEHIND_MS);
    });
}

/** The part for reports: most of a reader's state is about links between lines. */
function logOf({ header, lines, contexts }: SavedReader): KnownLog["log"] {
  const samples = contexts.flatMap(({ calibrator }) => calibrator.samples);
  return { header, lines, samples, contexts: new Set(contexts.map(({ id }) => id)) };
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

/** For facts without a known state of the log. */
const NO_STAMP = Buffer.alloc(DIGEST_BYTES);

/** Of the last log, which is looked up several times. */
const last = { path: "", digest: NO_STAMP };

function keyOf(path: string, kind: Kind): Buffer {
  if (last.path !== path) Object.assign(last, { path, digest: digestOf(path) });
  const key = Buffer.from(last.digest);
  key[DIGEST_BYTES - 1] = kind === "facts" ? 0 : 1;
  return key;
}

/** Where the names of two logs in a folder usually differ. */
const END_CHARS = 24;

/** Usually unique; callers compare the texts if it matters. Loading a better hash takes longer than everything here. */
function digestOf(text: string): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  digest.writeUInt32LE(crc32(text), 0);
  digest.writeUInt32LE(crc32(text.slice(-END_CHARS)), 4);
  digest.writeUInt32LE(text.length, 8);
  return digest;
}

function readPart(file: number, record: Buffer, index: number): unknown {
  const [bytes] = readParts(file, record, index, index + 1) ?? [];
  return bytes && deserialize(bytes);
}

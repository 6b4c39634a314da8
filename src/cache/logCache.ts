/**
 * What was learned from each log, kept in the user's cache folder so that the next start reads only what has changed: its
 * figures under the last settings, and its facts, which other settings leave untouched. The facts are enough for any report
 * without texts, so a changed setting costs a replay, but no look at the log. What is damaged, or of another version, is
 * treated as missing.
 */
import { hash } from "node:crypto";
import { fstatSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
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
import { aboutOf, DIGEST_BYTES, readParts } from "./packLayout.js";
import { PACK_NAME, Packs } from "./packs.js";
import { LAYOUT } from "./rowLayout.js";

/** Incremented whenever the format, or the meaning of anything in it, changes; columns and outcomes are in the layout. */
const FORMAT = 15;
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

/** What figures are about: their first part. */
interface FiguresHead {
  readonly path: string;
  readonly identity: LogIdentity;
  /** The settings under which they were computed. */
  readonly settings: string;
  /** The same for the strategies; undefined if they were not asked for. */
  readonly strategies: string | undefined;
}

/**
 * The first part of facts. With the second, the bytes of the facts, it is enough to replay a log that is as it was.
 * The third is the reader's state, to go on from.
 */
interface FactsHead {
  readonly path: string;
  readonly identity: LogIdentity;
  readonly log: KnownLog["log"];
  readonly shape: FactShape;
  /** See `SavedLog`. */
  readonly forHooks: boolean;
}

/** What they tell of a log. */
interface Facts extends Omit<FactsHead, "shape">, KnownLog {
  readonly record: Buffer;
}

/** What the cache knows of a log that is still the one that was read, or has only grown. */
export interface RecalledLog {
  readonly identity: LogIdentity;
  /** The log's data; undefined if it has grown, or was replayed under other settings. */
  readonly data: LogData | undefined;
  /** Whether the log is as it was. */
  isUnchanged(): boolean;
  /** Enough for the figures of a log that is as it was, under any settings; undefined if `data` is known. */
  readonly known: KnownLog | undefined;
  /** Enough to replay the log, and to go on reading where it ended. */
  resumable(): SavedLog | undefined;
}

export interface ReadLog {
  readonly identity: LogIdentity;
  readonly options: PipelineOptions;
  readonly data: LogData;
  readonly facts: SavedLog;
  /** Of the log as it was read; undefined if another write would not show in it. */
  readonly stamp?: string | undefined;
}

type Kind = "figures" | "facts";

export class LogCache {
  readonly folder: string;
  readonly #packs: Packs;
  /** For facts that nobody keeps: in new memory, reading them takes three times as long. */
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

  /** Near-references compare texts, which the cache does not hold. */
  serves({ settings }: PipelineOptions): boolean {
    return !settings.nearRef;
  }

  /** For who has many logs to ask for or to remember. */
  together<T>(use: () => T): T {
    return this.#packs.together(use);
  }

  /** `file`: the log, open. Undefined if nothing is known of it, or what is known is not to be trusted. */
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
   * The same without a look at the log, which has this stamp: what is enough for its figures, until the next log is asked
   * for. Undefined if they are known under these settings: `recall` gives them.
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
    const isAsRead = this.#packs.about(keyOf(whole, "facts"))?.equals(digestOf(stamp)) === true;
    return isAsRead ? this.#facts(whole, room) : undefined;
  }

  /** Of the settings: the same for all logs. */
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

  /** Whether there are facts of a log, whatever they are worth. */
  mayKnow(path: string): boolean {
    return this.#packs.about(keyOf(resolve(path), "facts")) !== undefined;
  }

  /** What was read of a log. */
  remember(path: string, { facts, stamp, ...read }: ReadLog): void {
    if (!this.serves(read.options)) return;
    const { reader, facts: all, forHooks } = facts;
    const { shape, pieces } = bytesOfFacts(packFacts(all));
    const head: FactsHead = { path: resolve(path), identity: read.identity, log: logOf(reader), shape, forHooks };
    const parts = [[serialize(head)], pieces, [serialize(reader)]] as const;
    this.together(() => {
      this.#packs.add(keyOf(resolve(path), "facts"), stamp === undefined ? NO_STAMP : digestOf(stamp), parts);
      this.rememberFigures(path, read);
    });
  }

  /** What was made of facts that are in the cache. */
  rememberFigures(path: string, { identity, options, data }: Omit<ReadLog, "facts">): void {
    // Others need the sweep over capacities.
    if (!this.serves(options) || options.withoutSweep) return;
    const head: FiguresHead = { path: resolve(path), identity, ...keysOf(options) };
    const parts = [[serialize(head)], [serialize(figuresOnly(data))], []] as const;
    this.#packs.add(keyOf(resolve(path), "figures"), this.#digestOf(options), parts);
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
    return this.#packs.use(keyOf(resolve(path), "figures"), (figures, record) => {
      // Most often they are for other settings, or for these, of all logs.
      if (!aboutOf(record).equals(this.#digestOf(options))) return undefined;
      const head = headOf(readPart(figures, record, 0), resolve(path));
      if (head === undefined || !isFor(options, head) || fstatSync(file).size !== head.identity.size) return undefined;
      const data = hasOnlyGrown(file, head.identity)
        ? (readPart(figures, record, 1) as LogData | undefined)
        : undefined;
      return data && { identity: head.identity, data: dataFor(options, withOwnRows(data), path) };
    });
  }

  /** What the figures of the last replay are about, whatever its settings. */
  #head(path: string): FiguresHead | undefined {
    return this.#packs.use(keyOf(path, "figures"), (file, record) => headOf(readPart(file, record, 0), path));
  }

  #facts(path: string, room = Buffer.allocUnsafe): Facts | undefined {
    return this.#packs.use(keyOf(path, "facts"), (file, record) => {
      const [first, second] = readParts(file, record, 0, 2, room) ?? [];
      if (first === undefined || second === undefined) return undefined;
      const { shape, ...head } = deserialize(first) as FactsHead;
      return head.path === path ? { ...head, facts: factsOfBytes(shape, second), record } : undefined;
    });
  }

  /** `record`: of the facts that it belongs to. Another process may have written newer ones since. */
  #readerOf(path: string, record: Buffer): SavedReader | undefined {
    const reader = this.#packs.use(keyOf(path, "facts"), (file, now) =>
      now.equals(record) ? readPart(file, now, 2) : undefined,
    );
    return reader as SavedReader | undefined;
  }

  /** Removes what is about logs nobody has written to for months, what is too much, and what a killed process left behind. */
  tidy(now: number = Date.now(), maxBytes = MAX_BYTES): void {
    const marker = join(this.folder, TIDIED);
    try {
      const tidied = lstatSync(marker, { throwIfNoEntry: false });
      // Ours is empty: if this one is not, the folder belongs to somebody else.
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

/** The oldest go first where there is too much. */
function outdated(files: readonly OwnFile[], now: number, maxBytes: number): OwnFile[] {
  let bytes = 0;
  return [...files]
    .sort((one, two) => two.modified - one.modified)
    .filter(({ isWhole, modified, bytes: size }) => {
      bytes += size;
      return bytes > maxBytes || now - modified > (isWhole ? KEEP_MS : LEFT_BEHIND_MS);
    });
}

/** What a report says of a log: most of a reader's state is what lines say of others. */
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

/** Facts that are about no known state of a log. */
const NO_STAMP = Buffer.alloc(DIGEST_BYTES);

/** Of the last log: it is asked for several times. */
const last = { path: "", digest: NO_STAMP };

function keyOf(path: string, kind: Kind): Buffer {
  if (last.path !== path) Object.assign(last, { path, digest: digestOf(path) });
  const key = Buffer.from(last.digest);
  key[0] = kind === "facts" ? 0 : 1;
  return key;
}

function digestOf(text: string): Buffer {
  return hash("sha256", text, "buffer").subarray(0, DIGEST_BYTES);
}

function readPart(file: number, record: Buffer, index: number): unknown {
  const [bytes] = readParts(file, record, index, index + 1) ?? [];
  return bytes && deserialize(bytes);
}

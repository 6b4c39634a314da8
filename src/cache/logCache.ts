/**
 * What was learned from each log, kept in the user's cache folder so that the next start reads only what has changed.
 * One file per log, in two parts: the figures under the last settings, which are always read, and the facts, which are
 * read if the settings differ or the log has grown. A damaged file, or one of another version, is treated as missing.
 */
import { hash } from "node:crypto";
import { fstatSync, lstatSync, mkdirSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { cacheFolder } from "../files/folders.js";
import { hasOnlyGrown, type LogIdentity } from "../files/identity.js";
import { withOpenFile } from "../files/openFile.js";
import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { LogData } from "../inspect/logData.js";
import { STRATEGY_LAYOUT } from "../inspect/strategyRows.js";
import type { PipelineOptions, SavedLog } from "../pipeline/logPipeline.js";
import { LAYOUT, LEFT_BEHIND_MS } from "./keptFiles.js";

/** Incremented whenever the format, or the meaning of anything in it, changes; columns and outcomes are in the layout. */
const FORMAT = 10;
const MAGIC = Buffer.from(`dedup-inspector ${FORMAT} ${LAYOUT} node ${process.versions.modules}\n`.padEnd(48));
/** The magic bytes, then each part's length and checksum. */
const HEADER_BYTES = MAGIC.length + 2 * (8 + 16);
/** Its time is when the folder was last tidied: checking thousands of files would dominate a warm start. */
const TIDIED = "tidied";
/** Files of all versions. */
const MARK: Mark = { name: new RegExp(`^(?:[0-9a-f]{32}\\.log|${TIDIED})$`), begins: /^dedup-inspector / };
const KEEP_DAYS = 90;
const HOUR_MS = 3_600_000;

/** The part of a file that is always read. */
export interface CachedFigures {
  readonly path: string;
  readonly identity: LogIdentity;
  /** The settings under which `data` was computed. */
  readonly settings: string;
  /** The same for the strategies; undefined if they were not asked for. */
  readonly strategies: string | undefined;
  readonly data: LogData;
}

/** What the cache knows of a log that is still the one that was read, or has only grown. */
export interface RecalledLog {
  /** The log's data; undefined if it has grown, or was replayed under other settings. */
  readonly data: LogData | undefined;
  /** Enough to continue reading, and to replay the past under any settings. */
  facts(): SavedLog | undefined;
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
    const known = this.serves(options) ? this.figures(resolve(path)) : undefined;
    if (known === undefined || !hasOnlyGrown(file, known.identity)) return undefined;
    // Events and details are not cached: they are made again from the facts. Passes need the whole log.
    const isEnough = !options.keepEvents && !options.keepDetails && !options.passes && isFor(options, known);
    const isCurrent = isEnough && fstatSync(file).size === known.identity.size;
    return { data: isCurrent ? dataFor(options, known, path) : undefined, facts: () => this.facts(resolve(path)) };
  }

  remember(path: string, { identity, options, data, facts }: ReadLog): void {
    if (!this.serves(options)) return;
    this.#save({ path: resolve(path), identity, ...keysOf(options), data: figuresOnly(data) }, facts);
  }

  /** Whether just this is cached already, or never will be. */
  remembers(path: string, identity: LogIdentity, options: PipelineOptions): boolean {
    if (!this.serves(options)) return true;
    const known = this.figures(resolve(path));
    return known !== undefined && isFor(options, known) && JSON.stringify(known.identity) === JSON.stringify(identity);
  }

  /** The figures of the last replay, whatever its settings. */
  figures(path: string): CachedFigures | undefined {
    const figures = this.#part(path, 0) as CachedFigures | undefined;
    return figures?.path === path ? { ...figures, data: withOwnRows(figures.data) } : undefined;
  }

  facts(path: string): SavedLog | undefined {
    return this.#part(path, 1) as SavedLog | undefined;
  }

  /** Failing to write only costs time later. */
  #save(figures: CachedFigures, facts: SavedLog): void {
    const parts = [serialize(figures), serialize(facts)];
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    for (const [index, part] of parts.entries()) {
      const at = MAGIC.length + index * 24;
      header.writeDoubleLE(part.length, at);
      checksum(part).copy(header, at + 8);
    }
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeWholeSync(this.#fileOf(figures.path), Buffer.concat([header, ...parts]));
    } catch {
      // The log will be read again.
    }
  }

  /** Removes what is about logs nobody has written to for months, and what a killed process left behind. */
  tidy(now: number = Date.now()): void {
    const marker = join(this.folder, TIDIED);
    try {
      const tidied = lstatSync(marker, { throwIfNoEntry: false });
      // Ours is empty: if this one is not, the folder belongs to somebody else.
      if (tidied !== undefined && !(tidied.isFile() && tidied.size === 0)) return;
      if (now - (tidied?.mtimeMs ?? 0) < HOUR_MS) return;
      for (const file of filesNamed(this.folder, MARK)) {
        const age = now - file.modified;
        if (age > (file.isWhole ? KEEP_DAYS * 86_400_000 : LEFT_BEHIND_MS)) removeIfOurs(file, MARK);
      }
      writeWholeSync(marker, "");
    } catch {
      // A cache that cannot be tidied still works.
    }
  }

  #part(path: string, index: 0 | 1): unknown {
    try {
      return withOpenFile(this.#fileOf(path), file => readPart(file, index));
    } catch {
      return undefined;
    }
  }

  #fileOf(path: string): string {
    return join(this.folder, `${hash("sha256", path, "hex").slice(0, 32)}.log`);
  }
}

/** What the figures were computed under. */
function keysOf({ settings, strategies }: PipelineOptions): Pick<CachedFigures, "settings" | "strategies"> {
  return { settings: JSON.stringify(settings), strategies: strategies ? STRATEGY_LAYOUT : undefined };
}

/** Figures with all strategies also serve a request for none. */
function isFor(options: PipelineOptions, known: CachedFigures): boolean {
  const wanted = keysOf(options);
  return (
    known.settings === wanted.settings && (wanted.strategies === undefined || known.strategies === wanted.strategies)
  );
}

/** The path may be spelled differently from last time. */
function dataFor({ strategies: wanted }: PipelineOptions, { data }: CachedFigures, path: string): LogData {
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

function readPart(file: number, index: 0 | 1): unknown {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const lengths = [0, 1].map(part => header.readDoubleLE(MAGIC.length + part * 24));
  const [first = 0] = lengths;
  const length = lengths[index] ?? 0;
  const start = HEADER_BYTES + (index === 0 ? 0 : first);
  // A damaged length must not allocate more memory than the file can fill.
  if (!(start + length <= fstatSync(file).size)) return undefined;
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, bytes.length, start) < bytes.length) return undefined;
  const at = MAGIC.length + index * 24 + 8;
  return checksum(bytes).equals(header.subarray(at, at + 16)) ? deserialize(bytes) : undefined;
}

function checksum(bytes: Buffer): Buffer {
  return Buffer.from(hash("sha256", bytes, "hex").slice(0, 32), "hex");
}

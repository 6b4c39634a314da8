/**
 * What was learnt from each log, kept in the user's cache folder so that a second start reads only what changed. One
 * file per log, in two parts: the figures under the settings of the last time, which are read always, and the facts,
 * which are read where the settings differ or the log has grown. A damaged file, or one of another version, is as good
 * as none.
 */
import { hash } from "node:crypto";
import { fstatSync, lstatSync, mkdirSync, type openSync, readSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { cacheFolder } from "../files/folders.js";
import type { LogIdentity } from "../files/identity.js";
import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";
import { withOpenFile } from "../files/readLog.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { LogData } from "../inspect/logData.js";
import type { SavedLog } from "../pipeline/logModel.js";
import { LAYOUT, LEFT_BEHIND_MS } from "./keptFiles.js";

/** Counts up whenever the format or the meaning of anything in it changes; columns and outcomes are in the layout. */
const FORMAT = 8;
const MAGIC = Buffer.from(`dedup-inspector ${FORMAT} ${LAYOUT} node ${process.versions.modules}\n`.padEnd(48));
/** Magic, then length and checksum of each part. */
const HEADER_BYTES = MAGIC.length + 2 * (8 + 16);
/** Its time tells when the folder was last tidied: looking at thousands of files takes a second start longer than all else. */
const TIDIED = "tidied";
/** Of every version. */
const MARK: Mark = { name: new RegExp(`^(?:[0-9a-f]{32}\\.log|${TIDIED})$`), begins: /^dedup-inspector / };
const KEEP_DAYS = 90;
const HOUR_MS = 3_600_000;

export interface CachedFigures {
  readonly path: string;
  readonly identity: LogIdentity;
  /** The settings under which `data` was computed. */
  readonly settings: string;
  /** The same for the strategies; undefined where they were not asked for. */
  readonly strategies: string | undefined;
  readonly data: LogData;
}

export class LogCache {
  readonly folder: string;

  constructor(folder: string = cacheFolder()) {
    this.folder = folder;
  }

  /** In the user's cache folder; undefined where the user has none: nothing is remembered then. */
  static ofUser(): LogCache | undefined {
    try {
      return new LogCache();
    } catch {
      return undefined;
    }
  }

  /** The figures of the last time, whatever the settings were then. */
  figures(path: string): CachedFigures | undefined {
    const figures = this.#part(path, 0) as CachedFigures | undefined;
    return figures?.path === path ? { ...figures, data: withOwnRows(figures.data) } : undefined;
  }

  facts(path: string): SavedLog | undefined {
    return this.#part(path, 1) as SavedLog | undefined;
  }

  /** Failing to write only costs time later. */
  save(figures: CachedFigures, facts: SavedLog): void {
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
      // Nothing was kept.
    }
  }

  /** Forgets logs that were not written to for a season, and what a killed process left behind. */
  tidy(now: number = Date.now()): void {
    const marker = join(this.folder, TIDIED);
    try {
      const tidied = lstatSync(marker, { throwIfNoEntry: false });
      // Ours is empty: a folder with another one in it is somebody else's.
      if (tidied !== undefined && !(tidied.isFile() && tidied.size === 0)) return;
      if (now - (tidied?.mtimeMs ?? 0) < HOUR_MS) return;
      for (const file of filesNamed(this.folder, MARK)) {
        const age = now - file.modified;
        if (age > (file.isWhole ? KEEP_DAYS * 86_400_000 : LEFT_BEHIND_MS)) removeIfOurs(file, MARK);
      }
      writeWholeSync(marker, "");
    } catch {
      // A cache that cannot be tidied still serves.
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

/** Deserialised rows are views of the bytes that were read, which must not be handed to another thread. */
function withOwnRows(data: LogData): LogData {
  const contexts = data.contexts.map(context => ({
    ...context,
    rows: context.rows.slice(),
    ...(context.strategies && { strategies: context.strategies.slice() }),
  }));
  return { ...data, contexts };
}

function readPart(file: ReturnType<typeof openSync>, index: 0 | 1): unknown {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const lengths = [0, 1].map(part => header.readDoubleLE(MAGIC.length + part * 24));
  const [first = 0] = lengths;
  const length = lengths[index] ?? 0;
  const start = HEADER_BYTES + (index === 0 ? 0 : first);
  // A damaged length must not ask for memory that the file cannot fill.
  if (!(start + length <= fstatSync(file).size)) return undefined;
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, bytes.length, start) < bytes.length) return undefined;
  const at = MAGIC.length + index * 24 + 8;
  return checksum(bytes).equals(header.subarray(at, at + 16)) ? deserialize(bytes) : undefined;
}

function checksum(bytes: Buffer): Buffer {
  return Buffer.from(hash("sha256", bytes, "hex").slice(0, 32), "hex");
}

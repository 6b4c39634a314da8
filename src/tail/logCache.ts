/**
 * What was learnt from each log, kept in the user's cache folder so that a second start reads only what changed. One
 * file per log, in two parts: the figures under the settings of the last time, which are read always, and the facts,
 * which are read where the settings differ or the log has grown. A damaged file, or one of another version, is as good
 * as none.
 */
import { hash } from "node:crypto";
import {
  fstatSync,
  mkdirSync,
  type openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { LogData, SavedLog } from "../inspect/logModel.js";
import { cacheFolder } from "./folders.js";
import type { LogIdentity } from "./identity.js";
import { removeIfPossible } from "./keptFiles.js";
import { withOpenFile } from "./readLog.js";

/** Counts up whenever the format or the meaning of anything in it changes. */
const FORMAT = 7;
const MAGIC = Buffer.from(`dedup-inspector ${FORMAT} node ${process.versions.modules}\n`.padEnd(48));
/** Magic, then length and checksum of each part. */
const HEADER_BYTES = MAGIC.length + 2 * (8 + 16);
const KEEP_DAYS = 90;
const HOUR_MS = 3_600_000;
/** Its time tells when the folder was last tidied: looking at thousands of files takes a second start longer than all else. */
const TIDIED = "tidied";

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

  /** The figures of the last time, whatever the settings were then. */
  figures(path: string): CachedFigures | undefined {
    const figures = this.#part(path, 0) as CachedFigures | undefined;
    return figures?.path === path ? { ...figures, data: withOwnRows(figures.data) } : undefined;
  }

  facts(path: string): SavedLog | undefined {
    return this.#part(path, 1) as SavedLog | undefined;
  }

  /** Written whole to another name first: a reader never sees half a file. Failing to write only costs time later. */
  save(figures: CachedFigures, facts: SavedLog): void {
    const parts = [serialize(figures), serialize(facts)];
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    for (const [index, part] of parts.entries()) {
      const at = MAGIC.length + index * 24;
      header.writeDoubleLE(part.length, at);
      checksum(part).copy(header, at + 8);
    }
    const file = this.#fileOf(figures.path);
    const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, Buffer.concat([header, ...parts]), { mode: 0o600 });
      renameSync(temporary, file);
    } catch {
      removeIfPossible(temporary);
    }
  }

  /** Forgets logs that were not written to for a season, and what a killed process left behind. */
  tidy(now: number = Date.now()): void {
    const marker = join(this.folder, TIDIED);
    try {
      if (now - (statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0) < HOUR_MS) return;
      for (const entry of readdirSync(this.folder, { withFileTypes: true })) {
        const { name } = entry;
        // Folders in it belong to others of this program.
        if (!entry.isFile()) continue;
        const file = join(this.folder, name);
        const stats = statSync(file);
        if (stats.isDirectory()) continue;
        const age = now - stats.mtimeMs;
        const isLeftover = !name.endsWith(".log") && age > HOUR_MS;
        if (isLeftover || age > KEEP_DAYS * 86_400_000) rmSync(file, { force: true });
      }
      writeFileSync(marker, "", { mode: 0o600 });
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

/**
 * Keeps entries for many logs in a few files, because creating a file takes longer than writing a log's entry. A pack
 * never changes: it is written whole, and newer entries are in another one. So any number of threads and processes may
 * read and write at once. Small packs are merged into larger ones, without outdated entries.
 */
import { closeSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/makeFolder.js";
import { openRegularFile } from "../files/openFile.js";
import { GrowingFile, removeIfPossible } from "../files/wholeFile.js";
import {
  aboutOf,
  endOf,
  extentOf,
  movedTo,
  type Parts,
  piecesOf,
  RECORD_BYTES,
  readIndex,
  recordOf,
  textOfKey,
  writtenOf,
} from "./packLayout.js";

export const PACK_NAME = /^[0-9a-z]+\.pack$/;
/** A killed process loses no more than this. */
const MAX_PACK_BYTES = 8 * 1024 * 1024;
/** Small packs are merged if there are more than this. */
const MANY = 16;
/** The maximum number of open files. */
const MAX_OPEN = 8;

interface Pack {
  readonly path: string;
  readonly bytes: number;
  readonly index: Buffer;
}

/** The place of a piece's record. */
interface Place {
  readonly pack: Pack;
  readonly at: number;
}

export class Packs {
  readonly #folder: string;
  readonly #magic: Buffer;
  /** By name; undefined if it is of another version, or damaged. */
  readonly #packs = new Map<string, Pack | undefined>();
  /** By key, the newest. */
  readonly #places = new Map<string, Place>();
  readonly #open = new Map<Pack, number>();
  #growing: { readonly file: GrowingFile; readonly records: Buffer[] } | undefined;
  #users = 0;

  /** `magic`: the start and end of packs of this version. */
  constructor(folder: string, magic: Buffer) {
    this.#folder = folder;
    this.#magic = magic;
  }

  /** Meanwhile, the folder is checked only once, and additions go into as few packs as possible. */
  together<T>(use: () => T): T {
    if (this.#users === 0) this.#look();
    this.#users++;
    try {
      return use();
    } finally {
      this.#users--;
      if (this.#users === 0) this.#end();
    }
  }

  /** What the entry under a key is about. */
  about(key: Buffer): Buffer | undefined {
    const place = this.together(() => this.#places.get(textOfKey(key)));
    return place && aboutOf(recordAt(place));
  }

  /** Undefined if there is nothing under the key, or nothing usable. `record`: describes the parts in the file. */
  use<T>(key: Buffer, use: (file: number, record: Buffer) => T): T | undefined {
    return this.together(() => {
      const place = this.#places.get(textOfKey(key));
      try {
        return place && use(this.#fileOf(place.pack), recordAt(place));
      } catch {
        // It may have been merged meanwhile.
        return undefined;
      }
    });
  }

  /** A failed write only costs time later. */
  add(key: Buffer, about: Buffer, parts: Parts): void {
    this.together(() => {
      try {
        this.#append(piecesOf(parts), start => recordOf(key, about, start, Date.now(), parts));
      } catch {
        this.#abandon();
      }
    });
  }

  /** Merges packs that are mostly outdated, and removes those that are completely. `since`: the oldest to keep. */
  tidy(since: number): void {
    this.together(() => {
      const isOutdated = (pack: Pack) => {
        const live = this.#live(pack, since).reduce((sum, place) => sum + extentOf(recordAt(place)).length, 0);
        return live < pack.bytes / 2;
      };
      this.#gather(
        [...this.#packs.values()].flatMap(pack => (pack && isOutdated(pack) ? pack : [])),
        since,
      );
    });
  }

  #append(pieces: readonly Uint8Array[], record: (start: number) => Buffer): void {
    this.#growing ??= { file: this.#begin(), records: [] };
    const { file, records } = this.#growing;
    records.push(record(file.length));
    file.append(pieces);
    if (file.length > MAX_PACK_BYTES) this.#finish();
  }

  #begin(): GrowingFile {
    makeFolder(this.#folder);
    const name = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}.pack`;
    const file = new GrowingFile(join(this.#folder, name));
    file.append([this.#magic]);
    return file;
  }

  #finish(): void {
    if (this.#growing === undefined) return;
    const { file, records } = this.#growing;
    file.append(endOf(Buffer.concat(records), file.length, this.#magic));
    file.finish();
    this.#growing = undefined;
  }

  #abandon(): void {
    this.#growing?.file.abandon();
    this.#growing = undefined;
  }

  #end(): void {
    try {
      const hasNew = this.#growing !== undefined;
      this.#finish();
      if (hasNew) this.#gatherSmall();
    } catch {
      this.#abandon();
    }
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  #gatherSmall(): void {
    this.#look();
    const small = [...this.#packs.values()].flatMap(pack => (pack && pack.bytes < MAX_PACK_BYTES / 2 ? pack : []));
    if (small.length > MANY) this.#gather(small, 0);
  }

  /** Removes the packs once all of their current entries are elsewhere. */
  #gather(packs: readonly Pack[], since: number): void {
    for (const place of packs.flatMap(pack => this.#live(pack, since))) {
      const record = recordAt(place);
      const { start, length } = extentOf(record);
      const bytes = Buffer.allocUnsafe(length);
      // Damaged parts stay damaged, which is detected on use.
      readSync(this.#fileOf(place.pack), bytes, 0, length, start);
      this.#append([bytes], start => movedTo(start, record));
    }
    this.#finish();
    for (const { path } of packs) removeIfPossible(path);
  }

  #live(pack: Pack, since: number): Place[] {
    return placesIn(pack).filter(({ at }) => {
      const newest = this.#places.get(textOfKey(pack.index, at));
      return newest?.pack === pack && newest.at === at && writtenOf(pack.index, at) >= since;
    });
  }

  /** Finds what other threads and processes have added or merged. */
  #look(): void {
    const names = new Set(this.#names());
    const isSame = names.size === this.#packs.size && [...names].every(name => this.#packs.has(name));
    if (isSame) return;
    for (const name of this.#packs.keys()) if (!names.has(name)) this.#packs.delete(name);
    for (const name of names) if (!this.#packs.has(name)) this.#packs.set(name, this.#read(name));
    this.#places.clear();
    const now = Date.now();
    for (const pack of this.#packs.values()) for (const place of pack ? placesIn(pack) : []) this.#place(place, now);
  }

  #place(place: Place, now: number): void {
    const key = textOfKey(place.pack.index, place.at);
    const other = this.#places.get(key);
    const isNewer = other === undefined || writtenIn(place, now) >= writtenIn(other, now);
    if (isNewer) this.#places.set(key, place);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter(name => PACK_NAME.test(name))
        .sort();
    } catch {
      // Nothing has been remembered yet.
      return [];
    }
  }

  #read(name: string): Pack | undefined {
    const path = join(this.#folder, name);
    try {
      const { file } = openRegularFile(path);
      try {
        const read = readIndex(file, this.#magic);
        return read && { path, ...read };
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  #fileOf(pack: Pack): number {
    const known = this.#open.get(pack);
    if (known !== undefined) return known;
    for (const [first, file] of this.#open) {
      if (this.#open.size < MAX_OPEN) break;
      closeSync(file);
      this.#open.delete(first);
    }
    const { file } = openRegularFile(pack.path);
    this.#open.set(pack, file);
    return file;
  }
}

function placesIn(pack: Pack): Place[] {
  return Array.from({ length: pack.index.length / RECORD_BYTES }, (_, which) => ({ pack, at: which * RECORD_BYTES }));
}

function recordAt({ pack, at }: Place): Buffer {
  return pack.index.subarray(at, at + RECORD_BYTES);
}

/** What was written while the clock was ahead counts as the oldest: otherwise, nothing newer would be found until then. */
function writtenIn({ pack, at }: Place, now: number): number {
  const written = writtenOf(pack.index, at);
  return written <= now ? written : 0;
}

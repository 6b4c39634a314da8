/**
 * What is remembered of many logs in a few files, because making a file takes longer than writing what is known of a log.
 * A pack is never changed: it is written whole, and what is newer is in another one. So any number of threads and
 * processes may read and write at once. Small packs are gathered into larger ones, without what is outdated.
 */
import { closeSync, mkdirSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
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
/** A killed process loses no more. */
const MAX_PACK_BYTES = 8 * 1024 * 1024;
/** More small ones than these are gathered. */
const MANY = 16;
/** Of files that are open at once. */
const MAX_OPEN = 8;

interface Pack {
  readonly path: string;
  readonly bytes: number;
  readonly index: Buffer;
}

/** Where the record of a piece is. */
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

  /** `magic`: how packs of this version begin and end. */
  constructor(folder: string, magic: Buffer) {
    this.#folder = folder;
    this.#magic = magic;
  }

  /** Meanwhile, the folder is looked at once, and what is added goes into as few packs as possible. */
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

  /** What it is about that is under a key. */
  about(key: Buffer): Buffer | undefined {
    const place = this.together(() => this.#places.get(textOfKey(key)));
    return place && aboutOf(recordAt(place));
  }

  /** Undefined if there is nothing under the key, or it cannot be used. `record`: tells what the parts in the file are. */
  use<T>(key: Buffer, use: (file: number, record: Buffer) => T): T | undefined {
    return this.together(() => {
      const place = this.#places.get(textOfKey(key));
      try {
        return place && use(this.#fileOf(place.pack), recordAt(place));
      } catch {
        // Perhaps it was gathered meanwhile.
        return undefined;
      }
    });
  }

  /** Failing to write only costs time later. */
  add(key: Buffer, about: Buffer, parts: Parts): void {
    this.together(() => {
      try {
        this.#append(piecesOf(parts), start => recordOf(key, about, start, Date.now(), parts));
      } catch {
        this.#abandon();
      }
    });
  }

  /**
   * Gathers packs of which most is outdated, and removes those of which all is. `since`: what is older is outdated.
   */
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
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
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

  /** They are removed when everything in them that is not outdated is elsewhere. */
  #gather(packs: readonly Pack[], since: number): void {
    for (const place of packs.flatMap(pack => this.#live(pack, since))) {
      const record = recordAt(place);
      const { start, length } = extentOf(record);
      const bytes = Buffer.allocUnsafe(length);
      // What is damaged stays so, and is noticed when it is used.
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

  /** Finds what other threads and processes have added or gathered. */
  #look(): void {
    const names = new Set(this.#names());
    const isSame = names.size === this.#packs.size && [...names].every(name => this.#packs.has(name));
    if (isSame) return;
    for (const name of this.#packs.keys()) if (!names.has(name)) this.#packs.delete(name);
    for (const name of names) if (!this.#packs.has(name)) this.#packs.set(name, this.#read(name));
    this.#places.clear();
    for (const pack of this.#packs.values()) for (const place of pack ? placesIn(pack) : []) this.#place(place);
  }

  #place(place: Place): void {
    const key = textOfKey(place.pack.index, place.at);
    const other = this.#places.get(key);
    const isNewer = other === undefined || writtenIn(place) >= writtenIn(other);
    if (isNewer) this.#places.set(key, place);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter(name => PACK_NAME.test(name))
        .sort();
    } catch {
      // Nothing was remembered yet.
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

function writtenIn({ pack, at }: Place): number {
  return writtenOf(pack.index, at);
}

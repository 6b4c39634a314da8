/**
 * The layout of a pack: its magic bytes, the pieces, an index with a record for each piece, the offset of the index, and
 * the magic bytes again. Each piece has three parts, which are aligned for reading numbers.
 */
import { fstatSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { aligned } from "../kernel/factBytes.js";

/** Of a key, and of what a piece is about. */
export const DIGEST_BYTES = 16;
const KEY = 0;
const ABOUT = DIGEST_BYTES;
const START = 2 * DIGEST_BYTES;
const WRITTEN = START + 8;
/** The length and the checksum of each part. */
const PARTS = WRITTEN + 8;
const PART_BYTES = 16;
const PART_COUNT = 3;
export const RECORD_BYTES = PARTS + PART_COUNT * PART_BYTES;

/** The offset of the index, its length and its checksum. */
const TRAILER_BYTES = 24;

type Room = (bytes: number) => Buffer<ArrayBuffer>;

/** Each in pieces: joining large ones would take as much memory again. */
export type Parts = readonly [Pieces, Pieces, Pieces];
type Pieces = readonly Uint8Array[];

/** `start`: the offset of the parts in the pack. `written`: in milliseconds since 1970. */
export function recordOf(key: Buffer, about: Buffer, start: number, written: number, parts: Parts): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  key.copy(record, KEY);
  about.copy(record, ABOUT);
  record.writeDoubleLE(start, START);
  record.writeDoubleLE(written, WRITTEN);
  for (const [index, part] of parts.entries()) {
    record.writeDoubleLE(lengthOf(part), partAt(index));
    record.writeUInt32LE(checksumOf(part), partAt(index) + 8);
  }
  return record;
}

/** The record for a copy of the parts elsewhere. */
export function movedTo(start: number, record: Buffer): Buffer {
  const moved = Buffer.from(record);
  moved.writeDoubleLE(start, START);
  return moved;
}

/** The parts as written, with padding. */
export function piecesOf(parts: Parts): Uint8Array[] {
  return parts.flatMap(part => [...part, new Uint8Array(aligned(lengthOf(part)) - lengthOf(part))]);
}

function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function checksumOf(pieces: Pieces): number {
  // For no bytes at all, it would be 0, whatever came before.
  return pieces.reduce((sum, piece) => (piece.length === 0 ? sum : crc32(piece, sum)), 0);
}

/** As the key of a map. */
export function textOfKey(index: Buffer, at = 0): string {
  return index.toString("latin1", at + KEY, at + KEY + DIGEST_BYTES);
}

export function aboutOf(record: Buffer): Buffer {
  return record.subarray(ABOUT, ABOUT + DIGEST_BYTES);
}

export function writtenOf(index: Buffer, at = 0): number {
  return index.readDoubleLE(at + WRITTEN);
}

/** The offset and length of all parts together. */
export function extentOf(record: Buffer): { readonly start: number; readonly length: number } {
  const length = lengthsOf(record).reduce((sum, part) => sum + aligned(part), 0);
  return { start: record.readDoubleLE(START), length };
}

/**
 * Consecutive parts, each aligned for reading numbers; undefined if any of them is damaged. `room`: provides a buffer of
 * that many bytes.
 */
export function readParts(
  file: number,
  record: Buffer,
  from: number,
  to: number,
  room: Room = Buffer.allocUnsafe,
): Buffer<ArrayBuffer>[] | undefined {
  const lengths = lengthsOf(record);
  const before = (index: number) => lengths.slice(0, index).reduce((sum, length) => sum + aligned(length), 0);
  const size = before(to - 1) + (lengths[to - 1] ?? 0) - before(from);
  const bytes = readExactly(file, record.readDoubleLE(START) + before(from), size, room);
  const parts = lengths.slice(from, to).map((length, index) => {
    const start = before(from + index) - before(from);
    return bytes?.subarray(start, start + length);
  });
  const isWhole = (part: Buffer<ArrayBuffer> | undefined, index: number): part is Buffer<ArrayBuffer> =>
    part !== undefined && crc32(part) === record.readUInt32LE(partAt(from + index) + 8);
  return parts.every(isWhole) ? parts : undefined;
}

/** What follows the pieces. */
export function endOf(index: Buffer, start: number, magic: Buffer): Uint8Array[] {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeDoubleLE(start, 0);
  trailer.writeDoubleLE(index.length, 8);
  trailer.writeUInt32LE(crc32(index), 16);
  return [index, trailer, magic];
}

/** Undefined if the file is not a pack of this version, or is incomplete. */
export function readIndex(file: number, magic: Buffer): { readonly index: Buffer; readonly bytes: number } | undefined {
  const { size } = fstatSync(file);
  const end = readExactly(file, size - TRAILER_BYTES - magic.length, TRAILER_BYTES + magic.length);
  if (end === undefined || !end.subarray(TRAILER_BYTES).equals(magic)) return undefined;
  if (readExactly(file, 0, magic.length)?.equals(magic) !== true) return undefined;
  const [start, length] = [end.readDoubleLE(0), end.readDoubleLE(8)];
  if (start + length + end.length !== size || length % RECORD_BYTES !== 0) return undefined;
  const index = readExactly(file, start, length);
  if (index === undefined || crc32(index) !== end.readUInt32LE(16)) return undefined;
  return isWithin(index, start) ? { index, bytes: size } : undefined;
}

/** Whether all pieces are within the file: none may allocate more memory than the file can fill. */
function isWithin(index: Buffer, end: number): boolean {
  for (let at = 0; at < index.length; at += RECORD_BYTES) {
    let to = index.readDoubleLE(at + START);
    let isPlace = to >= 0;
    for (let part = 0; part < PART_COUNT; part++) {
      const length = index.readDoubleLE(at + partAt(part));
      isPlace &&= length >= 0;
      to += aligned(length);
    }
    if (!(isPlace && to <= end)) return false;
  }
  return true;
}

function readExactly(
  file: number,
  start: number,
  length: number,
  room: Room = Buffer.allocUnsafe,
): Buffer<ArrayBuffer> | undefined {
  if (!(start >= 0 && length >= 0)) return undefined;
  const bytes = room(length);
  return readSync(file, bytes, 0, length, start) === length ? bytes : undefined;
}

function lengthsOf(record: Buffer): number[] {
  return Array.from({ length: PART_COUNT }, (_, index) => record.readDoubleLE(partAt(index)));
}

function partAt(index: number): number {
  return PARTS + index * PART_BYTES;
}

/**
 * The one place where the pure folders touch Node's Buffer: its byte search and its UTF-8 decoder are the fastest
 * there are in JavaScript, and everything the log folder does rests on them.
 */
import { Buffer } from "node:buffer";

export type Bytes = Buffer;

export const NEWLINE = 0x0a;

export function bytesOf(text: string): Bytes {
  return Buffer.from(text, "utf8");
}

export function joinBytes(parts: readonly Bytes[]): Bytes {
  return Buffer.concat(parts);
}

/** A copy that stays valid when the reader fills its chunk buffer again. */
export function copyBytes(bytes: Bytes, start: number, end: number): Bytes {
  return Buffer.from(bytes.subarray(start, end));
}

export function textOf(bytes: Bytes, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

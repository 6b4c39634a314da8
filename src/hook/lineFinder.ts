/**
 * Finds lines of a log that are no longer in the state. They are needed if a conversation is rewound a long way, or
 * continues from an old line: rarely enough to search the log itself, backwards from its end.
 */
import { readSync } from "node:fs";
import { NEWLINE } from "../log/bytes.js";
import { isCall } from "../log/calls.js";
import { contextIdOf, parentOf, standInsOf } from "../log/contextRules.js";
import type { IndexedLine } from "../log/lineIndex.js";
import { MAX_LINE_BYTES } from "../log/lineSplitter.js";
import { blocksOf, type LogRecord, recordOf } from "../log/record.js";

/** A stretch of whole lines of an open log. */
export interface Stretch {
  readonly file: number;
  /** The subagent whose log it is. Only lines of its context, or of the main conversation, are found. */
  readonly agentOfFile: string | undefined;
  readonly begin: number;
  readonly end: number;
  /** The number of lines up to its end, as the reader counts them. */
  readonly lines: number;
}

/** The limit for all searches of one call together. Anything not found counts as unreachable. */
const MAX_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Between a line and the call before it there are a few prompts, answers and reminders. */
const MAX_STEPS = 256;

interface FoundLine {
  readonly record: LogRecord;
  readonly line: number;
}

const UUID = Buffer.from('"uuid":"');
const QUOTE = '"'.charCodeAt(0);

export class LineFinder {
  readonly #stretch: Stretch;
  readonly #missing = new Set<string>();
  #bytesLeft = MAX_BYTES;
  hasSearched = false;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
  }

  /** The newest line with this uuid, and its node (see `ParentLinks`): the newest call on its parent chain. */
  find(uuid: string): IndexedLine | undefined {
    const { begin, end } = this.#stretch;
    if (begin === end || this.#missing.has(uuid)) return undefined;
    this.hasSearched = true;
    const found = this.#search(uuid);
    if (found === undefined) this.#missing.add(uuid);
    return found;
  }

  /** Copies keep the first line's place, so all lines are searched, once for the whole chain. */
  #search(uuid: string): IndexedLine | undefined {
    // For each line of the chain, its uuid, after those that it stands in for.
    const chain: (readonly string[])[] = [[uuid]];
    const keys = new Set([keyOf(uuid)]);
    let newest = 0;
    let node = 0;
    const isComplete = this.#eachLine(keys, ({ record, line }) => {
      const at = chain.findIndex(uuids => uuids.includes(record.uuid as string));
      const uuids = chain[at];
      if (uuids === undefined) return;
      if (newest === 0) newest = line;
      // What was found after this line came from its copy.
      chain.length = at;
      chain.push(uuids.slice(0, uuids.indexOf(record.uuid as string) + 1));
      node = record.type === "assistant" && blocksOf(record).some(isCall) ? line : 0;
      const parent = parentOf(record);
      if (node > 0 || typeof parent !== "string" || chain.length >= MAX_STEPS) return;
      const parents = [parent, ...standInsOf(record)];
      chain.push(parents);
      for (const one of parents) keys.add(keyOf(one));
    });
    return isComplete && newest > 0 ? { line: newest, node } : undefined;
  }

  /** Visits the lines with the uuids of these keys, from the last to the first; false if there is too much to read. */
  #eachLine(keys: ReadonlySet<string>, visit: (found: FoundLine) => void): boolean {
    const agent = this.#stretch.agentOfFile;
    let line = this.#stretch.lines;
    let end = this.#stretch.end;
    while (end > this.#stretch.begin) {
      const piece = this.#pieceBefore(end);
      if (piece === undefined) return false;
      const start = end - piece.length;
      let upTo = piece.length;
      for (let at = piece.lastIndexOf(UUID); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf(UUID, at - 1)) {
        const close = piece.indexOf(QUOTE, at + UUID.length);
        // Without a quote, the uuid continues after the piece.
        if (close >= 0 && !keys.has(piece.toString("latin1", at + UUID.length, close))) continue;
        line -= newlines(piece, at, upTo);
        upTo = at;
        // The newline before the offset belongs to the last of the lines.
        const found = this.#lineAt(start + at, line + 1);
        if (this.#bytesLeft < 0) return false;
        if (found !== undefined && contextIdOf(found.record, agent) === (agent ?? "main")) visit(found);
      }
      // The search text may span two pieces.
      const overlap = start === this.#stretch.begin ? 0 : Math.min(upTo, UUID.length - 1);
      line -= newlines(piece, overlap, upTo);
      end = start + overlap;
    }
    return true;
  }

  #pieceBefore(end: number): Buffer | undefined {
    const start = Math.max(this.#stretch.begin, end - PIECE_BYTES);
    if (this.#bytesLeft < end - start) return undefined;
    const piece = this.#read(start, end);
    return piece.length === end - start ? piece : undefined;
  }

  /** The line around an offset. */
  #lineAt(position: number, line: number): FoundLine | undefined {
    const begin = this.#edge(position, -1);
    const end = this.#edge(position, 1);
    if (end - begin > MAX_LINE_BYTES) return undefined;
    const record = recordOf(this.#read(begin, end).toString("utf8"));
    return record && { record, line };
  }

  /** The nearest start or end of a line. */
  #edge(position: number, direction: -1 | 1): number {
    const { begin, end } = this.#stretch;
    for (let at = position; direction < 0 ? at > begin : at < end; ) {
      const other = Math.min(end, Math.max(begin, at + direction * 64 * 1024));
      const piece = this.#read(Math.min(at, other), Math.max(at, other));
      const newline = direction < 0 ? piece.lastIndexOf(NEWLINE) : piece.indexOf(NEWLINE);
      if (newline >= 0) return Math.min(at, other) + newline + (direction < 0 ? 1 : 0);
      at = other;
    }
    return direction < 0 ? begin : end;
  }

  #read(start: number, end: number): Buffer {
    this.#bytesLeft -= end - start;
    const bytes = Buffer.allocUnsafe(end - start);
    return bytes.subarray(0, readSync(this.#stretch.file, bytes, 0, bytes.length, start));
  }
}

/** How a uuid begins in the log: up to the first quote, as bytes. */
function keyOf(uuid: string): string {
  const bytes = Buffer.from(JSON.stringify(uuid));
  return bytes.toString("latin1", 1, bytes.indexOf(QUOTE, 1));
}

/** The number of newlines in bytes[start, end). */
function newlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

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
  readonly begin: number;
}

export class LineFinder {
  readonly #stretch: Stretch;
  readonly #missing = new Set<string>();
  #bytesLeft = MAX_BYTES;
  hasSearched = false;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
  }

  /** A line with its node (see `ParentLinks`): the newest call on its parent chain. */
  find(uuid: string): IndexedLine | undefined {
    const { begin, end, lines } = this.#stretch;
    if (begin === end || this.#missing.has(uuid)) return undefined;
    this.hasSearched = true;
    const found = this.#lineWith(uuid, end, lines);
    if (found === undefined) this.#missing.add(uuid);
    return found && { line: found.line, node: this.#callBefore(found) };
  }

  #callBefore(from: FoundLine): number {
    let at: FoundLine | undefined = from;
    for (let steps = 0; at !== undefined && steps < MAX_STEPS; steps++) {
      if (at.record.type === "assistant" && blocksOf(at.record).some(isCall)) return at.line;
      at = this.#parentOf(at);
    }
    return 0;
  }

  #parentOf({ record, begin, line }: FoundLine): FoundLine | undefined {
    const parent = parentOf(record);
    if (typeof parent !== "string") return undefined;
    for (const uuid of [parent, ...standInsOf(record)]) {
      const found = this.#lineWith(uuid, begin, line - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The last line with this uuid before an offset; `lines` is the number of lines up to there. */
  #lineWith(uuid: string, before: number, lines: number): FoundLine | undefined {
    const wanted = Buffer.from(`"uuid":${JSON.stringify(uuid)}`);
    let line = lines;
    let end = before;
    while (end > this.#stretch.begin) {
      const piece = this.#pieceBefore(end);
      if (piece === undefined) return undefined;
      const start = end - piece.length;
      let upTo = piece.length;
      for (let at = piece.lastIndexOf(wanted); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf(wanted, at - 1)) {
        line -= newlines(piece, at, upTo);
        upTo = at;
        // The newline before the offset belongs to the last of the lines.
        const found = this.#lineAt(start + at, line + 1);
        if (found?.record.uuid !== uuid) continue;
        const agent = this.#stretch.agentOfFile;
        if (contextIdOf(found.record, agent) === (agent ?? "main")) return found;
      }
      // The uuid may span two pieces.
      const overlap = start === this.#stretch.begin ? 0 : Math.min(upTo, wanted.length - 1);
      line -= newlines(piece, overlap, upTo);
      end = start + overlap;
    }
    return undefined;
  }

  #pieceBefore(end: number): Buffer | undefined {
    const start = Math.max(this.#stretch.begin, end - PIECE_BYTES);
    this.#bytesLeft -= end - start;
    if (this.#bytesLeft < 0) return undefined;
    const piece = this.#read(start, end);
    return piece.length === end - start ? piece : undefined;
  }

  /** The line around an offset. */
  #lineAt(position: number, line: number): FoundLine | undefined {
    const begin = this.#edge(position, -1);
    const end = this.#edge(position, 1);
    if (end - begin > MAX_LINE_BYTES) return undefined;
    const record = recordOf(this.#read(begin, end).toString("utf8"));
    return record && { record, line, begin };
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
    const bytes = Buffer.allocUnsafe(end - start);
    return bytes.subarray(0, readSync(this.#stretch.file, bytes, 0, bytes.length, start));
  }
}

/** The number of newlines in bytes[start, end). */
function newlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

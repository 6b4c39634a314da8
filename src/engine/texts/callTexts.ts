/** Reads the texts of single calls from the log, at the offsets in their rows. */
import { readSync } from "node:fs";
import { withOpenFile } from "../../files/openFile.js";
import { bodyOf, membersOf } from "../../log/record.js";
import { strings } from "../../words/strings.js";

const CHUNK_BYTES = 64 * 1024;
/** Longer lines are cut: they are for display. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Deeper nesting is not indented: the indentation grows with the square of the depth. */
const MAX_INDENTED = 100;

/** The line at this byte offset, without its newline. */
export function lineAt(path: string, offset: number): string {
  return withOpenFile(path, file => {
    const pieces: Buffer[] = [];
    for (let at = offset; at - offset < MAX_LINE_BYTES; ) {
      const piece = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(file, piece, 0, CHUNK_BYTES, at);
      const newline = piece.subarray(0, length).indexOf(0x0a);
      pieces.push(piece.subarray(0, newline < 0 ? length : newline));
      if (newline >= 0 || length === 0) break;
      at += length;
    }
    return Buffer.concat(pieces).toString("utf8");
  });
}

/** The text of the result of call `id` on the line at `offset`; null if it is not only text. */
export function resultText(path: string, offset: number, id: string): string | null {
  const line = lineOrNone(path, offset);
  const block = blocksOf(line).find(one => one["tool_use_id"] === id);
  if (block !== undefined) return bodyOf(block["content"]);
  // Hardly anything but pictures makes a line that long.
  if (Buffer.byteLength(line) >= MAX_LINE_BYTES) return null;
  throw new Error(strings.failures.resultGone);
}

/** One member of the input of call `id`; null if it is missing or not a string. */
export function inputMember(path: string, offset: number, id: string, name: string): string | null {
  const block = offset < 0 ? undefined : blocksAt(path, offset).find(one => one["id"] === id);
  const member = membersOf(block?.["input"])[name];
  return typeof member === "string" ? member : null;
}

/** The input of call `id`, as readable lines. */
export function inputText(path: string, offset: number, id: string): string {
  if (offset < 0) return "";
  const block = blocksAt(path, offset).find(one => one["id"] === id);
  return readable(block?.["input"]);
}

/** `key: value` lines; a text of several lines starts below its key. */
function readable(input: unknown): string {
  if (typeof input !== "object" || input === null) return input === undefined ? "" : String(input);
  return Object.entries(input)
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : readableJson(value);
      return text.includes("\n") ? `${key}:\n${text}` : `${key}: ${text}`;
    })
    .join("\n");
}

function blocksAt(path: string, offset: number): Record<string, unknown>[] {
  return blocksOf(lineOrNone(path, offset));
}

/** Empty if the log is gone. */
function lineOrNone(path: string, offset: number): string {
  try {
    return lineAt(path, offset);
  } catch {
    return "";
  }
}

function blocksOf(text: string): Record<string, unknown>[] {
  try {
    const line: { message?: { content?: unknown } } = JSON.parse(text);
    const content = line.message?.content;
    return Array.isArray(content) ? content.filter(one => typeof one === "object" && one !== null) : [];
  } catch {
    // The log has been rewritten since it was read: the next read will notice.
    return [];
  }
}

/** A value as JSON for display: indented, or on one line if it is nested too deeply for that. */
export function readableJson(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, isDeep(value) ? 0 : 2) ?? "";
  } catch {
    return "(nested too deeply to be shown)";
  }
}

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_INDENTED; depth++) {
    level = level.flatMap(one => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

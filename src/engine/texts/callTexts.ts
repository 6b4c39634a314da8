/** Reads the texts of single calls back from the log, where the rows say they stand. */
import { readSync } from "node:fs";
import { withOpenFile } from "../../files/openFile.js";
import { bodyOf } from "../../log/record.js";
import { readableJson } from "./readableJson.js";

const CHUNK_BYTES = 64 * 1024;
/** A line longer than this is cut: it is read for people. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The line that begins at this byte, without its newline. */
export function lineAt(path: string, offset: number): string {
  return withOpenFile(path, file => {
    const pieces: Buffer[] = [];
    for (let at = offset; at - offset < MOST_BYTES; ) {
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

/** The text of the result of call `id` on the line at `offset`; null where it is not only text. */
export function resultText(path: string, offset: number, id: string): string | null {
  const block = blocksAt(path, offset).find(one => one["tool_use_id"] === id);
  return bodyOf(block?.["content"]);
}

/** One text of the input of call `id`; null where it has no such member. */
export function inputMember(path: string, offset: number, id: string, name: string): string | null {
  const block = offset < 0 ? undefined : blocksAt(path, offset).find(one => one["id"] === id);
  const { input } = block ?? {};
  const member = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof member === "string" ? member : null;
}

/** The input of call `id`, as readable lines. */
export function inputText(path: string, offset: number, id: string): string {
  if (offset < 0) return "";
  const block = blocksAt(path, offset).find(one => one["id"] === id);
  return readable(block?.["input"]);
}

/** `key: value` lines; texts of several lines stand below their key. */
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
  try {
    const line = JSON.parse(lineAt(path, offset)) as { message?: { content?: unknown } };
    const content = line.message?.content;
    return Array.isArray(content) ? content.filter(one => typeof one === "object" && one !== null) : [];
  } catch {
    // The log has been rewritten since it was read: the next look at it will tell.
    return [];
  }
}

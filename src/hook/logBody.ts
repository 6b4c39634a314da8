import { readSync } from "node:fs";
import { withOpenFile } from "../files/openFile.js";
import { joinBytes, NEWLINE } from "../log/bytes.js";
import { MAX_LINE_BYTES } from "../log/lineSplitter.js";
import { bodyOf } from "../log/record.js";

const PIECE_BYTES = 64 * 1024;

/** Where a result is in a log. */
interface Place {
  readonly id: string;
  readonly offset: number;
}

/** The texts of results, as they are in the log; undefined for one that is not there. */
export function bodiesInLog(log: string, places: readonly Place[]): (string | undefined)[] {
  return withOpenFile(log, file => places.map(place => bodyAt(file, place)));
}

function bodyAt(file: number, { id, offset }: Place): string | undefined {
  const line = JSON.parse(lineAt(file, offset)) as {
    message?: { content?: readonly { type?: string; tool_use_id?: string; content?: unknown }[] };
  };
  const block = line.message?.content?.find(one => one.type === "tool_result" && one.tool_use_id === id);
  return block === undefined ? undefined : (bodyOf(block.content) ?? undefined);
}

function lineAt(file: number, offset: number): string {
  const pieces: Buffer[] = [];
  for (let at = offset; at - offset < MAX_LINE_BYTES; at += PIECE_BYTES) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const bytes = piece.subarray(0, readSync(file, piece, 0, PIECE_BYTES, at));
    const end = bytes.indexOf(NEWLINE);
    pieces.push(end < 0 ? bytes : bytes.subarray(0, end));
    if (end >= 0 || bytes.length < PIECE_BYTES) break;
  }
  return joinBytes(pieces).toString("utf8");
}

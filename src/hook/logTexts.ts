import { readSync } from "node:fs";
import { withOpenFile } from "../files/openFile.js";
import { joinBytes, NEWLINE } from "../log/bytes.js";
import { MAX_LINE_BYTES } from "../log/lineSplitter.js";
import { blocksOf, bodyOf, type LogRecord, type Members, membersOf, recordOf, stringOf } from "../log/record.js";
import type { TextPlace } from "./liveContext.js";

const PIECE_BYTES = 64 * 1024;

/** The texts of results and of calls' inputs, as they are in a log. */
export class LogTexts {
  readonly #file: number;
  /** The newest line: a hint often names several parts of one text. */
  #newest: { readonly offset: number; readonly record: LogRecord | undefined } | undefined;

  private constructor(file: number) {
    this.#file = file;
  }

  static with<T>(log: string, use: (texts: LogTexts) => T): T {
    return withOpenFile(log, file => use(new LogTexts(file)));
  }

  /** Undefined if it is not there. */
  at({ id, input, offset }: TextPlace): string | undefined {
    const blocks = blocksOf(this.recordAt(offset) ?? {});
    if (input === undefined) {
      const result = blocks.find(block => block["type"] === "tool_result" && block["tool_use_id"] === id);
      return result && (bodyOf(result["content"]) ?? undefined);
    }
    const call = blocks.find(block => block["type"] === "tool_use" && block["id"] === id);
    return stringOf(membersOf(call?.["input"])[input]);
  }

  /** What the tool returned, in its own shape. */
  responseAt(offset: number): Members {
    return membersOf(this.recordAt(offset)?.toolUseResult);
  }

  recordAt(offset: number): LogRecord | undefined {
    if (this.#newest?.offset !== offset) this.#newest = { offset, record: recordOf(lineAt(this.#file, offset)) };
    return this.#newest.record;
  }
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
  const [first] = pieces;
  return (pieces.length === 1 && first ? first : joinBytes(pieces)).toString("utf8");
}

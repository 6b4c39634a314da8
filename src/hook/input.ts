/** What Claude Code writes to the hook's stdin. */
import { readSync } from "node:fs";
import { MAX_LINE_BYTES } from "../log/lineSplitter.js";
import { orWait } from "./ownFile.js";

const PIECE_BYTES = 64 * 1024;
const MAX_WAIT_MS = 5000;
const CLOSING_BRACE = 0x7d;
const NEWLINE = 0x0a;

/**
 * The event as an object, as soon as it is complete: the sender may leave the pipe open. Throws if it is not JSON, or
 * longer than a log line may be.
 */
export function readInput(): unknown {
  const pieces: Buffer[] = [];
  const deadline = Date.now() + MAX_WAIT_MS;
  for (let bytes = 0; bytes <= MAX_LINE_BYTES; ) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const length = orWait(deadline, () => readOrEnd(piece));
    if (length === 0) return JSON.parse(textOf(pieces));
    bytes += length;
    pieces.push(piece.subarray(0, length));
    const whole = seemsWhole(piece, length) ? parsed(textOf(pieces)) : undefined;
    if (whole !== undefined) return whole;
  }
  throw new Error("the event is too long");
}

function readOrEnd(piece: Buffer): number {
  try {
    return readSync(0, piece, 0, piece.length, null);
  } catch (error) {
    // On Windows, a closed pipe is an error.
    if ((error as NodeJS.ErrnoException).code === "EOF") return 0;
    throw error;
  }
}

/** Most events arrive in one piece. A script in Windows PowerShell that passes one on may add a byte order mark. */
function textOf(pieces: readonly Buffer[]): string {
  const [first] = pieces;
  const text = (pieces.length === 1 && first ? first : Buffer.concat(pieces)).toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function seemsWhole(piece: Buffer, length: number): boolean {
  const end = piece[length - 1] === NEWLINE ? length - 2 : length - 1;
  return piece[end] === CLOSING_BRACE;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

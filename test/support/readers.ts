/** Runs both readers of facts, in WebAssembly and in JavaScript, on the same log: nothing may differ. */
import { checkReader } from "../fuzz/scanner.js";
import { type Json, logText } from "./log.js";

/** As a whole, and in pieces of this many bytes. */
export function check(log: Buffer | string, pieceBytes = 997, path = "s.jsonl"): void {
  const bytes = Buffer.from(log);
  checkReader(path, [bytes]);
  checkReader(path, piecesOf(bytes, pieceBytes));
}

function piecesOf(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
}

export function checkLines(...lines: readonly (Json | string)[]): void {
  check(logText(...lines), 61);
}

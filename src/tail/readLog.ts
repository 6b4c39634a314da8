import { closeSync, openSync, readSync } from "node:fs";
import type { Bytes } from "../log/bytes.js";

const CHUNK_BYTES = 1024 * 1024;
/** Reused for every file: sinks copy what they keep. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** Hands a file's bytes on in pieces, each valid only during the call. */
export function readLog(path: string, push: (bytes: Bytes) => void): void {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const length = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return;
      push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

import { readSync } from "node:fs";
import { withOpenFile } from "./readLog.js";

const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a file that a person wrote or named: settings, prices, a map. Anything but a regular file is refused
 * (`EINVAL`, a folder `EISDIR`) without ever waiting for it, and so is a file of more than `maxBytes` (`EFBIG`).
 */
export function readSmallFile(path: string, { maxBytes }: { maxBytes: number }): Buffer {
  return withOpenFile(path, file => {
    const pieces: Buffer[] = [];
    // What a file says of its size may be wrong a moment later, and is 0 for those that the system makes up.
    for (let bytes = 0; bytes <= maxBytes; ) {
      const piece = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes + 1 - bytes));
      const length = readSync(file, piece, 0, piece.length, null);
      if (length === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
      bytes += length;
    }
    throw Object.assign(new Error(`larger than ${maxBytes} bytes`), { code: "EFBIG", syscall: "read" });
  });
}

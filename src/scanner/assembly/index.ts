/** What the wrapper (src/scanner/scanner.ts) calls. */
import { blocks, inputs } from "./blocks";
import { cutText, textFlags } from "./cut";
import { counts, head, readLine, slots } from "./line";
import { lineStart, makeRoom, tableStart } from "./room";

export { blocks, counts, cutText, head, inputs, slots, textFlags };

/** Where the line is to be put before `scanLine`; 0 where there is no memory for it. */
export function roomFor(bytes: i32): usize {
  return makeRoom(bytes) ? lineStart() : 0;
}

/** Reads the line that was put there; false where JSON.parse has to decide. */
export function scanLine(bytes: i32): bool {
  return readLine(lineStart(), lineStart() + bytes);
}

/** Where the lines of the text are that was cut last. */
export function table(): usize {
  return tableStart();
}

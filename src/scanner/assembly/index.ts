/** What the wrapper (src/scanner/scanner.ts) calls. */
import { blocks, inputs } from "./blocks";
import { cutText } from "./cut";
import { counts, forgetLine, head, readLine, readLineBefore, slots } from "./line";
import { linesStart, makeRoom, tableStart } from "./room";
import { addShortened, beginText, madeEnd, madeStart } from "./values";

export { blocks, counts, cutText, forgetLine, head, inputs, slots };

/** Where so many bytes, a line or several, are to be put before `scanLine`; 0 where there is no memory for them. */
export function roomFor(bytes: i32): usize {
  return makeRoom(bytes) ? linesStart() : 0;
}

/** Reads a line, see `HEAD_KNOWN`. */
export function scanLine(start: usize, end: usize): void {
  readLine(start, end);
}

/** Reads the line that starts here and returns where it ends; 0 if that is not before `limit`. */
export function scanNext(start: usize, limit: usize): usize {
  return readLineBefore(start, limit);
}

/** Where the lines of the text are that was cut last. */
export function table(): usize {
  return tableStart();
}

/**
 * Copies a value of the line that was read last, with long strings shortened, and returns where the copy begins; 0 where
 * that could change what it says.
 */
export function shortened(start: usize, end: usize): usize {
  beginText();
  return addShortened(start, end) ? madeStart : 0;
}

export function shortenedEnd(): usize {
  return madeEnd;
}

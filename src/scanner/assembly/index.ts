/** What the wrapper (src/scanner/scanner.ts) calls. */
import { blocks, inputs } from "./blocks";
import { cutText } from "./cut";
import { counts, forgetLine, head, readLine, readLineBefore, slots } from "./line";
import { linesStart, makeRoom, tableStart } from "./room";
import { addShortened, beginText, madeEnd, madeStart } from "./values";

export { blocks, counts, cutText, forgetLine, head, inputs, slots };

/** Where to put this many bytes, one line or several, before `scanLine`; 0 if there is no memory for them. */
export function roomFor(bytes: i32): usize {
  return makeRoom(bytes) ? linesStart() : 0;
}

/** Reads a line, see `HEAD_KNOWN`. */
export function scanLine(start: usize, end: usize): void {
  readLine(start, end);
}

/** Reads the line that starts here and returns its end; 0 if that is not before `limit`. */
export function scanNext(start: usize, limit: usize): usize {
  return readLineBefore(start, limit);
}

/** The address of the lines of the text split last. */
export function table(): usize {
  return tableStart();
}

/**
 * Copies a value of the line read last, with long strings shortened, and returns the address of the copy; 0 if that
 * could change its meaning.
 */
export function shortened(start: usize, end: usize): usize {
  beginText();
  return addShortened(start, end) ? madeStart : 0;
}

export function shortenedEnd(): usize {
  return madeEnd;
}

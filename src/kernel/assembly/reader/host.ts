/** What the wrapper (src/kernel/compiledReader.ts) does for the reader, with its own functions. Strings are numbers. */

/** The fingerprint of a result's text. */
export declare function fingerprint(start: usize, end: usize): i32;

/** A result's text that may be near others. `context`: its id. */
export declare function takeText(start: usize, end: usize, fingerprint: i32, context: i32, uuid: i32): void;

/** The absolute path of a call. `cwdStart`: 0 if the line has none. */
export declare function pathOf(start: usize, end: usize, cwdStart: usize, cwdEnd: usize): i32;

/** What a call is about. Missing strings begin at 0. */
export declare function targetOf(
  pathStart: usize,
  pathEnd: usize,
  subjectStart: usize,
  subjectEnd: usize,
  cwdStart: usize,
  cwdEnd: usize,
): i32;

/** Adds the lines of a text with very many, and returns their number of cells. */
export declare function cutLong(start: usize, end: usize): i32;

/** Whether people count or compare the lines of a tool's result. */
export declare function isListing(tool: i32, start: usize, end: usize): bool;

/** The flags for the part of a text that settings hooks can replace, see `hooked`. `responseStart`: 0 if unknown. */
export declare function hookedPart(tool: i32, start: usize, end: usize, responseStart: usize, responseEnd: usize): i32;

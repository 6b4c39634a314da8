/** What the wrapper (src/kernel/compiledReader.ts) does for the reader, by the functions that decide. Strings are their numbers. */

/** The fingerprint of a result's text. `context`: its id. */
export declare function fingerprint(start: usize, end: usize, context: i32, uuid: i32): i32;

/** Seconds since 1970 of a time that is spelled in an odd way. */
export declare function secondsOf(start: usize, end: usize): f64;

/** The path of a call, absolute. `cwdStart`: 0 where the line does not say. */
export declare function pathOf(start: usize, end: usize, cwdStart: usize, cwdEnd: usize): i32;

/** What a call is about. What is not there begins at 0. */
export declare function targetOf(
  pathStart: usize,
  pathEnd: usize,
  subjectStart: usize,
  subjectEnd: usize,
  cwdStart: usize,
  cwdEnd: usize,
): i32;

/** Adds the lines of a text with very many, and returns how many cells they have. */
export declare function cutLong(start: usize, end: usize): i32;

/** Whether people count or compare the lines of a tool's result. */
export declare function isListing(tool: i32, start: usize, end: usize): bool;

/** The flags of what settings hooks can replace of a text, see `hooked`. `responseStart`: 0 where it is not known. */
export declare function hookedPart(tool: i32, start: usize, end: usize, responseStart: usize, responseEnd: usize): i32;

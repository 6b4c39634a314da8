/**
 * The interface between the reader of facts (src/kernel/assembly/reader, in AssemblyScript) and its wrapper: read by
 * both sides, so it only contains numbers.
 */

/** In place of a missing string, line or address. */
export const NONE = -1;

/** Why the reader stops. */
export const NO_LINE = 0;
/** It has not taken the line that it found: the wrapper must. */
export const RARE_LINE = 1;
/** There are enough facts for a chunk. */
export const IS_FULL = 2;

/** A string: the address of its UTF-8, its bytes, its UTF-16 characters, and other data. */
export const STRING_WORDS = 9;
export const STRING_START = 0;
export const STRING_BYTES = 1;
export const STRING_CHARS = 2;
export const STRING_HASH = 3;
export const STRING_MARKS = 4;
/** Its number as a name for hints, as any other name, as a call, and as a context; each plus 1. */
export const STRING_NAME = 5;
export const STRING_TEXT = 6;
export const STRING_CALL = 7;
export const STRING_CONTEXT = 8;

/** The marks of a string: the header already has it. */
export const IS_VERSION = 1;
export const IS_MODEL = 2;

/** What the header still needs. */
export const NEEDS_SESSION = 1;
export const NEEDS_PROJECT = 2;
export const NEEDS_TITLE = 4;

/** Notes for the header from few lines, in order: which of the following, and up to two strings. */
export const NOTE_WORDS = 3;
export const NOTED_SESSION = 0;
export const NOTED_PROJECT = 1;
export const NOTED_VERSION = 2;
export const NOTED_MODEL = 3;
/** The first prompt, which serves as a title. */
export const NOTED_FIRST_PROMPT = 4;
/** A subagent, and what it was started for. */
export const NOTED_AGENT = 5;

/** The numbers of a context. */
export const CONTEXT_NUMBERS = 17;
export const CONTEXT_ID = 0;
export const NEWEST_CALL = 1;
export const NEWEST_NODE = 2;
export const HAS_NEWEST = 3;
export const NEWEST_HIGH = 4;
export const NEWEST_LOW = 5;
export const HAS_ORPHANS = 6;
export const LAST_ASSISTANT_LINE = 7;
export const IS_ANSWERED = 8;
export const MESSAGE_ID = 9;
export const USAGE_KNOWN = 10;
export const EDITS_KNOWN = 11;
export const CALIBRATOR_INPUT = 12;
export const CALIBRATOR_OUTPUT = 13;
export const CALIBRATOR_CHARS = 14;
export const CALIBRATOR_SPOILED = 15;
/** Its name in facts, or `NONE`. */
export const CONTEXT_NAME = 16;

/** Which line has which uuid: the halves of the uuid's hash, the line (0 if free), its node. At most half are used. */
export const INDEX_WORDS = 4;
export const INDEX_LINE = 2;
export const INDEX_NODE = 3;

/** A sample: its model, characters and tokens. */
export const SAMPLE_NUMBERS = 3;

/** The numbers of a call. */
export const CALL_NUMBERS = 10;
export const CALL_ID = 0;
export const CALL_TOOL = 1;
export const CALL_KIND = 2;
export const CALL_PATH = 3;
export const CALL_TARGET = 4;
/** `NONE` for no range. */
export const CALL_RANGE_FROM = 5;
export const CALL_RANGE_LINES = 6;
export const CALL_OFFSET = 7;
/** The id of its context. */
export const CALL_CONTEXT = 8;
export const CALL_LINE = 9;

/** The wrapper's data about lines that Claude Code numbers itself. */
export const NUMBERED_NUMBERS = 5;

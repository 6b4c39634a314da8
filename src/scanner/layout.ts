/**
 * What the scanner (src/scanner/assembly, in AssemblyScript) leaves in its memory for the wrapper: read by both sides,
 * so it only contains numbers. Everything is in 32-bit words: V8 has a fast form for signed integers of that size only.
 */

/** A string of the line: its state, the address of its bytes, and whether all of them are ASCII. */
export const SLOT_WORDS = 4;
export const SLOT_STATE = 0;
export const SLOT_START = 1;
export const SLOT_END = 2;
export const SLOT_ASCII = 3;

/** Missing, or not a string. */
export const ABSENT = 0;
export const PRESENT = 1;
/** The same as in the last line that had it. */
export const SAME = 2;
export const NULL = 3;

/** The strings of a line that are needed. */
export const UUID = 0;
export const PARENT_UUID = 1;
export const TIMESTAMP = 2;
export const CUSTOM_TITLE = 3;
export const AI_TITLE = 4;
export const SUMMARY = 5;
/** The subagent that was started, according to what the tool returned. */
export const STARTED_AGENT = 6;
/** From here on, strings are often the same as in the previous line; every line has the first four of these. */
export const FIRST_REPEATED = 7;
export const SESSION_ID = 7;
export const CWD = 8;
export const VERSION = 9;
export const AGENT_ID = 10;
export const MESSAGE_ID = 11;
export const MODEL = 12;
export const SLOTS = 13;

/** Data about the whole line. */
export const HEAD_WORDS = 12;
export const HEAD_TYPE = 0;
export const HEAD_FLAGS = 1;
export const HEAD_BLOCKS = 2;
/** What the tool returned, as a part of the line. */
export const HEAD_RESPONSE_START = 3;
export const HEAD_RESPONSE_END = 4;
/** 1 if one of the strings that most lines have differs from the previous line. */
export const HEAD_CHANGED = 5;
/** What the line gives as its parent, and the hashes of its uuid and its parent's. */
export const HEAD_PARENT = 6;
export const HEAD_UUID_HIGH = 7;
export const HEAD_UUID_LOW = 8;
export const HEAD_PARENT_HIGH = 9;
export const HEAD_PARENT_LOW = 10;
/** 1 if JSON.parse is not needed. */
export const HEAD_KNOWN = 11;

export const PARENT_UNSAID = 0;
export const PARENT_NONE = 1;
export const PARENT_IS_UUID = 2;

/** The types of lines that matter. */
export const OTHER_LINE = 0;
export const USER_LINE = 1;
export const ASSISTANT_LINE = 2;
export const SYSTEM_LINE = 3;
export const ATTACHMENT_LINE = 4;
export const PROGRESS_LINE = 5;

/** The flags of a line. */
export const IS_SIDECHAIN = 1;
export const IS_META = 2;
export const IS_COMPACT_SUMMARY = 4;
/** The tool reports that a file has not changed. */
export const IS_UNCHANGED = 8;

/** The usage of a request. */
export const INPUT_TOKENS = 0;
export const OUTPUT_TOKENS = 1;
export const WRITTEN_5M_TOKENS = 2;
export const WRITTEN_1H_TOKENS = 3;
export const CACHE_READ_TOKENS = 4;
export const COUNTS = 5;

/** A content block. */
export const BLOCK_WORDS = 14;
export const BLOCK_KIND = 0;
export const BLOCK_ID_START = 1;
export const BLOCK_ID_END = 2;
/** For a call: its tool's name, as a number (see `MAX_NAMES`) and an address. */
export const BLOCK_NAME = 3;
export const BLOCK_NAME_START = 4;
export const BLOCK_NAME_END = 5;
/** For a result: 1 for an error. */
export const BLOCK_ERROR = 6;
/** For a result: its text. For a call: the first of its input's strings, and how many. For a text: its place. */
export const BLOCK_START = 7;
export const BLOCK_END = 8;
export const BLOCK_CHARS = 9;
/** For a call: the numbers `offset` and `limit` of its input. */
export const BLOCK_OFFSET = 10;
export const BLOCK_LIMIT = 11;
/** For a call: which of its input's strings, counted from 1, are its path and its subject; 0 if none. */
export const BLOCK_PATH = 12;
export const BLOCK_SUBJECT = 13;

/** Kinds of blocks. */
export const OTHER_BLOCK = 0;
export const RESULT_BLOCK = 1;
/** A result that is not only text. */
export const OTHER_RESULT_BLOCK = 2;
export const CALL_BLOCK = 3;
export const TEXT_BLOCK = 4;

/** A string of a call's input: its key, and its text. */
export const INPUT_WORDS = 6;
/** Its number, see `MAX_NAMES`. */
export const INPUT_KEY = 0;
export const INPUT_KEY_START = 1;
export const INPUT_KEY_END = 2;
export const INPUT_START = 3;
export const INPUT_END = 4;
export const INPUT_CHARS = 5;

/** Names that are repeated often are numbered from 1, as long as there are not too many of them. */
export const MAX_NAMES = 128;

/** Lines with more are left to JSON.parse. */
export const MAX_BLOCKS = 256;
export const MAX_INPUTS = 256;

/** What a text may contain, judging by the start of its lines. */
export const FLAG_BITS = 3;
export const MAY_HOLD_DIFF = 1;
export const MAY_HOLD_MATCHES = 2;
/** A line may begin with white space that only JavaScript's regular expressions know. */
export const HAS_ODD_SPACE = 4;

/**
 * The interface between the packer of facts (packedFacts.ts), the kernel (src/kernel/assembly, in AssemblyScript) and
 * its wrapper: read by both sides, so it only contains numbers.
 */

// The outcomes of results, the cells of rows, the ways to save.
export * from "./tableLayout";

/** In place of a missing name, table of lines or number. */
export const ABSENT = -1;

/** A fact begins with its context, its code and its place: the line, its offset and its timestamp. The codes are: */
export const RESULT = 0;
export const CALL = 1;
export const REQUEST = 2;
export const BOUNDARY = 3;
export const CLEAR = 4;
export const REWIND = 5;
export const BRANCH = 6;
export const EXPLANATION = 7;
export const ANSWER = 8;

/** The flags of a result. */
export const IS_ERROR = 1;
export const IS_NATIVE = 2;
export const IS_TEXT = 4;
export const IS_LISTING = 8;
export const HAS_RANGE = 16;
export const HAS_HINTS = 32;
export const IS_HOOKED = 64;
export const IS_NUMBERED = 128;

/** Kinds of tools; 0 for all others. */
export const READ_TOOL = 1;
export const MUTATE_TOOL = 2;

/** A live hint in a result. */
export const HINT_NUMBERS = 8;
export const HINT_KIND = 0;
export const HINT_ID = 1;
export const HINT_INPUT = 2;
export const HINT_FROM = 3;
export const HINT_TO = 4;
export const HINT_RENUMBERED_FROM = 5;
export const HINT_NUMBERED_FROM = 6;
export const HINT_CHARS = 7;

/** The kind of live hints that replace lines; the others replace a whole text. */
export const RUN_HINT = 2;

/** A name: its start in the texts of its chunk, its characters, and its bytes with its flags below them. */
export const NAME_WORDS = 3;
export const NAME_START = 0;
export const NAME_CHARS = 1;
export const NAME_BYTES = 2;
export const NAME_FLAG_BITS = 4;
/** A hint can name it. */
export const IS_PLAIN = 1;
/** It is a shell. */
export const IS_SHELL = 2;
/** Hints may name it, so its bytes are known. */
export const IS_NAME = 4;
/** A uuid or a time: it is added without being looked up, so other names may have the same text. */
export const IS_UNSHARED = 8;

/** A result that hits at some capacities of the sweep. */
export const SWEEP_WORDS = 5;
export const SWEEP_ROW = 0;
export const SWEEP_SLOTS = 1;
export const SWEEP_UNBOUNDED = 2;
export const SWEEP_SAVED_BYTES = 3;
export const SWEEP_SAVED_CHARS = 4;

/** A result with live hints. */
export const HINTED_WORDS = 3;
export const HINTED_ROW = 0;
export const HINTED_KIND = 1;
export const HINTED_ASKED = 2;

/** The kernel's output for a context: the address and length of each of these lists. */
export const OUT_ROWS = 0;
export const OUT_SWEEP = 2;
export const OUT_HINTED = 4;
export const OUT_TOOLS = 6;
export const OUT_FILES = 8;
export const OUT_REQUESTS = 10;
/** Numbers of requests, one partition after another, and the start of each partition. */
export const OUT_COSTS = 12;
export const OUT_COST_STARTS = 14;
/** The model that answered most requests, and the context's id. */
export const OUT_MODEL = 16;
export const OUT_ID = 17;
/** What other strategies save, if they were replayed: for all results, and for those where other minimum runs differ. */
export const OUT_WAYS = 18;
export const OUT_SIZES = 20;
/** What is displayed besides figures, if requested: see markReader.ts. */
export const OUT_IDS = 22;
export const OUT_TARGETS = 24;
export const OUT_MARKS = 26;
export const OUT_SOURCES = 28;
export const OUT_OFFSETS = 30;
/** All models that answered requests. */
export const OUT_MODELS = 32;
export const OUT_WORDS = 34;

/** What each way saves in a result, one after another: hints, bytes and characters. */
export const WAY_WORDS = 3;

/** A result in which live hints with another minimum run save something: its row, which size, bytes and characters. */
export const SIZE_WORDS = 4;

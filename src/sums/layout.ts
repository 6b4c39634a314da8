/**
 * The interface between the program that sums rows (src/sums/assembly, in AssemblyScript) and its wrapper: read by both
 * sides, so it only contains numbers.
 */

// The cells of rows.
export * from "./cellLayout";

/** The meaning of an outcome: its kind, the reasons it counts for (negative: none), its gate, whether it has no text. */
export const OUTCOME_WORDS = 5;
export const OUTCOME_KIND = 0;
export const OUTCOME_FORGONE = 1;
export const OUTCOME_BYPASSED = 2;
export const OUTCOME_GATE = 3;
export const OUTCOME_FAILED = 4;

/** The kinds of outcomes that figures distinguish. */
export const HIT = 0;
export const NEAR_HIT = 1;
export const PARTIAL = 2;
export const MISS = 3;
export const NATIVE = 4;
export const REALISED = 5;
export const BYPASSED = 6;

/** Figures, as numbers. Savings have three parts, with three numbers each. */
export const RESULTS = 0;
export const HITS = 1;
export const NEAR_HITS = 2;
export const MISSES = 3;
export const RUN_HITS = 4;
export const INVALIDATIONS = 5;
export const EVICTIONS = 6;
export const FORGONE_TOKENS = 7;
export const BYTES = 8;
export const SAVED_BYTES = 9;
export const TOKENS = 10;
export const SAVED_TOKENS = 11;
export const CARRIED_TOKENS = 12;
export const NATIVE_TOKENS = 13;
export const REALISED_TOKENS = 14;
export const SAVED_PARTS = 15;
export const PART_NUMBERS = 3;
export const PART_RESULTS = 0;
export const PART_BYTES = 1;
export const PART_TOKENS = 2;
export const BY_BYPASS = 24;
export const MAX_BYPASSES = 8;
export const BY_FORGONE = 32;
export const MAX_FORGONE = 16;
export const FIGURES_NUMBERS = 48;

/** What savings are worth. */
export const COST_SENT = 0;
export const COST_UNITS = 1;
export const COST_USD = 2;
export const COST_UNCOUNTED = 3;
export const COST_UNPRICED = 4;
export const COST_NUMBERS = 5;

/** Whose savings: those of hints, of Claude Code's own stubs, of live hints. */
export const COST_HITS = 0;
export const COST_NATIVE = 1;
export const COST_REALISED = 2;

/** The rates of a model: in general, before a time in milliseconds, and for prompts above a length; NaN if unknown. */
export const PRICE_INPUT = 0;
export const PRICE_READ = 1;
export const PRICE_BEFORE = 2;
export const PRICE_BEFORE_INPUT = 3;
export const PRICE_BEFORE_READ = 4;
export const PRICE_ABOVE = 5;
export const PRICE_ABOVE_INPUT = 6;
export const PRICE_ABOVE_READ = 7;
export const PRICE_NUMBERS = 8;

/** The numbers of a request: its weight, its tokens, its time and its model. */
export const REQUEST_NUMBERS = 4;

/** The source of a strategy's savings: the rows, the unlimited sweep, or its slot plus 1. */
export const FROM_ROWS = -2;
export const FROM_UNBOUNDED = -1;

/** A strategy's sums, followed by their worth. */
export const STRATEGY_RESULTS = 0;
export const STRATEGY_HINTS = 1;
export const STRATEGY_BYTES = 2;
export const STRATEGY_TOKENS = 3;
export const STRATEGY_CARRIED = 4;
export const STRATEGY_COST = 5;
export const STRATEGY_NUMBERS = 10;

/** For each row and strategy, if all were replayed: hints, bytes and characters. */
export const WAY_WORDS = 3;

/** What another minimum run saves in a result, and what each saves in all. */
export const SIZE_WORDS = 4;
export const SIZE_ROW = 0;
export const SIZE_WHICH = 1;
export const SIZE_SAVED_BYTES = 2;
export const SIZE_CHARS = 3;
export const SIZE_RESULTS = 0;
export const SIZE_BYTES = 1;
export const SIZE_TOKENS = 2;
export const SIZE_NUMBERS = 3;
export const MAX_SIZES = 16;

/** A result that hits at some capacities of the sweep. */
export const SWEEP_WORDS = 5;
export const SWEEP_ROW = 0;
export const SWEEP_SLOTS = 1;
export const SWEEP_UNBOUNDED = 2;
export const SWEEP_SAVED_BYTES = 3;
export const SWEEP_SAVED_CHARS = 4;

/** What one capacity would have saved. */
export const POINT_HITS = 0;
export const POINT_BYTES = 1;
export const POINT_TOKENS = 2;
export const POINT_NUMBERS = 3;

/** Sums of a gate, or by gate of a tool or a file: numbers, then the gates in order of appearance, then their counts. */
export const GATE_RESULTS = 0;
export const GATE_BYTES = 1;
export const GATE_TOKENS = 2;
export const GATE_READS = 3;
export const GATE_REREADS = 4;
export const GATE_OVERLAPPING = 5;
export const GATE_OVERLAPPING_TOKENS = 6;
export const GATE_STALE = 7;
export const GATE_STALE_TOKENS = 8;
export const GATE_NUMBERS = 9;
export const MAX_GATES = 24;
/** In bytes: their offsets, and the total. */
export const GATE_SEEN = 72;
export const GATE_ORDER = 76;
export const GATE_COUNTS = 100;
export const GATE_ENTRY_BYTES = 200;

/** One of the largest results: its tokens, then three words. */
export const LARGE_BYTES = 24;
export const LARGE_CONTEXT = 8;
export const LARGE_ROW = 12;
export const LARGE_GATE = 16;

/** What can be requested by number. */
export const OF_TOOLS = 0;
export const OF_PROJECTS = 1;
export const OF_GATES = 2;
export const OF_GATE_TOOLS = 3;
export const OF_GATE_FILES = 4;

/** Sums over everything. */
export const ALL_FIGURES = 0;
export const ALL_BAND_TOKENS = 48;
export const ALL_BAND_ERROR = 49;
export const ALL_COPIED = 50;
export const ALL_NUMBERS = 51;

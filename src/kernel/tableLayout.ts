// Made by `npm run manifests`.

/** The outcomes of results, as in a row: `OUTCOMES` in src/inspect/outcomes.ts. */
export const HIT = 0;
export const NEAR_HIT = 1;
export const MISS_NEW = 2;
export const MISS_EVICTED = 3;
export const MISS_INVALIDATED = 4;
export const MISS_COMPACTED = 5;
export const MISS_CLEARED = 6;
export const MISS_SHRUNK = 7;
export const MISS_PARALLEL = 8;
export const MISS_REWOUND = 9;
export const MISS_AFTER_EDIT = 10;
export const MISS_FIXED = 11;
export const MISS_STOPPED = 12;
export const BYPASS_SMALL = 13;
export const BYPASS_MUTATION = 14;
export const BYPASS_ERROR = 15;
export const BYPASS_NON_TEXT = 16;
export const BYPASS_NATIVE = 17;
export const BYPASS_REALISED = 18;

/** The kinds of marks: `MARK_MEMBERS` in src/dedup/events.ts. */
export const INVALIDATE_MARK = 0;
export const BOUNDARY_MARK = 1;
export const CLEAR_MARK = 2;
export const REWIND_MARK = 3;
export const SHRINK_MARK = 4;
export const FALLBACK_MARK = 5;

/** The cells of a row: `ROW_FIELDS` in src/inspect/rows.ts. */
export const ROW_LINE = 0;
export const ROW_AT = 1;
export const ROW_PARTITION = 2;
export const ROW_OUTCOME = 3;
export const ROW_BYTES = 4;
export const ROW_CHARS = 5;
export const ROW_SAVED_BYTES = 6;
export const ROW_SAVED_CHARS = 7;
export const ROW_REQUEST = 8;
export const ROW_TOOL = 9;
export const ROW_REF = 10;
export const ROW_CAUSE = 11;
export const ROW_EVICTED = 12;
export const ROW_INVALIDATIONS = 13;
export const ROW_COPY_HIGH = 14;
export const ROW_COPY_LOW = 15;
export const ROW_EARLIER = 16;
export const ROW_FORGONE_CHARS = 17;
export const ROW_FILE = 18;
export const ROW_RANGE_FROM = 19;
export const ROW_RANGE_LINES = 20;
export const ROW_RUNS = 21;
export const ROW_WORDS = 22;

/** The ways to save: `STRATEGIES` in src/inspect/strategies.ts. */
export const LIVE_WAY = 0;
export const WHOLE_WAY = 1;
export const WHOLE_UNBOUNDED_WAY = 2;
export const NEAR_WAY = 3;
export const NEAR_UNBOUNDED_WAY = 4;
export const SPAN_WAY = 5;
export const SPAN_INPUTS_WAY = 6;
export const WAYS = 7;

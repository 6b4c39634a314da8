// Made by `npm run manifests`.

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

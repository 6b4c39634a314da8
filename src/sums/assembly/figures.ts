/** The figures of a partition, a tool, a project, or everything: src/inspect/figures.ts. */
import {
  BY_BYPASS,
  BY_FORGONE,
  BYTES,
  CARRIED_TOKENS,
  EVICTIONS,
  FIGURES_NUMBERS,
  FORGONE_TOKENS,
  HIT,
  HITS,
  INVALIDATIONS,
  MISS,
  MISSES,
  NATIVE,
  NATIVE_TOKENS,
  NEAR_HIT,
  NEAR_HITS,
  PART_BYTES,
  PART_NUMBERS,
  PART_RESULTS,
  PART_TOKENS,
  PARTIAL,
  REALISED,
  REALISED_TOKENS,
  RESULTS,
  ROW_BYTES,
  ROW_CAUSE,
  ROW_CHARS,
  ROW_EVICTED,
  ROW_FORGONE_CHARS,
  ROW_INVALIDATIONS,
  ROW_SAVED_BYTES,
  ROW_SAVED_CHARS,
  RUN_HITS,
  SAVED_BYTES,
  SAVED_PARTS,
  SAVED_TOKENS,
  TOKENS,
} from "../layout";
import { add, number, word } from "./memory";

/** Adds one result; the caller has looked up its outcome. */
export function addRow(
  to: usize,
  row: usize,
  kind: i32,
  forgone: i32,
  bypassed: i32,
  charsPerToken: f64,
  laterRequests: f64,
): void {
  const tokens = <f64>word(row, ROW_CHARS) / charsPerToken;
  const savedBytes = <f64>word(row, ROW_SAVED_BYTES);
  const savedTokens = <f64>word(row, ROW_SAVED_CHARS) / charsPerToken;
  add(to, RESULTS, 1);
  add(to, BYTES, <f64>word(row, ROW_BYTES));
  add(to, TOKENS, tokens);
  add(to, INVALIDATIONS, <f64>word(row, ROW_INVALIDATIONS));
  if (word(row, ROW_EVICTED) > 0) add(to, EVICTIONS, 1);
  if (wouldSave(kind)) {
    // The parts are in the order of these kinds.
    const part = SAVED_PARTS + kind * PART_NUMBERS;
    add(to, part + PART_RESULTS, 1);
    add(to, part + PART_BYTES, savedBytes);
    add(to, part + PART_TOKENS, savedTokens);
    add(to, SAVED_BYTES, savedBytes);
    add(to, SAVED_TOKENS, savedTokens);
    add(to, CARRIED_TOKENS, savedTokens * laterRequests);
  }
  if (kind === HIT || kind === NEAR_HIT) {
    add(to, kind === HIT ? HITS : NEAR_HITS, 1);
    // Asked for again right after a live hint: the hint's saving is lost.
    if (kind === HIT && word(row, ROW_CAUSE) > 0) add(to, REALISED_TOKENS, -tokens);
  } else if (kind === MISS || kind === PARTIAL) {
    add(to, MISSES, 1);
    if (kind === PARTIAL) add(to, RUN_HITS, 1);
    if (forgone >= 0) add(to, BY_FORGONE + forgone, 1);
    add(to, FORGONE_TOKENS, <f64>word(row, ROW_FORGONE_CHARS) / charsPerToken);
  } else {
    if (bypassed >= 0) add(to, BY_BYPASS + bypassed, 1);
    if (kind === NATIVE) add(to, NATIVE_TOKENS, savedTokens);
    if (kind === REALISED) add(to, REALISED_TOKENS, savedTokens);
  }
}

export function wouldSave(kind: i32): bool {
  return kind === HIT || kind === NEAR_HIT || kind === PARTIAL;
}

/** Adds `from` to `to`, figure by figure. */
export function addFigures(to: usize, from: usize): void {
  for (let index = 0; index < FIGURES_NUMBERS; index++) add(to, index, number(from, index));
}

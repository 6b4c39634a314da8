/** What strategies save: src/inspect/strategyFigures.ts, and runSizes.ts if all of them were replayed. */
import {
  MAX_SIZES,
  SIZE_BYTES,
  SIZE_CHARS,
  SIZE_NUMBERS,
  SIZE_RESULTS,
  SIZE_ROW,
  SIZE_SAVED_BYTES,
  SIZE_TOKENS,
  SIZE_WHICH,
  SIZE_WORDS,
  STRATEGY_BYTES,
  STRATEGY_CARRIED,
  STRATEGY_COST,
  STRATEGY_HINTS,
  STRATEGY_NUMBERS,
  STRATEGY_RESULTS,
  STRATEGY_TOKENS,
  WAY_WORDS,
} from "../layout";
import { addCost, CostPlace } from "./costs";
import { add, Room, word } from "./memory";

const SUM_BYTES: i32 = STRATEGY_NUMBERS * 8;

export const place = new CostPlace();
/** The number of replayed strategies. */
let count: i32 = 0;
/** What they save in all. */
let totals: usize = 0;
const partitionRoom = new Room();
export let partitionSums: usize = 0;
export const sizes = new StaticArray<f64>(MAX_SIZES * SIZE_NUMBERS);

export function beginWays(newCount: i32, newTotals: usize): void {
  count = newCount;
  totals = newTotals;
}

/** Begins a context. */
export function beginPartitions(partitions: i32): void {
  partitionSums = partitionRoom.zeros(partitions * count * SUM_BYTES);
}

/** The number of bytes of savings for this many rows. */
export function bytesOfWays(rows: i32): usize {
  return <usize>(rows * count * WAY_WORDS * 4);
}

/** What the strategies save in one row. `partition`: negative if there is none. */
export function addWays(savings: usize, partition: i32, isFirst: bool, charsPerToken: f64): void {
  for (let way = 0; way < count; way++) {
    const saving = savings + <usize>(way * WAY_WORDS * 4);
    const hints = word(saving, 0);
    if (hints === 0) continue;
    const bytes = word(saving, 1);
    const tokens = <f64>word(saving, 2) / charsPerToken;
    if (partition >= 0) addSaving(partitionSums + <usize>((partition * count + way) * SUM_BYTES), hints, bytes, tokens);
    if (isFirst) addSaving(totals + <usize>(way * SUM_BYTES), hints, bytes, tokens);
  }
}

export function addSaving(sum: usize, hints: f64, bytes: f64, tokens: f64): void {
  add(sum, STRATEGY_RESULTS, 1);
  add(sum, STRATEGY_HINTS, hints);
  add(sum, STRATEGY_BYTES, bytes);
  add(sum, STRATEGY_TOKENS, tokens);
  add(sum, STRATEGY_CARRIED, tokens * place.laterRequests);
  addCost(sum + STRATEGY_COST * 8, tokens, place);
}

/** What other minimum runs save in results that are not copies. */
export function addSizes(savings: usize, savingCount: i32, copied: usize, rowCount: u32, charsPerToken: f64): void {
  for (let at = 0; at < savingCount; at++) {
    const saving = savings + <usize>(at * SIZE_WORDS * 4);
    const row = word(saving, SIZE_ROW);
    const which = word(saving, SIZE_WHICH);
    if (which >= <u32>MAX_SIZES || (row < rowCount && load<u8>(copied + row) !== 0)) continue;
    const sum = changetype<usize>(sizes) + <usize>(which * SIZE_NUMBERS * 8);
    add(sum, SIZE_RESULTS, 1);
    add(sum, SIZE_BYTES, word(saving, SIZE_SAVED_BYTES));
    add(sum, SIZE_TOKENS, <f64>word(saving, SIZE_CHARS) / charsPerToken);
  }
}

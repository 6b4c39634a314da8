/** The line that the scanner has read: see src/scanner/layout.ts. */
import { blocks, inputs } from "../../../scanner/assembly/blocks";
import { counts, head, slots } from "../../../scanner/assembly/line";
import * as Layout from "../../../scanner/layout";

export function headWord(word: i32): i32 {
  return load<i32>(head + word * 4);
}

export function count(which: i32): f64 {
  return load<i32>(counts + which * 4);
}

export function slotState(slot: i32): i32 {
  return load<i32>(slots + slot * Layout.SLOT_WORDS * 4);
}

export function isThere(slot: i32): bool {
  return slotState(slot) !== Layout.ABSENT;
}

/** 0 if there is no such string. */
export function slotStart(slot: i32): usize {
  return slotWord(slot, Layout.SLOT_START);
}

export function slotEnd(slot: i32): usize {
  return slotWord(slot, Layout.SLOT_END);
}

export function isAscii(slot: i32): bool {
  return slotWord(slot, Layout.SLOT_ASCII) === 1;
}

function slotWord(slot: i32, word: i32): usize {
  return <usize>load<u32>(slots + (slot * Layout.SLOT_WORDS + word) * 4);
}

export function blockWord(block: i32, word: i32): u32 {
  return load<u32>(blocks + (block * Layout.BLOCK_WORDS + word) * 4);
}

export function isResult(block: i32): bool {
  const kind = blockWord(block, Layout.BLOCK_KIND);
  return kind === Layout.RESULT_BLOCK || kind === Layout.OTHER_RESULT_BLOCK;
}

export function isCall(block: i32): bool {
  return blockWord(block, Layout.BLOCK_KIND) === Layout.CALL_BLOCK;
}

export function inputWord(input: i32, word: i32): u32 {
  return load<u32>(inputs + (input * Layout.INPUT_WORDS + word) * 4);
}

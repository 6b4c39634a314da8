/** The parents of lines: src/log/parentLinks.ts, as long as no parent is missing. */
import * as Layout from "../../../scanner/layout";
import { HAS_NEWEST, HAS_ORPHANS, NEWEST_CALL, NEWEST_HIGH, NEWEST_LOW, NEWEST_NODE } from "../../readerLayout";
import { headWord, isThere } from "./line";
import { Context } from "./memory";

/** Where the newest call branched off; negative if it did not. */
export let branchedFrom: i32 = -1;
/** Whether the line linked last is a copy of an earlier one. */
export let isCopy: bool = false;

/** Whether a line can be linked here: neither it nor a line before it is waiting for its parent. */
export function canLink(context: Context): bool {
  if (context.get(HAS_ORPHANS) !== 0) return false;
  if (headWord(Layout.HEAD_PARENT) !== Layout.PARENT_IS_UUID || continuesNewest(context)) return true;
  if (hasParent(context)) return true;
  return isThere(Layout.UUID) && lineOf(context, Layout.HEAD_UUID_HIGH, Layout.HEAD_UUID_LOW) !== 0;
}

export function lineOfParent(context: Context): i32 {
  return lineOf(context, Layout.HEAD_PARENT_HIGH, Layout.HEAD_PARENT_LOW);
}

/** Returns the line's node. */
export function link(context: Context, line: i32, isCall: bool): i32 {
  branchedFrom = -1;
  const hasUuid = isThere(Layout.UUID);
  const high = headWord(Layout.HEAD_UUID_HIGH);
  const low = headWord(Layout.HEAD_UUID_LOW);
  isCopy = hasUuid && context.index.lineOf(high, low) !== 0;
  const node = isCopy ? current(context.index.nodeOf(high, low)) : place(context, line, isCall);
  context.set(NEWEST_NODE, node);
  context.set(HAS_NEWEST, hasUuid ? 1 : 0);
  context.set(NEWEST_HIGH, high);
  context.set(NEWEST_LOW, low);
  if (hasUuid) context.index.put(high, low, line, node);
  return node;
}

function place(context: Context, line: i32, isCall: bool): i32 {
  const parent = parentOf(context);
  if (!isCall) return parent;
  if (parent !== context.int(NEWEST_CALL)) branchedFrom = parent;
  context.set(NEWEST_CALL, line);
  return line;
}

function parentOf(context: Context): i32 {
  const parent = headWord(Layout.HEAD_PARENT);
  if (parent === Layout.PARENT_NONE) return 0;
  if (parent === Layout.PARENT_UNSAID || continuesNewest(context)) return current(context.int(NEWEST_NODE));
  return current(context.index.nodeOf(headWord(Layout.HEAD_PARENT_HIGH), headWord(Layout.HEAD_PARENT_LOW)));
}

function continuesNewest(context: Context): bool {
  const isUuid = headWord(Layout.HEAD_PARENT) === Layout.PARENT_IS_UUID && context.get(HAS_NEWEST) !== 0;
  const isLow = headWord(Layout.HEAD_PARENT_LOW) === context.int(NEWEST_LOW);
  return isUuid && isLow && headWord(Layout.HEAD_PARENT_HIGH) === context.int(NEWEST_HIGH);
}

function hasParent(context: Context): bool {
  return lineOfParent(context) !== 0;
}

function lineOf(context: Context, high: i32, low: i32): i32 {
  return context.index.lineOf(headWord(high), headWord(low));
}

/** Lines whose parent never came have no ancestors. */
function current(node: i32): i32 {
  return max<i32>(node, 0);
}

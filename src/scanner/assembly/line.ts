/** Reads a line of a log. See src/scanner/layout.ts. */
import * as Layout from "../layout";
import { blockCount, forgetBlocks, readContent } from "./blocks";
import { hash, high, low } from "./hash";
import { afterSpace, afterString, isNull, isTrue, NEWLINE, newlineIn, OPEN_BRACE, QUOTE } from "./json";
import * as Name from "./names";
import { at, isSame, moveTo } from "./names";
import { isPlainAscii } from "./text";
import * as Value from "./values";
import { forgetTexts, isWord, passOver, readCount, readObject, readWord } from "./values";

export const head: usize = memory.data(Layout.HEAD_WORDS * 4, 16);
export const slots: usize = memory.data(Layout.SLOTS * Layout.SLOT_WORDS * 4, 16);
export const counts: usize = memory.data(Layout.COUNTS * 4, 16);

/** The bytes of the newest uuid and of strings that are often repeated. */
const KEPT_BYTES: i32 = 256;
const kept: usize = memory.data(Layout.SLOTS * KEPT_BYTES, 16);
const keptLengths: usize = memory.data(Layout.SLOTS * 4, 16);

/** Whether a string that every line has was in the previous line. */
const wasThere: usize = memory.data(Layout.SLOTS * 4, 16);
/** The hash of the newest uuid. */
let newestHigh: u32 = 0;
let newestLow: u32 = 0;

let flags: i32 = 0;
let hasType: bool = false;

/** Whether the line is one object, with everything needed from it certain. */
export function readLine(start: usize, end: usize): void {
  const next = load<u8>(end);
  store<u8>(end, 0);
  if (readObjectAt(start) !== end) forgetLine();
  store<u8>(end, next);
}

/** The same for a line with a known start only. Returns its end; 0 if there is none before `limit`. */
export function readLineBefore(start: usize, limit: usize): usize {
  store<u8>(limit, 0);
  const end = readObjectAt(start);
  if (end !== 0 && load<u8>(end) === NEWLINE) return end;
  forgetLine();
  return newlineIn(start, limit);
}

/** The line's data was not read, so repeated strings are not known. */
export function forgetLine(): void {
  memory.fill(keptLengths, 0, Layout.SLOTS * 4);
  memory.fill(wasThere, 0xff, Layout.SLOTS * 4);
  store<u32>(head + Layout.HEAD_KNOWN * 4, 0);
}

/** Returns the address after it and any white space; 0 if it is not an object, or doubtful. */
function readObjectAt(start: usize): usize {
  memory.fill(slots, 0, Layout.SLOTS * Layout.SLOT_WORDS * 4);
  memory.fill(head, 0, Layout.HEAD_WORDS * 4);
  flags = 0;
  hasType = false;
  input = output = creation = read = split5m = split1h = 0;
  forgetBlocks();
  forgetTexts();
  moveTo(afterSpace(start));
  if (load<u8>(at) !== OPEN_BRACE || !readObject(readMember) || !hasType) return 0;
  if (!addUsage()) return 0;
  keepUuid();
  store<u32>(head + Layout.HEAD_CHANGED * 4, hasChanged() ? 1 : 0);
  store<u32>(head + Layout.HEAD_FLAGS * 4, flags);
  store<u32>(head + Layout.HEAD_BLOCKS * 4, blockCount);
  store<u32>(head + Layout.HEAD_KNOWN * 4, 1);
  return afterSpace(at);
}

function keepUuid(): void {
  const uuid = slots + Layout.UUID * Layout.SLOT_WORDS * 4;
  if (load<u32>(uuid) !== Layout.PRESENT) return;
  keep(Layout.UUID, load<u32>(uuid + 4), load<u32>(uuid + 8));
  hash(load<u32>(uuid + 4), load<u32>(uuid + 8));
  newestHigh = high;
  newestLow = low;
  store<u32>(head + Layout.HEAD_UUID_HIGH * 4, high);
  store<u32>(head + Layout.HEAD_UUID_LOW * 4, low);
}

/** Whether the strings that every line has must be read again, because one is new, missing or there again. */
function hasChanged(): bool {
  let changed = isNew(Layout.MESSAGE_ID) || isNew(Layout.MODEL);
  for (let slot = Layout.FIRST_REPEATED; slot < Layout.MESSAGE_ID; slot++) {
    const state = load<u32>(slots + slot * Layout.SLOT_WORDS * 4);
    const isThere = state === Layout.ABSENT ? 0 : 1;
    if (state === Layout.PRESENT || load<i32>(wasThere + slot * 4) !== isThere) changed = true;
    store<i32>(wasThere + slot * 4, isThere);
  }
  return changed;
}

function isNew(slot: i32): bool {
  return load<u32>(slots + slot * Layout.SLOT_WORDS * 4) === Layout.PRESENT;
}

function readMember(name: i32): bool {
  switch (name) {
    case Name.TYPE:
      return readType();
    case Name.SUBTYPE:
      // There are few such lines, and much of them matters.
      return readWord() && !isWord("compact_boundary") && !isWord("microcompact_boundary");
    case Name.UUID:
      return readId(Layout.UUID);
    case Name.PARENT_UUID:
      return readParent();
    case Name.TIMESTAMP:
      return readSlot(Layout.TIMESTAMP);
    case Name.AGENT_ID:
      return readSlot(Layout.AGENT_ID);
    case Name.SESSION_ID:
      return readSlot(Layout.SESSION_ID);
    case Name.CWD:
      return readSlot(Layout.CWD);
    case Name.VERSION:
      return readSlot(Layout.VERSION);
    case Name.CUSTOM_TITLE:
      return readSlot(Layout.CUSTOM_TITLE);
    case Name.AI_TITLE:
      return readSlot(Layout.AI_TITLE);
    case Name.SUMMARY:
      return readSlot(Layout.SUMMARY);
    case Name.IS_SIDECHAIN:
      return readFlag(Layout.IS_SIDECHAIN);
    case Name.IS_META:
      return readFlag(Layout.IS_META);
    case Name.IS_COMPACT_SUMMARY:
      return readFlag(Layout.IS_COMPACT_SUMMARY);
    case Name.MESSAGE:
      return readObject(readMessageMember);
    case Name.TOOL_USE_RESULT:
      return readToolUseResult();
    case Name.ATTACHMENT:
      return readAttachment();
    default:
      return passOver();
  }
}

function readType(): bool {
  if (!readWord() || Value.wordStart === 0 || isWord("content-replacement")) return false;
  hasType = true;
  let type = Layout.OTHER_LINE;
  if (isWord("assistant")) type = Layout.ASSISTANT_LINE;
  else if (isWord("user")) type = Layout.USER_LINE;
  else if (isWord("progress")) type = Layout.PROGRESS_LINE;
  else if (isWord("system")) type = Layout.SYSTEM_LINE;
  else if (isWord("attachment")) type = Layout.ATTACHMENT_LINE;
  store<u32>(head + Layout.HEAD_TYPE * 4, type);
  return true;
}

function readFlag(flag: i32): bool {
  if (isTrue(at)) flags |= flag;
  return passOver();
}

/** What the tool returned: usually only its type is needed, and which subagent it was. */
function readToolUseResult(): bool {
  const start = at;
  Value.forgetWord();
  if (!readObject(readResponseMember)) return false;
  if (isWord("file_unchanged")) flags |= Layout.IS_UNCHANGED;
  store<u32>(head + Layout.HEAD_RESPONSE_START * 4, <u32>start);
  store<u32>(head + Layout.HEAD_RESPONSE_END * 4, <u32>at);
  return true;
}

/** Two kinds matter: one is rare, and hook output is hardly ever an explanation. */
function readAttachment(): bool {
  const start = at;
  Value.forgetWord();
  if (!readObject(readTypeOnly)) return false;
  return !isWord("tool_results_cut") && !(isWord("hook_additional_context") && mayExplain(start, at));
}

/** Whether there may be an explanation of hints (src/log/explanation.ts): a part of it, or an escape. */
function mayExplain(start: usize, end: usize): bool {
  for (let p = start; p < end; p++) {
    if (load<u16>(p) === ESCAPED_UNIT || Value.isText(p, p + 8, "[ref: ID")) return true;
  }
  return false;
}

/** A backslash and a u. */
const ESCAPED_UNIT: u16 = 0x755c;

function readResponseMember(name: i32): bool {
  return name === Name.AGENT_ID ? readSlot(Layout.STARTED_AGENT) : readTypeOnly(name);
}

function readTypeOnly(name: i32): bool {
  return name === Name.TYPE ? readWord() : passOver();
}

/** A string, which is put where the wrapper finds it; nothing if the value is not a string. */
function readSlot(slot: i32): bool {
  if (load<u8>(at) !== QUOTE) return passOver();
  let start = at + 1;
  const after = afterString(start);
  if (after === 0) return false;
  let end = after - 1;
  const isPlain = isPlainAscii(start, end);
  if (!isPlain) {
    Value.beginText();
    if (!Value.addToText(start, end)) return false;
    start = Value.madeStart;
    end = Value.madeEnd;
  }
  moveTo(after);
  putSlot(slot, start, end, isPlain);
  return true;
}

function putSlot(slot: i32, start: usize, end: usize, isPlain: bool): void {
  const place = slots + slot * Layout.SLOT_WORDS * 4;
  const isRepeated = slot >= Layout.FIRST_REPEATED;
  const isTheSame = isRepeated && isKept(slot, start, end);
  if (isRepeated && !isTheSame) keep(slot, start, end);
  store<u32>(place + Layout.SLOT_STATE * 4, isTheSame ? Layout.SAME : Layout.PRESENT);
  store<u32>(place + Layout.SLOT_START * 4, <u32>start);
  store<u32>(place + Layout.SLOT_END * 4, <u32>end);
  store<u32>(place + Layout.SLOT_ASCII * 4, isPlain ? 1 : 0);
}

function isKept(slot: i32, start: usize, end: usize): bool {
  const length = <i32>(end - start);
  return length > 0 && load<i32>(keptLengths + slot * 4) === length && isSame(kept + slot * KEPT_BYTES, start, length);
}

function keep(slot: i32, start: usize, end: usize): void {
  const length = <i32>(end - start);
  const fits = length <= KEPT_BYTES;
  store<i32>(keptLengths + slot * 4, fits ? length : 0);
  if (fits) memory.copy(kept + slot * KEPT_BYTES, start, length);
}

/** A string to hash: JavaScript hashes the UTF-16 of non-ASCII strings. */
function readId(slot: i32): bool {
  return readSlot(slot) && load<u32>(slots + (slot * Layout.SLOT_WORDS + Layout.SLOT_ASCII) * 4) === 1;
}

/** Most lines continue from the line before them. */
function readParent(): bool {
  if (isNull(at)) {
    store<u32>(head + Layout.HEAD_PARENT * 4, Layout.PARENT_NONE);
    return passOver();
  }
  if (load<u8>(at) !== QUOTE || !readId(Layout.PARENT_UUID)) return false;
  store<u32>(head + Layout.HEAD_PARENT * 4, Layout.PARENT_IS_UUID);
  const place = slots + Layout.PARENT_UUID * Layout.SLOT_WORDS * 4;
  const isNewest = isKept(Layout.UUID, load<u32>(place + 4), load<u32>(place + 8));
  if (!isNewest) hash(load<u32>(place + 4), load<u32>(place + 8));
  store<u32>(head + Layout.HEAD_PARENT_HIGH * 4, isNewest ? newestHigh : high);
  store<u32>(head + Layout.HEAD_PARENT_LOW * 4, isNewest ? newestLow : low);
  return true;
}

function readMessageMember(name: i32): bool {
  switch (name) {
    case Name.ID:
      return readSlot(Layout.MESSAGE_ID);
    case Name.MODEL:
      return readSlot(Layout.MODEL);
    case Name.CONTENT:
      return readContent();
    case Name.USAGE:
      return readObject(readUsageMember);
    case Name.CONTEXT_MANAGEMENT:
      return readContextManagement();
    default:
      return passOver();
  }
}

/** Results cleared by the API are left to JSON.parse. */
function readContextManagement(): bool {
  const start = at;
  return passOver() && (isNull(start) || (load<u8>(start) === OPEN_BRACE && isUncleared(start, at)));
}

function isUncleared(start: usize, end: usize): bool {
  return Value.isText(start, end, "{}") || Value.isText(start, end, '{"applied_edits":[]}');
}

let input: u64 = 0;
let output: u64 = 0;
let creation: u64 = 0;
let read: u64 = 0;
let split5m: u64 = 0;
let split1h: u64 = 0;

/** No request has that many tokens. */
const TOO_MANY: u64 = 0x80000000;

/** The same as `readUsage` (src/log/usage.ts); false for nonsense. */
function addUsage(): bool {
  const written = max<u64>(creation, split5m + split1h);
  const all = input + written + read;
  if (all >= TOO_MANY || output >= TOO_MANY) return false;
  store<u32>(counts + Layout.INPUT_TOKENS * 4, <u32>all);
  store<u32>(counts + Layout.OUTPUT_TOKENS * 4, <u32>output);
  store<u32>(counts + Layout.WRITTEN_5M_TOKENS * 4, <u32>(written - split1h));
  store<u32>(counts + Layout.WRITTEN_1H_TOKENS * 4, <u32>split1h);
  store<u32>(counts + Layout.CACHE_READ_TOKENS * 4, <u32>read);
  return true;
}

function readUsageMember(name: i32): bool {
  switch (name) {
    case Name.INPUT_TOKENS:
      if (!readCount()) return false;
      input = Value.number;
      return true;
    case Name.OUTPUT_TOKENS:
      if (!readCount()) return false;
      output = Value.number;
      return true;
    case Name.CACHE_CREATION_INPUT_TOKENS:
      if (!readCount()) return false;
      creation = Value.number;
      return true;
    case Name.CACHE_READ_INPUT_TOKENS:
      if (!readCount()) return false;
      read = Value.number;
      return true;
    case Name.CACHE_CREATION:
      return readObject(readSplitMember);
    default:
      return passOver();
  }
}

function readSplitMember(name: i32): bool {
  switch (name) {
    case Name.EPHEMERAL_5M:
      if (!readCount()) return false;
      split5m = Value.number;
      return true;
    case Name.EPHEMERAL_1H:
      if (!readCount()) return false;
      split1h = Value.number;
      return true;
    default:
      return passOver();
  }
}

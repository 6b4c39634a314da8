/** The content blocks of a message. See src/scanner/layout.ts. */
import * as Layout from "../layout";
import {
  afterSpace,
  afterString,
  CLOSE_BRACKET,
  COMMA,
  isDigit,
  isTrue,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "./json";
import * as Name from "./names";
import { at, isSame, moveTo, nameEnd, nameStart } from "./names";
import { numberOf } from "./numbers";
import { isPlainAscii } from "./text";
import * as Value from "./values";
import { isWord, passOver, readCount, readObject, readWord } from "./values";

export const blocks: usize = memory.data(Layout.MAX_BLOCKS * Layout.BLOCK_WORDS * 4, 16);
export const inputs: usize = memory.data(Layout.MAX_INPUTS * Layout.INPUT_WORDS * 4, 16);

export let blockCount: i32 = 0;
let inputCount: i32 = 0;

/** Objects with more keys are left to JSON.parse. */
const MAX_KEYS: i32 = 32;
const keys: usize = memory.data(MAX_KEYS * 8, 16);
let keyCount: i32 = 0;

export function forgetBlocks(): void {
  blockCount = inputCount = 0;
}

function put(place: usize, word: i32, value: usize): void {
  store<u32>(place + word * 4, <u32>value);
}

/** A list of blocks; with anything else in it, it is doubtful. */
export function readContent(): bool {
  if (load<u8>(at) === QUOTE) return addPrompt();
  if (load<u8>(at) !== OPEN_BRACKET) return passOver();
  let p = afterSpace(at + 1);
  if (load<u8>(p) === CLOSE_BRACKET) {
    moveTo(p + 1);
    return true;
  }
  while (true) {
    moveTo(p);
    if (load<u8>(p) !== OPEN_BRACE || !readBlock()) return false;
    p = afterSpace(at);
    const c = load<u8>(p);
    if (c !== COMMA) {
      moveTo(p + 1);
      return c === CLOSE_BRACKET;
    }
    p = afterSpace(p + 1);
  }
}

/** A string as the whole content means the same as a list with this text. */
function addPrompt(): bool {
  const start = at;
  if (!passOver()) return false;
  block = newBlock();
  if (block === 0) return false;
  put(block, Layout.BLOCK_KIND, Layout.TEXT_BLOCK);
  putWord(Layout.BLOCK_START, start, at);
  return true;
}

function newBlock(): usize {
  if (blockCount === Layout.MAX_BLOCKS) return 0;
  const block = blocks + blockCount * Layout.BLOCK_WORDS * 4;
  memory.fill(block, 0, Layout.BLOCK_WORDS * 4);
  blockCount++;
  return block;
}

/** The current block: its place, its kind, and the addresses of its members; 0 for missing ones. */
let block: usize = 0;
let kind: i32 = 0;
let resultIdStart: usize = 0;
let resultIdEnd: usize = 0;
let contentAt: usize = 0;
let textFrom: usize = 0;
let textTo: usize = 0;

function readBlock(): bool {
  block = newBlock();
  if (block === 0) return false;
  kind = Layout.OTHER_BLOCK;
  resultIdStart = contentAt = textFrom = 0;
  if (!readObject(readBlockMember)) return false;
  if (kind === Layout.RESULT_BLOCK) {
    putWord(Layout.BLOCK_ID_START, resultIdStart, resultIdEnd);
    const end = at;
    if (!readResult()) return false;
    moveTo(end);
  } else if (kind === Layout.CALL_BLOCK) {
    const isCall = load<u32>(block + Layout.BLOCK_ID_START * 4) !== 0;
    if (!isCall || load<u32>(block + Layout.BLOCK_NAME_START * 4) === 0) kind = Layout.OTHER_BLOCK;
  } else if (kind === Layout.TEXT_BLOCK) {
    if (textFrom === 0) kind = Layout.OTHER_BLOCK;
    putWord(Layout.BLOCK_START, textFrom, textTo);
  }
  put(block, Layout.BLOCK_KIND, kind);
  return true;
}

/** The start and end of something. */
function putWord(word: i32, start: usize, end: usize): void {
  put(block, word, start);
  put(block, word + 1, end);
}

function readBlockMember(name: i32): bool {
  const start = at;
  switch (name) {
    case Name.TYPE:
      if (!readWord()) return false;
      if (isWord("tool_result")) kind = Layout.RESULT_BLOCK;
      else if (isWord("tool_use")) kind = Layout.CALL_BLOCK;
      else if (isWord("text")) kind = Layout.TEXT_BLOCK;
      return true;
    case Name.ID:
      if (!readWord()) return false;
      putWord(Layout.BLOCK_ID_START, Value.wordStart, Value.wordEnd);
      return true;
    case Name.NAME:
      if (!readWord()) return false;
      putWord(Layout.BLOCK_NAME_START, Value.wordStart, Value.wordEnd);
      put(block, Layout.BLOCK_NAME, Value.wordStart === 0 ? 0 : numberOf(Value.wordStart, Value.wordEnd));
      return true;
    case Name.TOOL_USE_ID:
      if (!readWord()) return false;
      resultIdStart = Value.wordStart;
      resultIdEnd = Value.wordEnd;
      return true;
    case Name.IS_ERROR:
      put(block, Layout.BLOCK_ERROR, isTrue(at) ? 1 : 0);
      return passOver();
    case Name.INPUT:
      return readInput();
    case Name.CONTENT:
      contentAt = start;
      return passOver();
    case Name.TEXT:
      if (!passOver()) return false;
      if (load<u8>(start) !== QUOTE) return true;
      textFrom = start;
      textTo = at;
      return true;
    default:
      return passOver();
  }
}

/** The text of a result whose content was already skipped over. */
function readResult(): bool {
  kind = Layout.OTHER_RESULT_BLOCK;
  if (contentAt === 0) return true;
  Value.beginText();
  const c = load<u8>(contentAt);
  if (c === QUOTE) {
    if (!Value.addToText(contentAt + 1, afterString(contentAt + 1) - 1)) return false;
  } else if (c === OPEN_BRACKET) {
    isOnlyText = true;
    if (!readParts()) return false;
    if (!isOnlyText) return true;
  } else return true;
  kind = Layout.RESULT_BLOCK;
  putWord(Layout.BLOCK_START, Value.madeStart, Value.madeEnd);
  put(block, Layout.BLOCK_CHARS, Value.madeChars);
  return true;
}

let isOnlyText: bool = false;

function readParts(): bool {
  let p = afterSpace(contentAt + 1);
  if (load<u8>(p) === CLOSE_BRACKET) return true;
  while (true) {
    moveTo(p);
    if (load<u8>(p) !== OPEN_BRACE) {
      isOnlyText = false;
      return true;
    }
    if (!readPart()) return false;
    p = afterSpace(at);
    if (load<u8>(p) !== COMMA) return true;
    Value.addLineBreak();
    p = afterSpace(p + 1);
  }
}

function readPart(): bool {
  isTextPart = hasText = false;
  if (!readObject(readPartMember)) return false;
  if (!isTextPart || !hasText) isOnlyText = false;
  return true;
}

let isTextPart: bool = false;
let hasText: bool = false;

function readPartMember(name: i32): bool {
  if (name === Name.TYPE) {
    if (!readWord()) return false;
    isTextPart = isWord("text");
    return true;
  }
  if (name !== Name.TEXT || load<u8>(at) !== QUOTE) return passOver();
  const end = afterString(at + 1);
  if (!Value.addToText(at + 1, end - 1)) return false;
  moveTo(end);
  hasText = true;
  return true;
}

/** The strings of a call's input, and the two numbers that matter. */
function readInput(): bool {
  keyCount = 0;
  bestPath = bestSubject = Name.NONE;
  const first = inputCount;
  if (!readObject(readInputMember)) return false;
  putWord(Layout.BLOCK_START, first, inputCount);
  return true;
}

/** The best names so far, by precedence, of strings that are a path or a subject. */
let bestPath: i32 = 0;
let bestSubject: i32 = 0;

function readInputMember(name: i32): bool {
  if (keyCount === MAX_KEYS || !isNewKey()) return false;
  if (load<u8>(at) === QUOTE) {
    if (!addInput()) return false;
    if (Name.isPath(name) && name < bestPath) {
      bestPath = name;
      put(block, Layout.BLOCK_PATH, inputCount);
    } else if (Name.isSubject(name) && name < bestSubject) {
      bestSubject = name;
      put(block, Layout.BLOCK_SUBJECT, inputCount);
    }
    return true;
  }
  if (name !== Name.OFFSET && name !== Name.LIMIT) return passOver();
  if (!readCount()) return false;
  // No file has more lines.
  const count = Value.number < 0x80000000 ? <usize>Value.number : 0;
  put(block, name === Name.OFFSET ? Layout.BLOCK_OFFSET : Layout.BLOCK_LIMIT, count);
  return true;
}

/** A later value of the same key would replace the earlier one, and numeric keys come first in JavaScript. */
function isNewKey(): bool {
  const length = <i32>(nameEnd - nameStart);
  if (isDigit(load<u8>(nameStart)) || !isPlainAscii(nameStart, nameEnd)) return false;
  for (let key = keys; key < keys + keyCount * 8; key += 8) {
    const isEqual = load<u32>(key + 4) === <u32>length && isSame(load<u32>(key), nameStart, length);
    if (isEqual) return false;
  }
  store<u32>(keys + keyCount * 8, <u32>nameStart);
  store<u32>(keys + keyCount * 8 + 4, length);
  keyCount++;
  return true;
}

function addInput(): bool {
  if (inputCount === Layout.MAX_INPUTS) return false;
  const end = afterString(at + 1);
  if (end === 0) return false;
  Value.beginText();
  if (!Value.addToText(at + 1, end - 1)) return false;
  const input = inputs + inputCount * Layout.INPUT_WORDS * 4;
  put(input, Layout.INPUT_KEY, numberOf(nameStart, nameEnd));
  put(input, Layout.INPUT_KEY_START, nameStart);
  put(input, Layout.INPUT_KEY_END, nameEnd);
  put(input, Layout.INPUT_START, Value.madeStart);
  put(input, Layout.INPUT_END, Value.madeEnd);
  put(input, Layout.INPUT_CHARS, Value.madeChars);
  inputCount++;
  moveTo(end);
  return true;
}

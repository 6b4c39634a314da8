/** The names of needed members, at any level. */
import { afterSpace, afterString, CLOSE_BRACE, COLON, COMMA, isEscaped, QUOTE } from "./json";

export const OTHER: i32 = 0;
export const TYPE: i32 = 1;
export const SUBTYPE: i32 = 2;
export const UUID: i32 = 3;
export const PARENT_UUID: i32 = 4;
export const TIMESTAMP: i32 = 5;
export const IS_SIDECHAIN: i32 = 6;
export const IS_META: i32 = 7;
export const IS_COMPACT_SUMMARY: i32 = 8;
export const AGENT_ID: i32 = 9;
export const SESSION_ID: i32 = 10;
export const CWD: i32 = 11;
export const VERSION: i32 = 12;
export const MESSAGE: i32 = 13;
export const TOOL_USE_RESULT: i32 = 14;
export const ATTACHMENT: i32 = 15;
export const CUSTOM_TITLE: i32 = 16;
export const AI_TITLE: i32 = 17;
export const SUMMARY: i32 = 18;
export const ID: i32 = 19;
export const MODEL: i32 = 20;
export const USAGE: i32 = 21;
export const CONTENT: i32 = 22;
export const CONTEXT_MANAGEMENT: i32 = 23;
export const INPUT_TOKENS: i32 = 24;
export const OUTPUT_TOKENS: i32 = 25;
export const CACHE_CREATION_INPUT_TOKENS: i32 = 26;
export const CACHE_READ_INPUT_TOKENS: i32 = 27;
export const CACHE_CREATION: i32 = 28;
export const EPHEMERAL_5M: i32 = 29;
export const EPHEMERAL_1H: i32 = 30;
export const NAME: i32 = 31;
export const INPUT: i32 = 32;
export const TOOL_USE_ID: i32 = 33;
export const IS_ERROR: i32 = 34;
export const TEXT: i32 = 35;
export const OFFSET: i32 = 36;
export const LIMIT: i32 = 37;
/** Names of a call's path and subject; the first one wins if there are several. The same as in src/log/tools.ts. */
const FILE_PATH: i32 = 38;
const PATH: i32 = 39;
const NOTEBOOK_PATH: i32 = 40;
const COMMAND: i32 = 41;
const PATTERN: i32 = 42;
const QUERY: i32 = 43;
const URL: i32 = 44;
const SKILL: i32 = 45;
const DESCRIPTION: i32 = 46;
const PROMPT: i32 = 47;
const NAMES: i32 = 48;
/** Greater than any name. */
export const NONE: i32 = 64;
/** There are no more members. */
export const END: i32 = -1;
/** This is not an object, or a doubtful one. */
export const DOUBTFUL: i32 = -2;

/** Longer than any of the names, and a multiple of 8. */
const NAME_BYTES: i32 = 40;
/** A power of two, large enough for short searches. */
const BUCKETS: i32 = 256;
const names: usize = memory.data(NAMES * NAME_BYTES);
const lengths: usize = memory.data(NAMES);
const buckets: usize = memory.data(BUCKETS);

function bucketOf(at: usize, length: i32): i32 {
  return (<i32>load<u8>(at) + 5 * <i32>load<u8>(at + length - 1) + 31 * length) & (BUCKETS - 1);
}

function add(id: i32, name: string): void {
  const at = names + id * NAME_BYTES;
  for (let i = 0; i < name.length; i++) store<u8>(at + i, <u8>name.charCodeAt(i));
  store<u8>(lengths + id, <u8>name.length);
  let bucket = bucketOf(at, name.length);
  while (load<u8>(buckets + bucket) !== 0) bucket = (bucket + 1) & (BUCKETS - 1);
  store<u8>(buckets + bucket, <u8>id);
}

add(TYPE, "type");
add(SUBTYPE, "subtype");
add(UUID, "uuid");
add(PARENT_UUID, "parentUuid");
add(TIMESTAMP, "timestamp");
add(IS_SIDECHAIN, "isSidechain");
add(IS_META, "isMeta");
add(IS_COMPACT_SUMMARY, "isCompactSummary");
add(AGENT_ID, "agentId");
add(SESSION_ID, "sessionId");
add(CWD, "cwd");
add(VERSION, "version");
add(MESSAGE, "message");
add(TOOL_USE_RESULT, "toolUseResult");
add(ATTACHMENT, "attachment");
add(CUSTOM_TITLE, "customTitle");
add(AI_TITLE, "aiTitle");
add(SUMMARY, "summary");
add(ID, "id");
add(MODEL, "model");
add(USAGE, "usage");
add(CONTENT, "content");
add(CONTEXT_MANAGEMENT, "context_management");
add(INPUT_TOKENS, "input_tokens");
add(OUTPUT_TOKENS, "output_tokens");
add(CACHE_CREATION_INPUT_TOKENS, "cache_creation_input_tokens");
add(CACHE_READ_INPUT_TOKENS, "cache_read_input_tokens");
add(CACHE_CREATION, "cache_creation");
add(EPHEMERAL_5M, "ephemeral_5m_input_tokens");
add(EPHEMERAL_1H, "ephemeral_1h_input_tokens");
add(NAME, "name");
add(INPUT, "input");
add(TOOL_USE_ID, "tool_use_id");
add(IS_ERROR, "is_error");
add(TEXT, "text");
add(OFFSET, "offset");
add(LIMIT, "limit");
add(FILE_PATH, "file_path");
add(PATH, "path");
add(NOTEBOOK_PATH, "notebook_path");
add(COMMAND, "command");
add(PATTERN, "pattern");
add(QUERY, "query");
add(URL, "url");
add(SKILL, "skill");
add(DESCRIPTION, "description");
add(PROMPT, "prompt");

export function isPath(name: i32): bool {
  return name >= FILE_PATH && name <= NOTEBOOK_PATH;
}

export function isSubject(name: i32): bool {
  return name >= COMMAND && name <= PROMPT;
}

export function isSame(one: usize, other: usize, length: i32): bool {
  let left = length;
  let a = one;
  let b = other;
  for (; left >= 8; left -= 8) {
    if (load<u64>(a) !== load<u64>(b)) return false;
    a += 8;
    b += 8;
  }
  return left === 0 || ((load<u64>(a) ^ load<u64>(b)) & (((<u64>1) << (<u64>left * 8)) - 1)) === 0;
}

function idOf(at: usize, length: i32): i32 {
  if (length === 0 || length >= NAME_BYTES) return OTHER;
  let bucket = bucketOf(at, length);
  while (true) {
    const id = <i32>load<u8>(buckets + bucket);
    if (id === OTHER) return OTHER;
    if (<i32>load<u8>(lengths + id) === length && isSame(at, names + id * NAME_BYTES, length)) return id;
    bucket = (bucket + 1) & (BUCKETS - 1);
  }
}

/** The current address in an object: at a member's value, then after it. */
export let at: usize = 0;
/** The name of the current member. */
export let nameStart: usize = 0;
export let nameEnd: usize = 0;

export function moveTo(position: usize): void {
  at = position;
}

/** The bit of a member in the set of those seen. */
export function bitOf(name: i32): u64 {
  return (<u64>1) << (<u64>name);
}

/**
 * Moves from after the opening brace, or from after a value, to the next value; returns its name's number. `seen`: the
 * members so far. A needed one that occurs twice is doubtful.
 */
export function nextMember(seen: u64): i32 {
  let p = afterSpace(at);
  let c = load<u8>(p);
  if (c === CLOSE_BRACE) {
    at = p + 1;
    return END;
  }
  if (seen !== 0) {
    if (c !== COMMA) return DOUBTFUL;
    p = afterSpace(p + 1);
    c = load<u8>(p);
  }
  if (c !== QUOTE) return DOUBTFUL;
  nameStart = p + 1;
  p = afterString(nameStart);
  // An escaped name can be spelled in many ways.
  if (p === 0 || isEscaped) return DOUBTFUL;
  nameEnd = p - 1;
  p = afterSpace(p);
  if (load<u8>(p) !== COLON) return DOUBTFUL;
  at = afterSpace(p + 1);
  const name = idOf(nameStart, <i32>(nameEnd - nameStart));
  return name !== OTHER && (seen & bitOf(name)) !== 0 ? DOUBTFUL : name;
}

import { type Bytes, bytesOf, OPEN_BRACE, OPEN_BRACKET, QUOTE, spells } from "./bytes.js";
import { KeySet, Spans } from "./keys.js";
import { parsedOf, stringAt } from "./values.js";
import { Walk } from "./walk.js";

const LINE_KEYS = new KeySet([
  "type",
  "subtype",
  "uuid",
  "parentUuid",
  "timestamp",
  "isSidechain",
  "isMeta",
  "isCompactSummary",
  "agentId",
  "sessionId",
  "cwd",
  "version",
  "message",
  "toolUseResult",
  "compactMetadata",
  "microcompactMetadata",
  "replacements",
  "customTitle",
  "aiTitle",
  "summary",
]);
const MESSAGE_KEYS = new KeySet(["id", "model", "usage", "content"]);
const BLOCK_KEYS = new KeySet(["type", "id", "name", "input", "tool_use_id", "content", "is_error"]);

const NO_BYTES = bytesOf("");

const MESSAGE = LINE_KEYS.names.indexOf("message");
const TOOL_USE_RESULT = LINE_KEYS.names.indexOf("toolUseResult");
/** Shorter values are passed over faster than jumped over. */
const MIN_JUMP = 256;
/** How a line begins: seen within a line, two lines have run together and the bytes must be walked to tell. */
const LINE_START = bytesOf('{"parentUuid":');

type LineKey = (typeof LINE_KEYS)["names"][number];
export type BlockSpans = Spans<(typeof BLOCK_KEYS)["names"][number]>;
export type MessageSpans = Spans<(typeof MESSAGE_KEYS)["names"][number]>;

/**
 * One log line seen from outside: where the members stand that a reader may need, those of its message and of its
 * content blocks included. One pass over the bytes; nothing is parsed until asked. Reused from line to line.
 *
 * A line is judged by what is looked at: brackets, quotes and commas down to the content blocks. Nonsense inside a value
 * that nobody needs goes unnoticed; a torn line, or two lines run together, does not.
 */
export class LogLine {
  bytes: Bytes = NO_BYTES;
  readonly message: MessageSpans = new Spans(MESSAGE_KEYS);
  /** How many of `blocks` belong to this line. */
  blockCount = 0;
  readonly blocks: BlockSpans[] = [];
  readonly #spans = new Spans(LINE_KEYS);
  #start = 0;
  #end = 0;
  /** Where a value was jumped over, its end is only known to be no later than the span says. */
  #jumped = false;
  readonly #lineWalk = new Walk();
  readonly #messageWalk = new Walk();
  readonly #contentWalk = new Walk();
  readonly #blockWalk = new Walk();

  /** False when the bytes are not one JSON object. */
  read(bytes: Bytes, start: number, end: number, mayJump = true): boolean {
    this.bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#jumped = false;
    this.#spans.clear();
    this.message.clear();
    this.blockCount = 0;
    const walk = this.#lineWalk;
    let first = start;
    while (first < end && bytes[first] !== OPEN_BRACE && (bytes[first] ?? 0) <= 0x20) first++;
    walk.open(bytes, first, end);
    if (bytes[first] !== OPEN_BRACE) return false;
    while (walk.next()) {
      const slot = LINE_KEYS.slotAt(bytes, walk.keyStart, walk.keyEnd);
      if (slot === MESSAGE && bytes[walk.valueStart] === OPEN_BRACE) {
        this.#spans.set(slot, walk.valueStart, this.#readMessage(walk, end));
        continue;
      }
      if (mayJump && !this.#jumped && this.#isBallast(slot, walk)) {
        this.#jumped = walk.jumpToTail(MIN_JUMP, LINE_START);
      }
      if (slot >= 0) this.#spans.set(slot, walk.valueStart, walk.skip());
    }
    if (!walk.isWhole()) return false;
    return !this.#jumped || this.#isComplete() || this.#readWhole();
  }

  /** Large values that nobody looks into: a tool's own record of its result, progress, what an attachment holds. */
  #isBallast(slot: number, walk: Walk): boolean {
    if (slot === TOOL_USE_RESULT) return true;
    return slot < 0 && (this.is("type", "progress") || spells(this.bytes, walk.keyStart, walk.keyEnd, "attachment"));
  }

  /** A jump may have passed over the message, in a key order never seen yet. */
  #isComplete(): boolean {
    return this.#spans.start("message") >= 0 || this.is("type", "progress") || this.is("type", "attachment");
  }

  #readWhole(): boolean {
    return this.read(this.bytes, this.#start, this.#end, false);
  }

  /** Where the member's value stands, quotes included; -1 where it is missing. */
  start(key: LineKey): number {
    const start = this.#spans.start(key);
    if (start >= 0 || !this.#jumped) return start;
    // What is missing may stand in what was jumped over.
    this.#readWhole();
    return this.#spans.start(key);
  }

  end(key: LineKey): number {
    return this.#spans.end(key);
  }

  /** The member's string value, or undefined where it is missing or not a string. */
  text(key: LineKey): string | undefined {
    return stringAt(this.bytes, this.start(key), this.end(key));
  }

  /** Whether the member is the literal true. */
  isTrue(key: LineKey): boolean {
    return isTrueAt(this.bytes, this.start(key));
  }

  /** Whether the member is exactly this string. */
  is(key: LineKey, value: string): boolean {
    return isStringAt(this.bytes, this.start(key), this.end(key), value);
  }

  /** The member's value, parsed; undefined where it is missing. Throws a SyntaxError where it is not JSON. */
  parse(key: LineKey): unknown {
    if (this.#jumped) this.#readWhole();
    return parsedOf(this.bytes, this.#spans, key);
  }

  /** The member's bytes, or none where it is missing. After a jump there may be more than its own. */
  raw(key: LineKey): Bytes {
    const start = this.#spans.start(key);
    return start < 0 ? NO_BYTES : this.bytes.subarray(start, this.#spans.end(key));
  }

  #readMessage(outer: Walk, end: number): number {
    const { bytes, message } = this;
    const walk = this.#messageWalk;
    walk.open(bytes, outer.valueStart, end);
    while (walk.next()) {
      const slot = MESSAGE_KEYS.slotAt(bytes, walk.keyStart, walk.keyEnd);
      if (slot < 0) continue;
      const isBlocks = MESSAGE_KEYS.names[slot] === "content" && bytes[walk.valueStart] === OPEN_BRACKET;
      message.set(slot, walk.valueStart, isBlocks ? this.#readBlocks(walk, end) : walk.skip());
    }
    return outer.skipTo(walk);
  }

  #readBlocks(outer: Walk, end: number): number {
    const walk = this.#contentWalk;
    this.blockCount = 0;
    walk.open(this.bytes, outer.valueStart, end);
    while (walk.next()) {
      if (this.bytes[walk.valueStart] === OPEN_BRACE) this.#readBlock(walk, end);
    }
    return outer.skipTo(walk);
  }

  #readBlock(outer: Walk, end: number): void {
    const { bytes } = this;
    const block = this.blocks[this.blockCount] ?? new Spans(BLOCK_KEYS);
    this.blocks[this.blockCount++] = block;
    block.clear();
    const walk = this.#blockWalk;
    walk.open(bytes, outer.valueStart, end);
    while (walk.next()) {
      const slot = BLOCK_KEYS.slotAt(bytes, walk.keyStart, walk.keyEnd);
      if (slot >= 0) block.set(slot, walk.valueStart, walk.skip());
    }
    outer.skipTo(walk);
  }
}

export function isTrueAt(bytes: Bytes, start: number): boolean {
  return start >= 0 && bytes[start] === 0x74;
}

export function isStringAt(bytes: Bytes, start: number, end: number, value: string): boolean {
  return start >= 0 && bytes[start] === QUOTE && spells(bytes, start + 1, end - 1, value);
}

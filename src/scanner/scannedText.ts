import { asciiOf, type Bytes, textOf } from "../log/bytes.js";
import { type CutText, HeldResponse, HeldText } from "../log/heldText.js";

/** The memory that a text is in. */
export interface TextMemory {
  /** The number of lines so far. */
  readonly lines: number;
  readonly bytes: Bytes;
  cut(start: number, end: number): CutText | undefined;
  /** The JSON between two addresses, with long strings shortened. */
  shortened(start: number, end: number): string;
}

/** A text in the scanner's memory. */
export class ScannedText extends HeldText {
  readonly length: number;
  readonly #memory: TextMemory;
  readonly #start: number;
  readonly #end: number;
  readonly #line: number;
  #cut: CutText | undefined;

  constructor(memory: TextMemory, start: number, end: number, length: number) {
    super();
    this.length = length;
    this.#memory = memory;
    this.#start = start;
    this.#end = end;
    this.#line = memory.lines;
  }

  get utf8Length(): number {
    return this.#end - this.#start;
  }

  includes(part: string): boolean {
    return this.utf8().includes(part);
  }

  utf8(): Bytes {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  toString(): string {
    return this.#decoded(this.#end);
  }

  /** The beginning: at least a third as many characters as there may be bytes. */
  beginning(maxBytes: number): string {
    const bytes = this.#bytes;
    let end = Math.min(this.#end, this.#start + maxBytes);
    if (end < this.#end) while (isInsideCharacter(bytes[end])) end--;
    return this.#decoded(end);
  }

  cut(): CutText | undefined {
    this.#cut ??= this.#present.cut(this.#start, this.#end);
    return this.#cut;
  }

  get #bytes(): Bytes {
    return this.#present.bytes;
  }

  /** The memory, as long as the text is in it. */
  get #present(): TextMemory {
    if (this.#memory.lines !== this.#line) throw new Error("a text was used after the next line had been read");
    return this.#memory;
  }

  #decoded(end: number): string {
    const bytes = this.#bytes;
    return this.length === this.utf8Length ? asciiOf(bytes, this.#start, end) : textOf(bytes, this.#start, end);
  }
}

/** Whether this byte continues a UTF-8 character. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** What a tool returned, in the scanner's memory. */
export class ScannedResponse extends HeldResponse {
  readonly isUnchanged: boolean;
  readonly #memory: TextMemory;
  readonly #start: number;
  readonly #end: number;
  readonly #line: number;
  #value: unknown;
  #isRead = false;

  constructor(memory: TextMemory, start: number, end: number, isUnchanged: boolean) {
    super();
    this.isUnchanged = isUnchanged;
    this.#memory = memory;
    this.#start = start;
    this.#end = end;
    this.#line = memory.lines;
  }

  /** With long strings shortened: its members show what kind of thing it is, not their texts. */
  get value(): unknown {
    if (this.#isRead) return this.#value;
    if (this.#memory.lines !== this.#line) throw new Error("a value was used after the next line had been read");
    this.#value = JSON.parse(this.#memory.shortened(this.#start, this.#end));
    this.#isRead = true;
    return this.#value;
  }
}

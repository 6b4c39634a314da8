import { type Bytes, textOf, writeAscii, writeText } from "../log/bytes.js";
import type { ScannerExports } from "../scanner/lineView.js";
import * as Layout from "./readerLayout.js";

/** The exports of the reader in WebAssembly (src/kernel/assembly/reader/index.ts). Strings are numbers. */
export interface ReaderExports extends ScannerExports {
  readonly firstAt: { readonly value: number };
  readonly lastAt: { readonly value: number };
  readonly hooked: { readonly value: number };
  beginReading(bytes: number, secret: number, otherSecret: number, keepAll: number, comparesTexts: number): number;
  beginContexts(agent: number, main: number, sidechain: number, nothing: number): void;
  setNeeds(needs: number): void;
  loaded(bytes: number): void;
  readLines(): number;
  lineStart(): number;
  nextStart(): number;
  lineCount(): number;
  bytesTaken(): number;
  passLine(bytes: number): void;
  scratchFor(bytes: number): number;
  stringOf(bytes: number): number;
  newString(bytes: number): number;
  fingerprintOf(bytes: number): number;
  stringWord(string: number, word: number): number;
  setStringWord(string: number, word: number, value: number): void;
  nameOf(string: number): number;
  textOf(string: number): number;
  nameOfUuid(string: number): number;
  nameOfTime(string: number): number;
  addNumbers(count: number): number;
  addCells(count: number): number;
  numbersAt(): number;
  numberCount(): number;
  cellsAt(): number;
  cellCount(): number;
  nameStringsAt(): number;
  nameWordsAt(): number;
  nameCount(): number;
  firstName(): number;
  gatherNames(): number;
  notesAt(): number;
  takeNotes(): number;
  titleAt(): number;
  takeTitle(): number;
  takePrompts(): number;
  takeInterruptions(): number;
  openContext(id: number): number;
  openContexts(): number;
  contextNumbers(which: number): number;
  contextHasResult(which: number, id: number): number;
  contextAddResult(which: number, id: number): void;
  contextResultsAt(which: number): number;
  contextResults(which: number): number;
  contextSamplesAt(which: number): number;
  contextSamples(which: number): number;
  contextRequest(which: number, model: number, input: number, output: number): void;
  indexLine(which: number, high: number, low: number): number;
  indexNode(which: number, high: number, low: number): number;
  indexPut(which: number, high: number, low: number, line: number, node: number): void;
  indexAt(which: number): number;
  indexWords(which: number): number;
  callCount(): number;
  callAt(which: number): number;
  callWith(id: number): number;
  placeOfCall(id: number): number;
  addResultUuid(uuid: number, line: number): void;
  findResultLines(uuid: number): number;
  resultLinesAt(): number;
}

/** The program's memory as seen from JavaScript. */
export interface SeenMemory {
  /** Valid until the program is called. */
  readonly bytes: Bytes;
  look(): void;
}

/** An unpaired surrogate, which has no UTF-8. */
const HALF_PAIR = /\p{Surrogate}/u;

/** The strings in the program's memory. */
export class ProgramStrings {
  readonly #program: ReaderExports;
  readonly #memory: SeenMemory;
  /** Those without UTF-8. */
  readonly #odd = new Map<number, string>();

  constructor(program: ReaderExports, memory: SeenMemory) {
    this.#program = program;
    this.#memory = memory;
  }

  /** The number of a string. */
  numberOf(text: string): number {
    const bytes = this.#put(text);
    const string = this.#program.stringOf(bytes);
    this.#note(string, text);
    return string;
  }

  /** The same for ASCII. */
  numberOfAscii(text: string): number {
    const at = this.#program.scratchFor(text.length);
    this.#memory.look();
    return this.#program.stringOf(writeAscii(this.#memory.bytes, at, text));
  }

  /** The same for a string that is hardly ever repeated. */
  newNumber(text: string): number {
    const string = this.#program.newString(this.#put(text));
    this.#note(string, text);
    return string;
  }

  /** The fingerprint of a text that only the kernel gets; `utf8` may be in the program's memory. */
  fingerprintOf(utf8: Uint8Array): string {
    const bytes = utf8.slice();
    const at = this.#program.scratchFor(bytes.length);
    this.#memory.look();
    this.#memory.bytes.set(bytes, at);
    return this.get(this.#program.fingerprintOf(bytes.length));
  }

  get(string: number): string {
    const odd = this.#odd.get(string);
    if (odd !== undefined) return odd;
    const start = this.#program.stringWord(string, Layout.STRING_START);
    const end = start + this.#program.stringWord(string, Layout.STRING_BYTES);
    return this.between(start, end);
  }

  hasOdd(): boolean {
    return this.#odd.size > 0;
  }

  between(start: number, end: number): string {
    this.#memory.look();
    return textOf(this.#memory.bytes, start, end);
  }

  /** Puts a text where the program expects it; returns its number of bytes. */
  #put(text: string): number {
    const at = this.#program.scratchFor(3 * text.length);
    this.#memory.look();
    if (!HALF_PAIR.test(text)) return writeText(this.#memory.bytes, at, text);
    let bytes = 0;
    for (const character of text) {
      const code = character.charCodeAt(0);
      const isHalf = character.length === 1 && code >= 0xd800 && code < 0xe000;
      // What UTF-8 would be if it allowed that: different surrogates have different bytes.
      if (isHalf) this.#memory.bytes.set([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)], at + bytes);
      bytes += isHalf ? 3 : writeText(this.#memory.bytes, at + bytes, character);
    }
    return bytes;
  }

  #note(string: number, text: string): void {
    if (HALF_PAIR.test(text)) this.#odd.set(string, text);
  }
}

import { digest, type ReplayFact } from "../dedup/digest.js";
import { hookedPart } from "../dedup/door.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { LineScanner } from "../dedup/runs/lines.js";
import { isWholeOrNothing } from "../dedup/runs/textKind.js";
import { type Bytes, bytesOf, NEWLINE } from "../log/bytes.js";
import type { Sample } from "../log/calibration.js";
import { FactReader } from "../log/factReader.js";
import type { Fact } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";
import { PLAIN_PARSER } from "../log/lineParser.js";
import { type LineSink, LineSplitter } from "../log/lineSplitter.js";
import type { LogHeader } from "../log/logHeader.js";
import type { LogLine } from "../log/logLine.js";
import type { SavedReader } from "../log/logReader.js";
import { absolutePath, targetOf } from "../log/tools.js";
import { LineView } from "../scanner/lineView.js";
import type { ReaderHost } from "../scanner/program.js";
import { ScannedResponse, ScannedText } from "../scanner/scannedText.js";
import { fastestParser } from "../scanner/scanner.js";
import { FactPacker } from "./factPacker.js";
import { HeaderNotes } from "./headerNotes.js";
import * as Facts from "./layout.js";
import type { FactChunk } from "./packedFacts.js";
import { ProgramNames } from "./programNames.js";
import { ProgramStrings, type ReaderExports } from "./programStrings.js";
import * as Layout from "./readerLayout.js";
import { ProgramMemory } from "./readerMemory.js";

/** How much is read at once, with the beginning of an unfinished line; longer lines are read in JavaScript. */
const MAX_CHUNK_BYTES = 1024 * 1024;
/** Loads of 16 bytes may begin at the last byte. */
const MARGIN = 128;
/** More than is shown of a call's subject, even if every character takes three bytes. */
const SHOWN_BYTES = 1024;
/** The length in characters is unknown. */
const UNKNOWN_LENGTH = -1;

export interface CompiledReaderOptions {
  /** The subagent whose own file this is. */
  readonly agentOfFile: string | undefined;
  /** False if only the kernel gets the facts. */
  readonly keepFacts: boolean;
  /** Whether kept facts include what settings hooks can replace. */
  readonly forHooks: boolean;
  /** Receives the texts for comparison with others. */
  readonly texts?: ReadTexts | undefined;
  /** There are enough facts for a chunk. */
  readonly full: () => void;
}

export interface ReadTexts {
  wants(fact: Fact<LogText>): boolean;
  /** `fact`: with its text if that is wanted. */
  take(context: string, fact: ReplayFact): void;
  /** For a result that is not an error, and whose text may be a JSON object. */
  takeText(context: string, fingerprint: string, uuid: string, text: LogText): void;
}

/** Shared by all logs: it keeps nothing, but allocating its memory takes longer than splitting most logs. */
const LINES = new LineScanner();

/**
 * Turns the bytes of one log into packed facts in the kernel's own memory, with the program in WebAssembly: most lines
 * allocate nothing in JavaScript. The others (see `takeLine` in src/kernel/assembly/reader/reader.ts) are read by the
 * rules in src/log, on the same memory. The facts are the same as those of a `LogReader` and a `FactPacker`.
 */
export class CompiledReader implements LineSink, ReaderHost {
  readonly #program: ReaderExports;
  readonly #full: () => void;
  readonly #texts: ReadTexts | undefined;
  readonly #forHooks: boolean;
  readonly #view: LineView;
  readonly #strings: ProgramStrings;
  readonly #memory: ProgramMemory;
  readonly #notes: HeaderNotes;
  readonly #facts: FactReader;
  readonly #names: ProgramNames;
  readonly #packer: FactPacker;
  readonly #splitter = new LineSplitter(this);
  readonly #room: number;
  /** The number of bytes of the unfinished line, which is at the beginning of the room. */
  #begun = 0;
  /** The same for one that does not fit there: the splitter has it. */
  #held = 0;

  constructor(program: ReaderExports, { agentOfFile, keepFacts, forHooks, texts, full }: CompiledReaderOptions) {
    this.#program = program;
    this.#full = full;
    this.#texts = texts;
    this.#forHooks = forHooks;
    const compares = texts === undefined ? 0 : 1;
    this.#room = program.beginReading(MAX_CHUNK_BYTES + MARGIN, secret(), secret(), keepFacts ? 1 : 0, compares);
    this.#view = new LineView(program, false);
    this.#strings = new ProgramStrings(program, this.#view);
    this.#memory = new ProgramMemory(program, this.#strings);
    this.#notes = new HeaderNotes(program, this.#strings);
    this.#names = new ProgramNames(program, this.#strings, keepFacts);
    this.#packer = new FactPacker(this.#names);
    const agent = agentOfFile === undefined ? Layout.NONE : this.#strings.numberOf(agentOfFile);
    const [main, sidechain, nothing] = ["main", "sidechain", ""].map(text => this.#strings.numberOf(text));
    program.beginContexts(agent, main ?? 0, sidechain ?? 0, nothing ?? 0);
    const own = (text: LogText) => this.#strings.fingerprintOf(typeof text === "string" ? bytesOf(text) : text.utf8());
    const fingerprintOf = keepFacts ? fingerprint : own;
    this.#facts = new FactReader(
      ({ id }, fact) => {
        const digested = digest(fact, texts?.wants(fact) ?? false, fingerprintOf, LINES, forHooks);
        texts?.take(id, digested);
        this.#packer.add(id, digested);
      },
      this.#memory,
      { agentOfFile, withCalls: true },
    );
    this.#tellNeeds();
  }

  /** Where the next bytes can be read to: if they are pushed from there, they need not be copied. */
  get room(): Bytes | undefined {
    if (this.#held > 0) return undefined;
    this.#view.look();
    return this.#view.bytes.subarray(this.#room + this.#begun, this.#room + MAX_CHUNK_BYTES);
  }

  push(bytes: Bytes): void {
    // From here on they may be gone, if the program's memory grows.
    const { length } = bytes;
    if (this.#isInRoom(bytes)) return this.#readRoom(length);
    for (let from = 0; from < length; ) {
      from += this.#held > 0 ? this.#pushRest(bytes.subarray(from)) : this.#pushCopy(bytes.subarray(from));
    }
  }

  #isInRoom({ buffer, byteOffset }: Bytes): boolean {
    this.#view.look();
    return buffer === this.#view.bytes.buffer && byteOffset === this.#room + this.#begun;
  }

  /** Returns how many bytes were pushed. */
  #pushCopy(bytes: Bytes): number {
    const length = Math.min(bytes.length, MAX_CHUNK_BYTES - this.#begun);
    this.#view.look();
    bytes.copy(this.#view.bytes, this.#room + this.#begun, 0, length);
    this.#readRoom(length);
    return length;
  }

  /** The same for the rest of a long line. */
  #pushRest(bytes: Bytes): number {
    const end = bytes.indexOf(NEWLINE);
    const rest = end < 0 ? bytes : bytes.subarray(0, end + 1);
    this.#held += rest.length;
    this.#splitter.push(rest);
    if (end >= 0) this.#held = 0;
    return rest.length;
  }

  /** This many bytes have been added to the room. */
  #readRoom(bytes: number): void {
    this.#view.look();
    const length = this.#begun + bytes;
    const hasLine = this.#view.bytes.subarray(this.#room + this.#begun, this.#room + length).includes(NEWLINE);
    const read = hasLine ? this.#read(length) : 0;
    this.#begun = length - read;
    if (hasLine) this.#view.bytes.copyWithin(this.#room, this.#room + read, this.#room + length);
    else if (length === MAX_CHUNK_BYTES) this.#spill();
  }

  /** The unfinished line does not fit into the room. */
  #spill(): void {
    this.#held = this.#begun;
    this.#begun = 0;
    this.#splitter.push(this.#view.bytes.subarray(this.#room, this.#room + this.#held));
  }

  /** Reads whole lines from this many bytes in the program's room; returns how many bytes belong to them. */
  #read(bytes: number): number {
    const program = this.#program;
    program.loaded(bytes);
    for (;;) {
      this.#view.next();
      const why = program.readLines();
      this.#view.look();
      if (why === Layout.NO_LINE) return program.nextStart() - this.#room;
      if (why === Layout.IS_FULL) this.#full();
      else this.#takeRare(program.lineStart(), program.nextStart() - 1);
    }
  }

  #takeRare(start: number, end: number): void {
    const offset = this.#program.bytesTaken() - (end + 1 - start);
    const line = this.#view.isKnown ? this.#view.read() : PLAIN_PARSER.parse(this.#view.bytes, start, end);
    this.#take(line, offset);
  }

  /** A line that the splitter has put together. */
  line(bytes: Bytes, start: number, end: number): void {
    if (end - start <= MAX_CHUNK_BYTES && end - start + 1 === this.#held) {
      this.#view.look();
      bytes.copy(this.#view.bytes, this.#room, start, end);
      this.#view.bytes[this.#room + end - start] = NEWLINE;
      this.#read(end - start + 1);
      return;
    }
    const offset = this.#program.bytesTaken();
    this.#program.passLine(this.#held);
    const parser = fastestParser();
    parser.begin();
    this.#take(parser.parse(bytes, start, end), offset);
  }

  overlong(): void {
    this.#program.passLine(this.#held);
    this.#facts.overlong();
  }

  failed(error: unknown): void {
    throw error;
  }

  /** Reads a line by the rules in JavaScript. */
  #take(line: LogLine | undefined, offset: number): void {
    if (line !== undefined) {
      line.line = this.#program.lineCount();
      line.offset = offset;
    }
    const { header } = this;
    this.#facts.take(line);
    const { numbers, lines } = this.#packer.chunk();
    if (numbers.length > 0) this.#addFacts(numbers, lines);
    if (line === undefined) return;
    this.#mark(line.version, header.versions, Layout.IS_VERSION);
    this.#mark(line.model, header.models, Layout.IS_MODEL);
    this.#tellNeeds();
  }

  #addFacts(numbers: Float64Array, lines: Uint32Array): void {
    const numbersAt = this.#program.addNumbers(numbers.length);
    new Float64Array(this.#program.memory.buffer, numbersAt, numbers.length).set(numbers);
    const cellsAt = this.#program.addCells(lines.length);
    new Uint32Array(this.#program.memory.buffer, cellsAt, lines.length).set(lines);
  }

  /** What the header already has need not be noted again. */
  #mark(text: string | undefined, known: ReadonlySet<string>, mark: number): void {
    if (text === undefined || !known.has(text)) return;
    const string = this.#strings.numberOf(text);
    const marks = this.#program.stringWord(string, Layout.STRING_MARKS);
    this.#program.setStringWord(string, Layout.STRING_MARKS, marks | mark);
  }

  #tellNeeds(): void {
    const { sessionId, project, title } = this.#facts.header;
    const needsSession = sessionId === undefined ? Layout.NEEDS_SESSION : 0;
    const needsProject = project === undefined ? Layout.NEEDS_PROJECT : 0;
    this.#program.setNeeds(needsSession | needsProject | (title === undefined ? Layout.NEEDS_TITLE : 0));
  }

  get consumed(): number {
    return this.#program.bytesTaken();
  }

  get lines(): number {
    return this.#program.lineCount();
  }

  get header(): LogHeader {
    const header = this.#facts.header;
    this.#notes.moveTo(header);
    return header;
  }

  get contexts(): ReadonlyMap<string, unknown> {
    return this.#memory.contexts;
  }

  get samples(): Sample[] {
    return [...this.#memory.contexts.values()].flatMap(context => context.samples);
  }

  get state(): SavedReader {
    return {
      offset: this.consumed,
      lines: this.lines,
      compactions: this.#facts.compactions,
      header: this.header,
      calls: this.#memory.calls.all(),
      contexts: [...this.#memory.contexts.values()].map(context => context.state),
    };
  }

  /** A copy of what was read since the last chunk. */
  chunk(): FactChunk {
    const program = this.#program;
    const text = this.#names.chunkText();
    const { buffer } = program.memory;
    const names = (program.nameCount() - program.firstName()) * Facts.NAME_WORDS;
    return {
      numbers: new Float64Array(buffer, program.numbersAt(), program.numberCount()).slice(),
      lines: new Uint32Array(buffer, program.cellsAt(), program.cellCount()).slice(),
      names: new Uint32Array(buffer, program.nameWordsAt(), names).slice(),
      text,
    };
  }

  get hasFacts(): boolean {
    return this.#program.numberCount() > 0;
  }

  nameOf(name: number): string | undefined {
    return this.#names.nameOf(name);
  }

  // Callbacks of the program: see src/kernel/assembly/reader/host.ts.

  readonly fingerprint = (start: number, end: number): number => {
    this.#view.look();
    return this.#strings.numberOfAscii(fingerprint(this.#view.bytes.subarray(start, end)));
  };

  readonly takeText = (start: number, end: number, print: number, context: number, uuid: number): void => {
    const strings = this.#strings;
    const text = this.#text(start, end);
    this.#texts?.takeText(strings.get(context), strings.get(print), strings.get(uuid), text);
  };

  readonly pathOf = (start: number, end: number, cwdStart: number, cwdEnd: number): number =>
    this.#strings.numberOf(absolutePath(this.#strings.between(start, end), this.#given(cwdStart, cwdEnd)));

  readonly targetOf = (
    pathStart: number,
    pathEnd: number,
    subjectStart: number,
    subjectEnd: number,
    cwdStart: number,
    cwdEnd: number,
  ): number => {
    const path = this.#given(pathStart, pathEnd);
    const subject = subjectStart === 0 ? undefined : this.#text(subjectStart, subjectEnd).beginning(SHOWN_BYTES);
    return this.#strings.numberOf(targetOf(path, subject, this.#given(cwdStart, cwdEnd)));
  };

  readonly cutLong = (start: number, end: number): number => {
    const lines = LINES.scan(this.#text(start, end).toString());
    this.#addFacts(new Float64Array(), lines);
    return lines.length;
  };

  readonly isListing = (tool: number, start: number, end: number): number =>
    isWholeOrNothing(this.#strings.get(tool), this.#text(start, end).toString()) ? 1 : 0;

  readonly hookedPart = (
    tool: number,
    start: number,
    end: number,
    responseStart: number,
    responseEnd: number,
  ): number => {
    if (!this.#forHooks) return 0;
    const text = this.#text(start, end);
    const response =
      responseStart === 0 ? undefined : new ScannedResponse(this.#view, responseStart, responseEnd, false);
    const hooked = hookedPart(this.#strings.get(tool), text, response);
    if (hooked?.numbered === undefined) return hooked === undefined ? 0 : Facts.IS_HOOKED;
    const { begin, end: last, hasTabs, keptBytes, prefix } = hooked.numbered;
    const numbers = [begin, last, +hasTabs, keptBytes, this.#strings.numberOf(prefix)];
    new Float64Array(this.#program.memory.buffer, this.#program.hooked.value, numbers.length).set(numbers);
    return Facts.IS_HOOKED | Facts.IS_NUMBERED;
  };

  #given(start: number, end: number): string | undefined {
    return start === 0 ? undefined : this.#strings.between(start, end);
  }

  #text(start: number, end: number): ScannedText {
    this.#view.look();
    return new ScannedText(this.#view, start, end, UNKNOWN_LENGTH);
  }
}

/** Unknown to writers of logs. */
function secret(): number {
  return Math.floor(Math.random() * 2 ** 32) | 0;
}

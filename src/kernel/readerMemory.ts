import type { SavedCalibrator } from "../log/calibration.js";
import { type Call, UNKNOWN_CALL } from "../log/calls.js";
import type { ReadContext, ReaderMemory } from "../log/factReader.js";
import { hash64, type IndexedLine, type SavedLineIndex } from "../log/lineIndex.js";
import type { SavedContext } from "../log/logContext.js";
import { type LinkMemory, ParentLinks } from "../log/parentLinks.js";
import { KINDS } from "./packedFacts.js";
import type { ProgramStrings, ReaderExports } from "./programStrings.js";
import * as Layout from "./readerLayout.js";

/** What the reader in WebAssembly remembers of a log, for lines that are read in JavaScript. */
export class ProgramMemory implements ReaderMemory {
  readonly calls: ProgramCalls;
  readonly #contexts = new Map<string, ProgramContext>();
  readonly #program: ReaderExports;
  readonly #strings: ProgramStrings;

  constructor(program: ReaderExports, strings: ProgramStrings) {
    this.#program = program;
    this.#strings = strings;
    this.calls = new ProgramCalls(program, strings);
  }

  /** Including those that the program has opened. */
  get contexts(): ReadonlyMap<string, ProgramContext> {
    for (let which = this.#contexts.size; which < this.#program.openContexts(); which++) this.#add(which);
    return this.#contexts;
  }

  addContext(id: string): ProgramContext {
    return this.#add(this.#program.openContext(this.#strings.numberOf(id)));
  }

  #add(which: number): ProgramContext {
    const context = new ProgramContext(which, this.#program, this.#strings);
    this.#contexts.set(context.id, context);
    return context;
  }
}

class ProgramContext implements ReadContext, LinkMemory {
  readonly id: string;
  readonly links: ParentLinks;
  readonly #program: ReaderExports;
  readonly #strings: ProgramStrings;
  readonly #which: number;

  constructor(which: number, program: ReaderExports, strings: ProgramStrings) {
    this.#program = program;
    this.#strings = strings;
    this.#which = which;
    this.id = strings.get(this.#get(Layout.CONTEXT_ID));
    this.links = new ParentLinks(undefined, undefined, this);
  }

  readonly index: LinkMemory["index"] = {
    get: (uuid: string): IndexedLine | undefined => {
      const [high, low] = hash64(uuid);
      const line = this.index.lineOf(high, low);
      return line === 0 ? undefined : { line, node: this.index.nodeOf(high, low) };
    },
    lineOf: (high, low) => this.#program.indexLine(this.#which, high, low),
    nodeOf: (high, low) => this.#program.indexNode(this.#which, high, low),
    put: (high, low, line, node) => this.#program.indexPut(this.#which, high, low, line, node),
    since: (line): SavedLineIndex => {
      const { buffer } = this.#program.memory;
      const at = this.#program.indexAt(this.#which);
      const words = new Uint32Array(buffer, at, this.#program.indexWords(this.#which));
      const kept = new Uint32Array(words.length / 2);
      let length = 0;
      for (let from = 0; from < words.length; from += Layout.INDEX_WORDS) {
        if ((words[from + Layout.INDEX_LINE] as number) < Math.max(1, line)) continue;
        for (let word = from; word < from + Layout.INDEX_WORDS; word++) kept[length++] = words[word] as number;
      }
      return kept.slice(0, length);
    },
  };

  readonly results = {
    has: (id: string) => this.#program.contextHasResult(this.#which, this.#strings.numberOf(id)) !== 0,
    add: (id: string) => this.#program.contextAddResult(this.#which, this.#strings.numberOf(id)),
  };

  readonly calibrator = {
    result: (chars: number | null): void => {
      if (chars === null) this.calibrator.spoil();
      else this.#set(Layout.CALIBRATOR_CHARS, this.#get(Layout.CALIBRATOR_CHARS) + chars);
    },
    spoil: (): void => this.#set(Layout.CALIBRATOR_SPOILED, 1),
    request: (model: string, input: number, output: number): void =>
      this.#program.contextRequest(this.#which, this.#strings.numberOf(model), input, output),
    raiseOutput: (output: number): boolean => {
      if (output <= this.#get(Layout.CALIBRATOR_OUTPUT)) return false;
      this.#set(Layout.CALIBRATOR_OUTPUT, output);
      return true;
    },
  };

  get newestCall(): number {
    return this.#get(Layout.NEWEST_CALL);
  }
  set newestCall(call: number) {
    this.#set(Layout.NEWEST_CALL, call);
  }

  get newestNode(): number {
    return this.#get(Layout.NEWEST_NODE);
  }
  set newestNode(node: number) {
    this.#set(Layout.NEWEST_NODE, node);
  }

  get hasNewest(): boolean {
    return this.#get(Layout.HAS_NEWEST) !== 0;
  }
  set hasNewest(hasNewest: boolean) {
    this.#set(Layout.HAS_NEWEST, hasNewest ? 1 : 0);
  }

  get newestHigh(): number {
    return this.#get(Layout.NEWEST_HIGH);
  }
  set newestHigh(high: number) {
    this.#set(Layout.NEWEST_HIGH, high);
  }

  get newestLow(): number {
    return this.#get(Layout.NEWEST_LOW);
  }
  set newestLow(low: number) {
    this.#set(Layout.NEWEST_LOW, low);
  }

  get hasOrphans(): boolean {
    return this.#get(Layout.HAS_ORPHANS) !== 0;
  }
  set hasOrphans(hasOrphans: boolean) {
    this.#set(Layout.HAS_ORPHANS, hasOrphans ? 1 : 0);
  }

  get lastAssistantLine(): number {
    return this.#get(Layout.LAST_ASSISTANT_LINE);
  }
  set lastAssistantLine(line: number) {
    this.#set(Layout.LAST_ASSISTANT_LINE, line);
  }

  get isAnswered(): boolean {
    return this.#get(Layout.IS_ANSWERED) !== 0;
  }
  set isAnswered(isAnswered: boolean) {
    this.#set(Layout.IS_ANSWERED, isAnswered ? 1 : 0);
  }

  get messageId(): string | undefined {
    const id = this.#get(Layout.MESSAGE_ID);
    return id === Layout.NONE ? undefined : this.#strings.get(id);
  }
  set messageId(id: string | undefined) {
    this.#set(Layout.MESSAGE_ID, id === undefined ? Layout.NONE : this.#strings.numberOf(id));
  }

  get usageKnown(): boolean {
    return this.#get(Layout.USAGE_KNOWN) !== 0;
  }
  set usageKnown(isKnown: boolean) {
    this.#set(Layout.USAGE_KNOWN, isKnown ? 1 : 0);
  }

  get editsKnown(): boolean {
    return this.#get(Layout.EDITS_KNOWN) !== 0;
  }
  set editsKnown(isKnown: boolean) {
    this.#set(Layout.EDITS_KNOWN, isKnown ? 1 : 0);
  }

  get samples(): SavedCalibrator["samples"] {
    const start = this.#program.contextSamplesAt(this.#which);
    const count = this.#program.contextSamples(this.#which);
    const numbers = new Float64Array(this.#program.memory.buffer, start, count).slice();
    // One string for each model, not for each sample.
    const models = new Map<number, string>();
    return Array.from({ length: numbers.length / Layout.SAMPLE_NUMBERS }, (_, sample) => {
      const at = sample * Layout.SAMPLE_NUMBERS;
      const model = numbers[at] as number;
      const name = models.get(model) ?? this.#strings.get(model);
      models.set(model, name);
      return { model: name, chars: numbers[at + 1] as number, tokens: numbers[at + 2] as number };
    });
  }

  get state(): SavedContext {
    const { id, lastAssistantLine, isAnswered, messageId, usageKnown, editsKnown, samples } = this;
    const at = this.#program.contextResultsAt(this.#which);
    const ids = new Int32Array(this.#program.memory.buffer, at, this.#program.contextResults(this.#which)).slice();
    return {
      id,
      calibrator: {
        samples,
        input: this.#get(Layout.CALIBRATOR_INPUT),
        output: this.#get(Layout.CALIBRATOR_OUTPUT),
        chars: this.#get(Layout.CALIBRATOR_CHARS),
        spoiled: this.#get(Layout.CALIBRATOR_SPOILED) !== 0,
      },
      results: new Set(Array.from(ids, one => this.#strings.get(one))),
      links: this.links.since(1),
      lastAssistantLine,
      isAnswered,
      messageId,
      usageKnown,
      editsKnown,
    };
  }

  #get(number: number): number {
    return this.#numbers[number] as number;
  }

  #set(number: number, value: number): void {
    this.#numbers[number] = value;
  }

  get #numbers(): Float64Array {
    const at = this.#program.contextNumbers(this.#which);
    return new Float64Array(this.#program.memory.buffer, at, Layout.CONTEXT_NUMBERS);
  }
}

class ProgramCalls {
  readonly #program: ReaderExports;
  readonly #strings: ProgramStrings;

  constructor(program: ReaderExports, strings: ProgramStrings) {
    this.#program = program;
    this.#strings = strings;
  }

  get(id: string): Call | undefined {
    const at = this.#program.callWith(this.#strings.numberOf(id));
    return at === 0 ? undefined : this.#call(this.#numbers(at));
  }

  set(id: string, call: Call): void {
    const strings = this.#strings;
    const string = strings.numberOf(id);
    const values: [number, number][] = [
      [Layout.CALL_TOOL, strings.numberOf(call.tool)],
      [Layout.CALL_KIND, KINDS.indexOf(call.kind)],
      [Layout.CALL_PATH, call.path === undefined ? Layout.NONE : strings.numberOf(call.path)],
      [Layout.CALL_TARGET, strings.numberOf(call.target)],
      [Layout.CALL_RANGE_FROM, call.range?.[0] ?? Layout.NONE],
      [Layout.CALL_RANGE_LINES, call.range?.[1] ?? 0],
      [Layout.CALL_OFFSET, call.callOffset],
      [Layout.CALL_CONTEXT, strings.numberOf(call.context)],
      [Layout.CALL_LINE, call.callLine],
    ];
    const numbers = this.#numbers(this.#program.placeOfCall(string));
    for (const [number, value] of values) numbers[number] = value;
  }

  /** All of them, by id. */
  all(): Map<string, Call> {
    const calls = new Map<string, Call>();
    for (let which = 0; which < this.#program.callCount(); which++) {
      const numbers = this.#numbers(this.#program.callAt(which));
      calls.set(this.#strings.get(numbers[Layout.CALL_ID] as number), this.#call(numbers));
    }
    return calls;
  }

  #numbers(at: number): Float64Array {
    return new Float64Array(this.#program.memory.buffer, at, Layout.CALL_NUMBERS);
  }

  #call(numbers: Float64Array): Call {
    const strings = this.#strings;
    const number = (which: number) => numbers[which] as number;
    const from = number(Layout.CALL_RANGE_FROM);
    const path = number(Layout.CALL_PATH);
    return {
      tool: strings.get(number(Layout.CALL_TOOL)),
      kind: KINDS[number(Layout.CALL_KIND)] ?? UNKNOWN_CALL.kind,
      path: path === Layout.NONE ? undefined : strings.get(path),
      target: strings.get(number(Layout.CALL_TARGET)),
      range: from === Layout.NONE ? undefined : [from, number(Layout.CALL_RANGE_LINES)],
      callOffset: number(Layout.CALL_OFFSET),
      context: strings.get(number(Layout.CALL_CONTEXT)),
      callLine: number(Layout.CALL_LINE),
    };
  }
}

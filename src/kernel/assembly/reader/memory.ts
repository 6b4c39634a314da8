/** What the reader remembers of a log: its contexts (src/log/logContext.ts) and its calls (src/log/calls.ts). */
import {
  CALIBRATOR_CHARS,
  CALIBRATOR_INPUT,
  CALIBRATOR_OUTPUT,
  CALIBRATOR_SPOILED,
  CALL_ID,
  CALL_NUMBERS,
  CONTEXT_ID,
  CONTEXT_NAME,
  CONTEXT_NUMBERS,
  MESSAGE_ID,
  NONE,
  STRING_CALL,
  STRING_CONTEXT,
} from "../../readerLayout";
import { List, pair, Table } from "../lists";
import { LineIndex } from "./lineIndex";
import { setStringWord, stringWord } from "./strings";

const MIN_CHARS: f64 = 2000;

export class Context {
  which: i32;
  numbers: StaticArray<f64> = new StaticArray<f64>(CONTEXT_NUMBERS);
  results: List<i32> = new List<i32>();
  samples: List<f64> = new List<f64>();
  index: LineIndex = new LineIndex();

  constructor(which: i32, id: i32) {
    this.which = which;
    this.set(CONTEXT_ID, id);
    this.set(MESSAGE_ID, NONE);
    this.set(CONTEXT_NAME, NONE);
    this.set(CALIBRATOR_SPOILED, 1);
  }

  get(number: i32): f64 {
    return unchecked(this.numbers[number]);
  }

  int(number: i32): i32 {
    return <i32>unchecked(this.numbers[number]);
  }

  set(number: i32, value: f64): void {
    store<f64>(changetype<usize>(this.numbers) + ((<usize>number) << 3), value);
  }

  /** The calibrator's part: src/log/calibration.ts. */
  spoil(): void {
    this.set(CALIBRATOR_SPOILED, 1);
  }

  request(model: i32, input: f64, output: f64): void {
    const tokens = input - this.get(CALIBRATOR_INPUT) - this.get(CALIBRATOR_OUTPUT);
    const chars = this.get(CALIBRATOR_CHARS);
    if (this.get(CALIBRATOR_SPOILED) === 0 && chars > MIN_CHARS && tokens > 0) {
      this.samples.push(model);
      this.samples.push(chars);
      this.samples.push(tokens);
    }
    this.set(CALIBRATOR_INPUT, input);
    this.set(CALIBRATOR_OUTPUT, output);
    this.set(CALIBRATOR_CHARS, 0);
    this.set(CALIBRATOR_SPOILED, input === 0 ? 1 : 0);
  }

  /** Returns whether it has grown. */
  raiseOutput(output: f64): bool {
    if (output <= this.get(CALIBRATOR_OUTPUT)) return false;
    this.set(CALIBRATOR_OUTPUT, output);
    return true;
  }

  hasResult(id: i32): bool {
    return resultIndex.get(pair(this.which, id)) !== 0;
  }

  addResult(id: i32): void {
    resultIndex.set(pair(this.which, id), 1);
    this.results.push(id);
  }
}

let contexts = new List<usize>();
let resultIndex = new Table();
let calls = new List<f64>();

export function beginMemory(): void {
  contexts = new List<usize>();
  resultIndex = new Table();
  calls = new List<f64>();
}

export function contextCount(): i32 {
  return contexts.length;
}

export function contextAt(which: i32): Context {
  return changetype<Context>(contexts.get(which));
}

/** The number of the context with this id; `NONE` if there is none. */
export function contextWith(id: i32): i32 {
  return <i32>stringWord(id, STRING_CONTEXT) - 1;
}

export function addContext(id: i32): i32 {
  const which = contexts.length;
  contexts.push(changetype<usize>(new Context(which, id)));
  setStringWord(id, STRING_CONTEXT, which + 1);
  return which;
}

export function callCount(): i32 {
  return calls.length / CALL_NUMBERS;
}

/** The address of a call's numbers. */
export function callAt(which: i32): usize {
  return calls.address + ((<usize>(which * CALL_NUMBERS)) << 3);
}

/** The same for the call with this id; 0 if unknown. */
export function callWith(id: i32): usize {
  const known = stringWord(id, STRING_CALL);
  return known === 0 ? 0 : callAt(<i32>known - 1);
}

/** The same; adds an unknown one. */
export function placeOfCall(id: i32): usize {
  if (stringWord(id, STRING_CALL) === 0) {
    calls.extend(CALL_NUMBERS);
    setStringWord(id, STRING_CALL, callCount());
    store<f64>(callWith(id) + CALL_ID * 8, id);
  }
  return callWith(id);
}

/** What the wrapper (src/kernel/kernel.ts) calls. */
import {
  ABSENT,
  ANSWER,
  BOUNDARY,
  BRANCH,
  CALL,
  CLEAR,
  EXPLANATION,
  HAS_HINTS,
  HAS_RANGE,
  HINT_NUMBERS,
  IS_ERROR,
  IS_LISTING,
  IS_NATIVE,
  IS_NUMBERED,
  IS_TEXT,
  OUT_COST_STARTS,
  OUT_COSTS,
  OUT_FILES,
  OUT_HINTED,
  OUT_ID,
  OUT_IDS,
  OUT_MARKS,
  OUT_MODEL,
  OUT_MODELS,
  OUT_OFFSETS,
  OUT_REQUESTS,
  OUT_ROWS,
  OUT_SIZES,
  OUT_SOURCES,
  OUT_SWEEP,
  OUT_TARGETS,
  OUT_TOOLS,
  OUT_WAYS,
  OUT_WORDS,
  REQUEST,
  RESULT,
  REWIND,
} from "../layout";
import { setPlace } from "./details";
import { beginEntries } from "./entries";
import { beginLeaving, everythingLeaves, name, namedLeaves, unnamedLeaves } from "./leaving";
import { CELLS } from "./lines";
import { List, Table } from "./lists";
import { beginMatcher } from "./matcher";
import { addNames, beginNames } from "./names";
import { beginNumbers } from "./numbers";
import * as Facts from "./reader/facts";
import { ContextReplay } from "./replay";
import { Result } from "./result";
import { askFor } from "./wrapper";

// The scanner and the reader are parts of the same program.
export * from "../../scanner/assembly/index";
export * from "./reader/index";
export * from "./settings";

const NUMBERED_NUMBERS: usize = 5;

/** In order of appearance, and their places plus 1 by name. */
let contexts = new List<usize>();
let contextIndex = new Table();
let result = new Result();
/** Where facts are put to be read. */
let room = new StaticArray<f64>(0);
let output = new StaticArray<i32>(OUT_WORDS);

/** Begins a log with the current settings: everything about the previous one is forgotten. */
export function begin(withSweep: bool, withWays: bool, withDetails: bool): void {
  heap.reset();
  beginNumbers();
  contexts = new List<usize>();
  contextIndex = new Table();
  result = new Result();
  room = new StaticArray<f64>(0);
  output = new StaticArray<i32>(OUT_WORDS);
  beginNames();
  beginEntries();
  beginLeaving();
  beginMatcher();
  askFor(withSweep, withWays, withDetails);
}

/** Where to put this many bytes of facts before `take`: numbers, then lines, then names. */
export function factsRoom(bytes: i32): usize {
  const numbers = (bytes + 7) >> 3;
  if (numbers > room.length) room = new StaticArray<f64>(max<i32>(numbers, 2 * room.length));
  return changetype<usize>(room);
}

/** The addresses of the next number and the next line. */
let at: usize = 0;
let linesAt: usize = 0;

function next(): f64 {
  const number = load<f64>(at);
  at += 8;
  return number;
}

function nextInt(): i32 {
  return <i32>next();
}

/** The number of lines of the next table; `linesAt` is where it begins. Negative if there is none. */
function nextLines(): i32 {
  const cells = nextInt();
  return cells === ABSENT ? -1 : cells / CELLS;
}

function passLines(count: i32): void {
  if (count > 0) linesAt += (<usize>(count * CELLS)) << 2;
}

/** Replays the facts in the room. */
export function take(numbers: i32, cells: i32, names: i32): void {
  const start = changetype<usize>(room);
  const end = start + ((<usize>numbers) << 3);
  addNames(end + ((<usize>cells) << 2), names);
  replayFacts(start, end, end);
}

/** Replays the facts that were read, and begins another chunk of them. */
export function takeRead(): void {
  const start = Facts.numbers.address;
  replayFacts(start, start + ((<usize>Facts.numbers.length) << 3), Facts.cells.address);
  Facts.beginChunk();
}

function replayFacts(start: usize, end: usize, lines: usize): void {
  at = start;
  linesAt = lines;
  while (at < end) {
    const context = contextOf(nextInt());
    const code = nextInt();
    const line = nextInt();
    result.offset = next();
    setPlace(line, nextInt());
    switch (code) {
      case RESULT:
        takeResult(context, line);
        break;
      case CALL:
        takeCall(context, line);
        break;
      case REQUEST:
        takeRequest(context, line);
        break;
      case BOUNDARY:
        takeBoundary(context, line);
        break;
      case CLEAR:
        takeClear(context);
        break;
      case REWIND:
        context.takeRewind(nextInt());
        break;
      case BRANCH: {
        const call = nextInt();
        context.reach.chain.branch(call, nextInt());
        break;
      }
      case EXPLANATION:
        context.standIns.owedChars += next();
        break;
      case ANSWER:
        // No figure counts what the model wrote.
        at += 8;
        break;
      default:
        unreachable();
    }
  }
}

function contextOf(id: i32): ContextReplay {
  const known = <i32>contextIndex.get(id);
  if (known !== 0) return changetype<ContextReplay>(contexts.get(known - 1));
  const created = new ContextReplay(id, result);
  contexts.push(changetype<usize>(created));
  contextIndex.set(id, contexts.length);
  return created;
}

function takeResult(context: ContextReplay, line: i32): void {
  result.line = line;
  result.at = next();
  const flags = nextInt();
  result.error = (flags & IS_ERROR) !== 0;
  result.native = (flags & IS_NATIVE) !== 0;
  result.text = (flags & IS_TEXT) !== 0;
  result.isListing = (flags & IS_LISTING) !== 0;
  result.hasRange = (flags & HAS_RANGE) !== 0;
  result.kind = nextInt();
  result.id = nextInt();
  // The line's uuid.
  at += 8;
  result.tool = nextInt();
  result.path = nextInt();
  result.target = nextInt();
  result.fingerprint = nextInt();
  result.callOffset = next();
  result.callLine = nextInt();
  result.bytes = nextInt();
  result.chars = nextInt();
  result.copyHigh = <u32>(<i64>next());
  result.copyLow = <u32>(<i64>next());
  result.lineCount = nextLines();
  result.lines = linesAt;
  result.rangeFrom = result.hasRange ? nextInt() : 0;
  result.rangeLines = result.hasRange ? nextInt() : 0;
  result.hints = (flags & HAS_HINTS) !== 0 ? nextInt() : 0;
  result.hintsAt = at;
  at += (<usize>(result.hints * HINT_NUMBERS)) << 3;
  if ((flags & IS_NUMBERED) !== 0) at += NUMBERED_NUMBERS << 3;
  context.takeResult(result);
  passLines(result.lineCount);
}

function takeCall(context: ContextReplay, line: i32): void {
  const id = nextInt();
  const tool = nextInt();
  const target = nextInt();
  // The line's uuid.
  at += 8;
  const callLine = nextInt();
  for (let left = nextInt(); left > 0; left--) {
    const key = nextInt();
    const chars = nextInt();
    const count = nextLines();
    const source = context.runs.index.add(id, key, linesAt, count, chars);
    if (source !== null) {
      source.tool = tool;
      source.target = target;
      source.logLine = line;
      source.callLine = callLine;
      source.order = context.reach.order;
      source.isListing = false;
    }
    passLines(count);
  }
}

function takeRequest(context: ContextReplay, line: i32): void {
  const seconds = next();
  const continued = next() !== 0;
  const model = nextInt();
  const input = next();
  const written5m = next();
  const written1h = next();
  // Neither cache reads nor the answer matter for figures.
  at += 16;
  context.recorder.request(continued, model, seconds, input, written5m, written1h);
  context.takeRequest(line, continued, input);
}

function takeBoundary(context: ContextReplay, line: i32): void {
  const trigger = nextInt();
  const preTokens = next();
  const postTokens = next();
  // Skips the uuids of what was preserved.
  const uuids = nextInt();
  at += (<usize>uuids) << 3;
  unnamedLeaves();
  for (let left = nextInt(); left > 0; left--) name(nextInt());
  context.takeBoundary(line, trigger, preTokens, postTokens);
}

function takeClear(context: ContextReplay): void {
  const by = nextInt();
  const count = nextInt();
  if (count === ABSENT) everythingLeaves();
  else namedLeaves();
  for (let left = count; left > 0; left--) {
    const id = nextInt();
    name(id);
    context.noteCleared(id, by);
  }
  context.takeClear(by);
}

export function contextCount(): i32 {
  return contexts.length;
}

/** Writes the addresses of a context's lists. */
export function describe(which: i32): usize {
  const context = changetype<ContextReplay>(contexts.get(which));
  const recorder = context.recorder;
  output[OUT_ID] = context.id;
  tell<u32>(OUT_ROWS, recorder.rows);
  tell<u32>(OUT_SWEEP, recorder.sweep);
  tell<u32>(OUT_HINTED, recorder.hinted);
  tell<i32>(OUT_TOOLS, recorder.tools);
  tell<i32>(OUT_FILES, recorder.files);
  tell<i32>(OUT_REQUESTS, recorder.partitionRequests);
  tell<f64>(OUT_COSTS, recorder.costs);
  tell<i32>(OUT_COST_STARTS, recorder.costStarts);
  output[OUT_MODEL] = recorder.model;
  tell<i32>(OUT_MODELS, recorder.models);
  const ways = context.ways;
  if (ways !== null) {
    tell<u32>(OUT_WAYS, ways.rows);
    tell<u32>(OUT_SIZES, ways.sizes);
  }
  const details = context.details;
  if (details !== null) {
    tell<i32>(OUT_IDS, details.ids);
    tell<i32>(OUT_TARGETS, details.targets);
    tell<f64>(OUT_OFFSETS, details.offsets);
    tell<f64>(OUT_MARKS, details.marks);
    tell<u32>(OUT_SOURCES, details.sources);
  }
  return changetype<usize>(output);
}

function tell<T>(where: i32, list: List<T>): void {
  output[where] = <i32>list.address;
  output[where + 1] = list.length;
}

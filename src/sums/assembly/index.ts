/** What the wrapper (src/sums/sums.ts) calls: the row-by-row part of src/inspect/rowSums.ts. */
import {
  ALL_BAND_ERROR,
  ALL_BAND_TOKENS,
  ALL_COPIED,
  ALL_FIGURES,
  ALL_NUMBERS,
  COST_HITS,
  COST_NATIVE,
  COST_NUMBERS,
  COST_REALISED,
  FIGURES_NUMBERS,
  FROM_ROWS,
  FROM_UNBOUNDED,
  GATE_NUMBERS,
  HIT,
  NATIVE,
  OF_GATE_FILES,
  OF_GATE_TOOLS,
  OF_GATES,
  OF_PROJECTS,
  OUTCOME_BYPASSED,
  OUTCOME_FAILED,
  OUTCOME_FORGONE,
  OUTCOME_GATE,
  OUTCOME_KIND,
  OUTCOME_WORDS,
  PARTIAL,
  POINT_BYTES,
  POINT_HITS,
  POINT_NUMBERS,
  POINT_TOKENS,
  PRICE_NUMBERS,
  REALISED,
  RESULTS,
  ROW_BYTES,
  ROW_CAUSE,
  ROW_CHARS,
  ROW_COPY_HIGH,
  ROW_COPY_LOW,
  ROW_FILE,
  ROW_OUTCOME,
  ROW_PARTITION,
  ROW_RANGE_FROM,
  ROW_REQUEST,
  ROW_RUNS,
  ROW_SAVED_BYTES,
  ROW_SAVED_CHARS,
  ROW_TOOL,
  ROW_WORDS,
  STRATEGY_NUMBERS,
  SWEEP_ROW,
  SWEEP_SAVED_BYTES,
  SWEEP_SAVED_CHARS,
  SWEEP_SLOTS,
  SWEEP_UNBOUNDED,
  SWEEP_WORDS,
  TOKENS,
} from "../layout";
import { addCost, findPlace, setPrices, setRequests } from "./costs";
import { addFigures, addRow, wouldSave } from "./figures";
import * as Gates from "./gates";
import { add, Copies, number, Pages, Room, word } from "./memory";
import {
  addSaving,
  addSizes,
  addWays,
  beginPartitions,
  beginWays,
  bytesOfWays,
  partitionSums,
  place,
  sizes,
} from "./ways";

let outcomes = new StaticArray<i32>(0);
let gateOfPartial: i32 = 0;
/** The source of each strategy's savings. */
let strategySources = new StaticArray<i32>(0);
let strategies = new StaticArray<f64>(0);
let points = new StaticArray<f64>(0);
let copies = new Copies(0);
const all = new StaticArray<f64>(ALL_NUMBERS);
const costs = new StaticArray<f64>(3 * COST_NUMBERS);
const tools = new Pages(FIGURES_NUMBERS * 8);
const projects = new Pages(FIGURES_NUMBERS * 8);
let toolOrder = new StaticArray<i32>(64);
let toolCount: i32 = 0;
let contextCount: i32 = 0;
const use = new Gates.FileUse();

/** Begins a report; returns where to put the meanings of outcomes. The last of them is for unknown ones. */
export function begin(
  rows: i32,
  outcomeCount: i32,
  partial: i32,
  isNew: i32,
  otherRange: i32,
  changed: i32,
  strategyCount: i32,
  pointCount: i32,
  listLength: i32,
  withWays: bool,
): usize {
  outcomes = new StaticArray<i32>(outcomeCount * OUTCOME_WORDS);
  gateOfPartial = partial;
  strategySources = new StaticArray<i32>(strategyCount);
  strategies = new StaticArray<f64>(strategyCount * STRATEGY_NUMBERS);
  // If all were replayed, nothing comes from rows and the sweep.
  if (withWays) strategySources = new StaticArray<i32>(0);
  beginWays(withWays ? strategyCount : 0, changetype<usize>(strategies));
  points = new StaticArray<f64>(pointCount * POINT_NUMBERS);
  copies = new Copies(rows);
  Gates.setGates(isNew, otherRange, changed);
  Gates.beginLargest(listLength);
  return changetype<usize>(outcomes);
}

export function sourcesOfStrategies(): usize {
  return changetype<usize>(strategySources);
}

const input = new Room();
/** By row, whether it is a copy. */
const copiedRoom = new Room();
/** By row, its last hit in the sweep, plus 1; by hit, the previous one of the same row, plus 1. */
const sweptRoom = new Room();
const earlierRoom = new Room();
let earlierHits: usize = 0;
const partitionRoom = new Room();
const toolRoom = new Room();

/** Where to put the numbers of a context: those for `sumContext`, in the order of its parameters. */
export function roomFor(bytes: i32): usize {
  return input.take(bytes);
}

/**
 * Sums one context. In the room: the numbers of its requests; the rates of its models; the start of each partition's
 * requests, and the end; its rows; for each tool, its number and whether it changes files; the numbers of its files; its
 * hits in the sweep; if strategies were replayed, what each saves in each row, and what other minimum runs save. Returns
 * the address of its partitions' figures.
 */
export function sumContext(
  requests: i32,
  models: i32,
  partitions: i32,
  rowCount: i32,
  toolsHere: i32,
  filesHere: i32,
  hits: i32,
  sizeCount: i32,
  project: i32,
  charsPerToken: f64,
  medianAbsError: f64,
  readShare: f64,
): usize {
  const requestsAt = input.take(0);
  const pricesAt = requestsAt + ((<usize>requests) << 3);
  const startsAt = pricesAt + ((<usize>(models * PRICE_NUMBERS)) << 3);
  const rows = startsAt + ((<usize>(partitions + 1)) << 2);
  const toolsAt = rows + ((<usize>(rowCount * ROW_WORDS)) << 2);
  const filesAt = toolsAt + ((<usize>toolsHere) << 3);
  const sweep = filesAt + ((<usize>filesHere) << 2);
  const ways = sweep + ((<usize>(hits * SWEEP_WORDS)) << 2);
  const swept = sweptRoom.zeros(rowCount << 2);
  earlierHits = earlierRoom.take(hits << 2);
  for (let hit = 0; hit < hits; hit++) {
    const row = word(sweep, hit * SWEEP_WORDS + SWEEP_ROW);
    if (row >= <u32>rowCount) continue;
    const last = swept + ((<usize>row) << 2);
    store<i32>(earlierHits + ((<usize>hit) << 2), load<i32>(last));
    store<i32>(last, hit + 1);
  }
  const copied = copiedRoom.zeros(rowCount);
  const figures = partitionRoom.zeros(partitions * FIGURES_NUMBERS * 8);
  const byTool = toolRoom.zeros(toolsHere * FIGURES_NUMBERS * 8);
  beginPartitions(partitions);
  setPrices(pricesAt, models, readShare);
  setRequests(requestsAt, startsAt, partitions);
  Gates.beginReads(rows, rowCount, filesHere);

  for (let row = 0; row < rowCount; row++) {
    const cells = rows + ((<usize>(row * ROW_WORDS)) << 2);
    const key = ((<u64>word(cells, ROW_COPY_HIGH)) << 32) | <u64>word(cells, ROW_COPY_LOW);
    const isFirst = copies.isFirst(key);
    const partition = word(cells, ROW_PARTITION);
    findPlace(partition, word(cells, ROW_REQUEST), place);
    const outcome = <i32>min<u32>(word(cells, ROW_OUTCOME), outcomes.length / OUTCOME_WORDS - 1) * OUTCOME_WORDS;
    const isPartial = word(cells, ROW_RUNS) > 0;
    const kind = isPartial ? PARTIAL : outcomes[outcome + OUTCOME_KIND];
    const forgone = outcomes[outcome + OUTCOME_FORGONE];
    const bypassed = outcomes[outcome + OUTCOME_BYPASSED];
    const tool = word(cells, ROW_TOOL);
    const hasTool = tool < <u32>toolsHere;
    const file = word(cells, ROW_FILE);
    const fileSums =
      isFirst && file > 0 && file <= <u32>filesHere
        ? Gates.files.at(load<i32>(filesAt + ((<usize>(file - 1)) << 2)))
        : 0;
    const later = place.laterRequests;

    let gate = isPartial ? gateOfPartial : outcomes[outcome + OUTCOME_GATE];
    use.read = use.reread = use.overlapping = false;
    if (file > 0 && file <= <u32>filesHere && outcomes[outcome + OUTCOME_FAILED] === 0) {
      const isChange = hasTool && load<i32>(toolsAt + ((<usize>tool) << 3), 4) !== 0;
      if (isChange) Gates.makeStale(row, file - 1, fileSums, charsPerToken);
      else if (word(cells, ROW_RANGE_FROM) > 0) gate = Gates.takeRead(row, file - 1, gate, use);
    }
    if (partition < <u32>partitions) {
      const sums = figures + <usize>(partition * FIGURES_NUMBERS * 8);
      addRow(sums, cells, kind, forgone, bypassed, charsPerToken, later);
    }
    addWays(ways + bytesOfWays(row), partition < <u32>partitions ? <i32>partition : -1, isFirst, charsPerToken);
    if (!isFirst) {
      store<u8>(copied + row, 1);
      all[ALL_COPIED] += 1;
      continue;
    }
    addStrategies(cells, kind, sweep, load<i32>(swept + ((<usize>row) << 2)), charsPerToken);
    const costed = wouldSave(kind) ? COST_HITS : kind === NATIVE ? COST_NATIVE : kind === REALISED ? COST_REALISED : -1;
    if (costed >= 0) {
      const sum = changetype<usize>(costs) + <usize>(costed * COST_NUMBERS * 8);
      addCost(sum, <f64>word(cells, ROW_SAVED_CHARS) / charsPerToken, place);
    }
    // Asked for again right after a live hint.
    if (kind === HIT && word(cells, ROW_CAUSE) > 0) {
      const sum = changetype<usize>(costs) + <usize>(COST_REALISED * COST_NUMBERS * 8);
      addCost(sum, -(<f64>word(cells, ROW_CHARS)) / charsPerToken, place);
    }
    const bytes = <f64>word(cells, ROW_BYTES);
    const tokens = <f64>word(cells, ROW_CHARS) / charsPerToken;
    Gates.addGate(Gates.gates.at(gate), gate, bytes, tokens);
    if (hasTool) {
      const index = load<i32>(toolsAt + ((<usize>tool) << 3));
      Gates.addGate(Gates.tools.at(index), gate, bytes, tokens);
      const sums = byTool + <usize>(tool * FIGURES_NUMBERS * 8);
      addRow(sums, cells, kind, forgone, bypassed, charsPerToken, later);
    }
    Gates.keepLarge(contextCount, row, gate, tokens);
    if (fileSums !== 0) {
      Gates.addGate(fileSums, gate, bytes, tokens);
      Gates.addUse(fileSums, use, tokens);
    }
  }
  for (let tool = 0; tool < toolsHere; tool++) {
    const sums = byTool + <usize>(tool * FIGURES_NUMBERS * 8);
    if (number(sums, RESULTS) === 0) continue;
    addFigures(toolAt(load<i32>(toolsAt + ((<usize>tool) << 3))), sums);
    addFigures(projects.at(project), sums);
    addFigures(changetype<usize>(all) + ALL_FIGURES, sums);
  }
  addBand(figures, partitions, medianAbsError);
  for (let hit = 0; hit < hits; hit++) {
    const found = sweep + ((<usize>(hit * SWEEP_WORDS)) << 2);
    const row = word(found, SWEEP_ROW);
    if (row >= <u32>rowCount || load<u8>(copied + row) === 0) addPoints(found, charsPerToken);
  }
  addSizes(ways + bytesOfWays(rowCount), sizeCount, copied, rowCount, charsPerToken);
  contextCount++;
  return figures;
}

/** The sums of a tool, which is listed once it has any. */
function toolAt(index: i32): usize {
  const sums = tools.at(index);
  if (number(sums, RESULTS) > 0) return sums;
  if (toolCount === toolOrder.length) {
    const larger = new StaticArray<i32>(2 * toolCount);
    for (let at = 0; at < toolCount; at++) larger[at] = toolOrder[at];
    toolOrder = larger;
  }
  toolOrder[toolCount++] = index;
  return sums;
}

/** The error of the estimates; `medianAbsError` is negative if unknown. */
function addBand(figures: usize, partitions: i32, medianAbsError: f64): void {
  if (medianAbsError < 0) return;
  let tokens: f64 = 0;
  for (let partition = 0; partition < partitions; partition++) {
    tokens += number(figures, partition * FIGURES_NUMBERS + TOKENS);
  }
  all[ALL_BAND_TOKENS] += tokens;
  all[ALL_BAND_ERROR] += tokens * medianAbsError;
}

function addStrategies(cells: usize, kind: i32, sweep: usize, swept: i32, charsPerToken: f64): void {
  for (let strategy = 0; strategy < strategySources.length; strategy++) {
    const source = strategySources[strategy];
    let hints: f64 = 1;
    let savedBytes: u32 = 0;
    let savedChars: u32 = 0;
    if (source === FROM_ROWS) {
      if (!wouldSave(kind)) continue;
      hints = <f64>max<u32>(1, word(cells, ROW_RUNS));
      savedBytes = word(cells, ROW_SAVED_BYTES);
      savedChars = word(cells, ROW_SAVED_CHARS);
    } else {
      const hit = sweptHit(sweep, swept, source);
      if (hit === 0) continue;
      savedBytes = word(hit, SWEEP_SAVED_BYTES);
      savedChars = word(hit, SWEEP_SAVED_CHARS);
    }
    const sum = changetype<usize>(strategies) + <usize>(strategy * STRATEGY_NUMBERS * 8);
    addSaving(sum, hints, <f64>savedBytes, <f64>savedChars / charsPerToken);
  }
}

/** The last of a row's hits at a capacity, as hints differ in length; 0 if there is none. */
function sweptHit(sweep: usize, last: i32, source: i32): usize {
  for (let at = last; at !== 0; at = load<i32>(earlierHits + ((<usize>(at - 1)) << 2))) {
    const hit = sweep + ((<usize>((at - 1) * SWEEP_WORDS)) << 2);
    const isHit =
      source === FROM_UNBOUNDED ? word(hit, SWEEP_UNBOUNDED) : (word(hit, SWEEP_SLOTS) >> (<u32>source - 1)) & 1;
    if (isHit !== 0) return hit;
  }
  return 0;
}

/** Adds to every capacity of the sweep at which it hits; the last one is unlimited. */
function addPoints(hit: usize, charsPerToken: f64): void {
  const count = points.length / POINT_NUMBERS;
  const slots = word(hit, SWEEP_SLOTS);
  for (let at = 0; at < count; at++) {
    if ((at === count - 1 ? word(hit, SWEEP_UNBOUNDED) : (slots >> at) & 1) === 0) continue;
    const point = changetype<usize>(points) + <usize>(at * POINT_NUMBERS * 8);
    add(point, POINT_HITS, 1);
    add(point, POINT_BYTES, <f64>word(hit, SWEEP_SAVED_BYTES));
    add(point, POINT_TOKENS, <f64>word(hit, SWEEP_SAVED_CHARS) / charsPerToken);
  }
}

export function sumsOfAll(): usize {
  return changetype<usize>(all);
}

export function sumsOfCosts(): usize {
  return changetype<usize>(costs);
}

export function sumsOfStrategies(): usize {
  return changetype<usize>(strategies);
}

/** Of the context added last: by partition and strategy. */
export function sumsOfPartitions(): usize {
  return partitionSums;
}

export function sumsOfSizes(): usize {
  return changetype<usize>(sizes);
}

export function sumsOfPoints(): usize {
  return changetype<usize>(points);
}

/** The tools with results, in order of appearance. */
export function toolsInOrder(): usize {
  return changetype<usize>(toolOrder);
}

export function countOfTools(): i32 {
  return toolCount;
}

/** One of many sums, by its number. */
export function sumsOf(which: i32, index: i32): usize {
  return pagesOf(which).at(index);
}

function pagesOf(which: i32): Pages {
  if (which === OF_GATES) return Gates.gates;
  if (which === OF_GATE_TOOLS) return Gates.tools;
  if (which === OF_GATE_FILES) return Gates.files;
  return which === OF_PROJECTS ? projects : tools;
}

/** Finds those with the largest numbers, and all ties; returns how many. */
export function findLargest(which: i32, by: i32): i32 {
  return by < GATE_NUMBERS ? Gates.findLargest(pagesOf(which), by) : 0;
}

export function foundSums(): usize {
  return Gates.foundEntries();
}

export function largeResults(): usize {
  return Gates.largeResults();
}

export function countOfLarge(): i32 {
  return Gates.largeCount;
}

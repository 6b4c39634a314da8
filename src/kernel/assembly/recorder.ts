/** What a replay decides about one context: src/pipeline/contextRecorder.ts without details, and src/inspect/rows.ts. */
import {
  HINT_KIND,
  HINTED_ASKED,
  HINTED_KIND,
  HINTED_ROW,
  HINTED_WORDS,
  ROW_AT,
  ROW_BYTES,
  ROW_CAUSE,
  ROW_CHARS,
  ROW_COPY_HIGH,
  ROW_COPY_LOW,
  ROW_EVICTED,
  ROW_FILE,
  ROW_INVALIDATIONS,
  ROW_LINE,
  ROW_OUTCOME,
  ROW_PARTITION,
  ROW_RANGE_FROM,
  ROW_RANGE_LINES,
  ROW_REF,
  ROW_REQUEST,
  ROW_SAVED_BYTES,
  ROW_SAVED_CHARS,
  ROW_TOOL,
  ROW_WORDS,
} from "../layout";
import { List, Table } from "./lists";
import { Result } from "./result";

/** Numbers for each request: see `requestNumbers` in src/inspect/cost.ts. */
const REQUEST_WIDTH: i32 = 4;
const WRITE_5M: f64 = 1.25;
const WRITE_1H: f64 = 2;

export class Recorder {
  rows: List<u32> = new List<u32>();
  count: i32 = 0;
  sweep: List<u32> = new List<u32>();
  hinted: List<u32> = new List<u32>();
  tools: List<i32> = new List<i32>();
  files: List<i32> = new List<i32>();
  partitionRequests: List<i32> = new List<i32>();
  costs: List<f64> = new List<f64>();
  costStarts: List<i32> = new List<i32>();
  models: List<i32> = new List<i32>();
  modelRequests: List<i32> = new List<i32>();
  /** Indices into these lists and rows, plus 1. */
  rowOfId: Table = new Table();
  toolIndex: Table = new Table();
  fileIndex: Table = new Table();
  modelIndex: Table = new Table();
  partition: i32 = 0;
  invalidations: i32 = 0;

  constructor() {
    this.beginPartition();
  }

  /** The row of a call id plus 1; 0 if none. */
  rowOf(id: i32): u32 {
    return id < 0 ? 0 : this.rowOfId.get(id);
  }

  /** `ref`: the call that a hint for it names; negative if none. */
  addRow(result: Result, outcome: i32, ref: i32, savedBytes: i32, savedChars: f64): void {
    this.rowOfId.set(result.id, this.count + 1);
    const first = this.rows.extend(ROW_WORDS);
    const rows = this.rows;
    rows.set(first + ROW_LINE, result.line);
    rows.set(first + ROW_AT, result.at > 0 ? <u32>(<u64>result.at) : 0);
    rows.set(first + ROW_PARTITION, this.partition);
    rows.set(first + ROW_OUTCOME, outcome);
    rows.set(first + ROW_BYTES, result.bytes);
    rows.set(first + ROW_CHARS, result.chars);
    rows.set(first + ROW_SAVED_BYTES, savedBytes);
    rows.set(first + ROW_SAVED_CHARS, <u32>(<i64>savedChars));
    rows.set(first + ROW_REQUEST, this.partitionRequests.get(this.partition));
    rows.set(first + ROW_TOOL, indexOf(result.tool, this.tools, this.toolIndex));
    rows.set(first + ROW_REF, this.rowOf(ref));
    rows.set(first + ROW_COPY_HIGH, result.copyHigh);
    rows.set(first + ROW_COPY_LOW, result.copyLow);
    if (result.path >= 0) rows.set(first + ROW_FILE, indexOf(result.path, this.files, this.fileIndex) + 1);
    if (result.hasRange) {
      rows.set(first + ROW_RANGE_FROM, result.rangeFrom);
      rows.set(first + ROW_RANGE_LINES, result.rangeLines);
    }
    if (result.hints > 0) {
      const hinted = this.hinted.extend(HINTED_WORDS);
      this.hinted.set(hinted + HINTED_ROW, this.count);
      this.hinted.set(hinted + HINTED_KIND, <u32>result.hint(0, HINT_KIND));
    }
    this.count++;
  }

  /** Completes the newest row. */
  set(field: i32, value: u32): void {
    this.rows.set((this.count - 1) * ROW_WORDS + field, value);
  }

  evicted(id: i32): void {
    this.set(ROW_EVICTED, this.rowOf(id));
  }

  /** The call that had been answered with hints was repeated. */
  askedAgain(id: i32): void {
    const row = this.rowOf(id) - 1;
    for (let at = this.hinted.length - HINTED_WORDS; at >= 0; at -= HINTED_WORDS) {
      if (this.hinted.get(at + HINTED_ROW) !== row) continue;
      this.hinted.set(at + HINTED_ASKED, 1);
      return;
    }
  }

  /** The text was asked for again right after this call had been answered with a hint. */
  reasked(hint: i32): void {
    this.set(ROW_CAUSE, this.rowOf(hint));
  }

  settled(): void {
    if (this.invalidations > 0) this.set(ROW_INVALIDATIONS, this.invalidations);
    this.invalidations = 0;
  }

  request(continued: bool, model: i32, at: f64, input: f64, written5m: f64, written1h: f64): void {
    // A later line of the same answer has the usage that the first one lacked.
    if (continued && this.costs.length > this.costStarts.get(this.partition)) this.costs.length -= REQUEST_WIDTH;
    const written = written5m + written1h;
    if (written > 0) this.costs.push((WRITE_5M * written5m + WRITE_1H * written1h) / written);
    else this.costs.push(input > 0 ? 1 : 0);
    this.costs.push(input);
    this.costs.push(at);
    const known = indexOf(model, this.models, this.modelIndex);
    if (known === this.modelRequests.length) this.modelRequests.push(0);
    this.costs.push(known);
    if (continued) return;
    this.partitionRequests.set(this.partition, this.partitionRequests.get(this.partition) + 1);
    this.modelRequests.set(known, this.modelRequests.get(known) + 1);
  }

  /** The context was compacted. */
  beginPartition(): void {
    this.partition = this.partitionRequests.length;
    this.partitionRequests.push(0);
    this.costStarts.push(this.costs.length);
  }

  /** The model that answered most requests; negative if none. */
  get model(): i32 {
    let best = -1;
    for (let at = 0; at < this.models.length; at++) {
      if (best < 0 || this.modelRequests.get(at) > this.modelRequests.get(best)) best = at;
    }
    return best < 0 ? -1 : this.models.get(best);
  }
}

/** The index of a name in a list; a new name is appended. */
function indexOf(name: i32, names: List<i32>, known: Table): i32 {
  const index = known.get(name);
  if (index !== 0) return <i32>index - 1;
  names.push(name);
  known.set(name, names.length);
  return names.length - 1;
}

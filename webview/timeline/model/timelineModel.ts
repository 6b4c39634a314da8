import type { Mark } from "../../../src/inspect/logData.js";
import type { ResultRows } from "../../../src/inspect/rows.js";
import type { Savings, TimelineInput } from "../types.js";
import { withRoom } from "./arrays.js";
import { ContextSizes } from "./contextSizes.js";
import { FAMILIES, familyCode } from "./families.js";
import { Invalidations } from "./invalidations.js";
import { KIND, kindCode, wouldSave } from "./paintedKinds.js";
import { Times } from "./times.js";

/** A mark between results: everything except invalidations, which belong to results. */
export interface EventMark extends Mark {
  readonly kind: Exclude<Mark["kind"], "invalidate">;
  /** Since 1970; NaN if the log has no time for it. */
  readonly seconds: number;
}

/** From this share on, a hint replaces the whole result; what is left is the hint itself. */
const WHOLE_SHARE = 0.97;

/** The picture's data in packed columns, one number per result and column; grows with the session. */
export class TimelineModel {
  readonly rows: ResultRows;
  readonly times = new Times();
  readonly invalidations = new Invalidations();
  readonly uses = new Uses();
  readonly sizes = new ContextSizes();
  /** In order. */
  readonly events: EventMark[] = [];
  /** By the partition that each one starts. */
  readonly boundaries = new Map<number, EventMark>();
  /** Family codes that occur, top to bottom. */
  lanes: readonly number[] = [];
  #length = 0;
  #kinds = new Uint8Array(0);
  #families = new Uint8Array(0);
  #sizes = new Float64Array(0);
  /** Sums over all rows before a row, so that any range takes two lookups. */
  #savedBefore = new Float64Array(1);
  #repeatsBefore = new Uint32Array(1);
  readonly #partitionStarts: number[] = [0];
  #partitions = 1;
  #marksSeen = 0;
  readonly #familyOfTool: number[] = [];
  charsPerToken = 4;
  savings: Savings | undefined;
  #sources: TimelineInput["sources"] = new Map();
  /** Of the last input. */
  version = -1;

  constructor(rows: ResultRows) {
    this.rows = rows;
  }

  get length(): number {
    return this.#length;
  }

  get partitions(): number {
    return this.#partitions;
  }

  /** Takes in what has been appended since the last call. */
  grow(input: TimelineInput): void {
    this.version = input.version;
    this.savings = input.savings;
    this.#sources = input.sources;
    this.charsPerToken = input.charsPerToken > 0 ? input.charsPerToken : 4;
    const { rows } = this;
    const from = this.#length;
    this.#reserve(rows.length);
    this.times.append(row => rows.get(row, "at"), rows.length);
    for (let row = from; row < rows.length; row++) this.#addRow(row, input.tools);
    this.#length = rows.length;
    this.sizes.append(rows, input.requests);
    for (; this.#marksSeen < input.marks.length; this.#marksSeen++) {
      const mark = input.marks[this.#marksSeen] as Mark;
      if (mark.kind === "invalidate") this.invalidations.add(mark);
      else this.#addEvent({ ...mark, kind: mark.kind, seconds: Date.parse(mark.at ?? "") / 1000 });
    }
    this.#partitions = Math.max(1, this.#partitionStarts.length, input.partitionRequests.length);
    if (rows.length > from) this.#findLanes(from);
  }

  kind(row: number): number {
    return this.#kinds[row] ?? 0;
  }

  /** The kind that the picture shows: under the other strategy, if one is shown. */
  shownKind(row: number): number {
    const kind = this.kind(row);
    if (this.savings === undefined) return kind;
    const share = this.savedShare(row);
    if (share > 0) return share >= WHOLE_SHARE ? KIND.hit : KIND.partial;
    return wouldSave(kind) ? KIND.miss : kind;
  }

  family(row: number): number {
    return this.#families[row] ?? 0;
  }

  /** Tokens of the result; for a stub or a live hint, of the text it replaces. */
  tokens(row: number): number {
    return (this.#sizes[row] ?? 0) / this.charsPerToken;
  }

  /** The share of the result that hints would replace, from 0 to 1, by the strategy shown or the current one. */
  savedShare(row: number): number {
    const saved = this.savings === undefined ? this.#savedChars(row) : (this.savings.chars.get(row) ?? 0);
    return saved === 0 ? 0 : Math.min(1, saved / Math.max(1, this.rows.get(row, "chars")));
  }

  #savedChars(row: number): number {
    return wouldSave(this.kind(row)) ? this.rows.get(row, "savedChars") : 0;
  }

  /** The row that a hit, a stub or a live hint points at, or -1. */
  reference(row: number): number {
    return this.rows.get(row, "ref") - 1;
  }

  /** The rows that hints in place of a result point at. */
  references(row: number): readonly number[] {
    return this.#sources.get(row) ?? [this.reference(row)];
  }

  /** The row that removed a miss's earlier copy, or -1. */
  cause(row: number): number {
    return this.rows.get(row, "cause") - 1;
  }

  /** Tokens that hints would save in [from, to). */
  savedTokens(from: number, to: number): number {
    return ((this.#savedBefore[to] ?? 0) - (this.#savedBefore[from] ?? 0)) / this.charsPerToken;
  }

  /** Results in [from, to) that repeat what the model has, in whole or in part. */
  repeats(from: number, to: number): number {
    return (this.#repeatsBefore[to] ?? 0) - (this.#repeatsBefore[from] ?? 0);
  }

  /** The first row of a partition; if it has no results yet, where its first will be. */
  partitionStart(partition: number): number {
    return this.#partitionStarts[partition] ?? this.#length;
  }

  partitionEnd(partition: number): number {
    return this.partitionStart(partition + 1);
  }

  partitionOf(row: number): number {
    return this.rows.get(row, "partition");
  }

  #addRow(row: number, tools: readonly string[]): void {
    const { rows } = this;
    const family = this.#familyOf(rows.get(row, "tool"), tools);
    const kind = kindCode(rows, row, family);
    const saved = rows.get(row, "savedChars");
    const standsIn = kind === KIND.native || kind === KIND.realised;
    this.#families[row] = family;
    this.#kinds[row] = kind;
    this.#sizes[row] = rows.get(row, "chars") + (standsIn ? saved : 0);
    this.#savedBefore[row + 1] = (this.#savedBefore[row] ?? 0) + (wouldSave(kind) ? saved : 0);
    this.#repeatsBefore[row + 1] = (this.#repeatsBefore[row] ?? 0) + (wouldSave(kind) ? 1 : 0);
    this.uses.add(row, this.reference(row));
    const partition = rows.get(row, "partition");
    while (this.#partitionStarts.length <= partition) this.#partitionStarts.push(row);
  }

  #addEvent(event: EventMark): void {
    this.events.push(event);
    if (event.kind === "boundary") this.boundaries.set(event.partition, event);
  }

  #familyOf(tool: number, tools: readonly string[]): number {
    const known = this.#familyOfTool[tool];
    if (known !== undefined) return known;
    const family = familyCode(tools[tool] ?? "");
    this.#familyOfTool[tool] = family;
    return family;
  }

  #findLanes(from: number): void {
    const present = new Set(this.lanes);
    for (let row = from; row < this.#length && present.size < FAMILIES.length; row++) present.add(this.family(row));
    this.lanes = [...present].sort((above, below) => above - below);
  }

  #reserve(length: number): void {
    this.#kinds = withRoom(this.#kinds, length);
    this.#families = withRoom(this.#families, length);
    this.#sizes = withRoom(this.#sizes, length);
    this.#savedBefore = withRoom(this.#savedBefore, length + 1);
    this.#repeatsBefore = withRoom(this.#repeatsBefore, length + 1);
    this.uses.reserve(length);
  }
}

/** For each result, the later results that point at it: one list per result, linked through two columns. */
class Uses {
  #newest = new Uint32Array(0);
  #earlier = new Uint32Array(0);

  reserve(length: number): void {
    this.#newest = withRoom(this.#newest, length);
    this.#earlier = withRoom(this.#earlier, length);
  }

  add(row: number, reference: number): void {
    if (reference < 0 || reference >= row) return;
    this.#earlier[row] = this.#newest[reference] ?? 0;
    this.#newest[reference] = row + 1;
  }

  /** Newest first, at most `limit`: more arcs would be unreadable. */
  of(row: number, limit: number): number[] {
    const uses: number[] = [];
    for (let next = this.#newest[row] ?? 0; next > 0 && uses.length < limit; next = this.#earlier[next - 1] ?? 0) {
      uses.push(next - 1);
    }
    return uses;
  }
}

/** Whether two sets of rows are of the same context, perhaps under other settings: the view then stays put. */
export function sameContext(before: ResultRows, after: ResultRows): boolean {
  if (before === after) return true;
  if (before.length === 0 || after.length === 0) return false;
  return (["line", "at", "tool", "bytes", "chars"] as const).every(
    field => before.get(0, field) === after.get(0, field),
  );
}

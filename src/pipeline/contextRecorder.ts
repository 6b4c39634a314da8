import type { Decision, ReplaySink } from "../dedup/decision.js";
import { type Emission, emissionOf } from "../dedup/emission.js";
import { type DedupEvent, droppedBy, type MarkEvent, type MemberType } from "../dedup/events.js";
import type { Run } from "../dedup/runs/matcher.js";
import { REQUEST_WIDTH, requestNumbers } from "../inspect/cost.js";
import {
  type ContextData,
  type HintedRow,
  type Mark,
  markOf,
  type RowSources,
  type SentRequest,
} from "../inspect/logData.js";
import { packSweep, ResultRows, type SweepRow } from "../inspect/rows.js";
import type { AnswerFact, BoundaryFact, RequestFact } from "../log/facts.js";
import type { StrategyRecorder } from "./strategyReplays.js";

export interface RecorderOptions {
  /** Keep every event and every request, for `report --events` and `export`. */
  readonly keepEvents: boolean;
  /** Keep what is displayed besides figures: call ids, targets, hints and marks. */
  readonly keepDetails: boolean;
}

/** Records what a replay decides about one context: a row for each result, a mark for everything in between. */
export class ContextRecorder implements ReplaySink {
  readonly id: string;
  readonly rows = new ResultRows();
  readonly sweep: SweepRow[] = [];
  readonly hinted: HintedRow[] = [];
  readonly events: DedupEvent[] | undefined;
  readonly sent: SentRequest[] | undefined;
  readonly tools: string[] = [];
  readonly files: string[] = [];
  readonly ids: string[] = [];
  readonly targets: string[] = [];
  /** By row, the byte offsets of the result's line and of the call's line. */
  readonly offsets: number[] = [];
  readonly callOffsets: number[] = [];
  /** By row, what would replace the result, exactly as `replay` prints it; only rows that would be replaced. */
  readonly emissions = new Map<number, Emission>();
  /** Of rows with runs, in order. */
  readonly sources: RowSources[] = [];
  readonly marks: Mark[] = [];
  readonly partitionRequests: number[] = [0];
  readonly requestCosts: number[][] = [[]];
  /** Those that answered requests, in order of appearance. */
  readonly models: string[] = [];
  readonly #keepDetails: boolean;
  readonly #rowOfId = new Map<string, number>();
  readonly #toolIndex = new Map<string, number>();
  readonly #fileIndex = new Map<string, number>();
  readonly #modelIndex = new Map<string, number>();
  readonly #requestsByModel: number[] = [];
  #boundary: BoundaryFact | undefined;
  /** An edit's invalidations come before its own event, when it has no row yet. */
  #invalidationsAhead = 0;

  constructor(id: string, { keepEvents, keepDetails }: RecorderOptions) {
    this.id = id;
    this.events = keepEvents ? [] : undefined;
    this.sent = keepEvents ? [] : undefined;
    this.#keepDetails = keepDetails;
  }

  event(event: DedupEvent): void {
    this.events?.push(event);
    switch (event.kind) {
      case "hit":
      case "nearHit":
      case "miss":
      case "bypass":
        // `decided` adds the row.
        return;
      case "reask":
        return this.rows.set("cause", this.#rowOf(event.hint) + 1);
      case "evict":
        return this.rows.set("evicted", this.#rowOf(event.id) + 1);
      case "boundary":
        this.partitionRequests[event.partition] = 0;
        this.requestCosts[event.partition] = [];
        return this.#mark({ ...this.#boundary, ...event });
      case "invalidate":
        this.#invalidationsAhead++;
    }
    this.#mark(event);
  }

  decided(decision: Decision): void {
    const { id, tool, partition } = decision.event;
    const { path } = decision.result;
    this.#rowOfId.set(id, this.rows.length);
    this.rows.add(decision, {
      request: this.partitionRequests[partition] ?? 0,
      tool: indexOf(tool, this.tools, this.#toolIndex),
      file: path === undefined ? -1 : indexOf(path, this.files, this.#fileIndex),
      rowOf: ref => this.#rowOf(ref),
    });
    const [hint] = decision.result.hints;
    if (hint !== undefined) this.hinted.push({ row: this.rows.length - 1, kind: hint.kind, asked: false });
    for (const hit of decision.sweepHits) this.sweep.push({ row: this.rows.length - 1, ...hit });
    if (!this.#keepDetails) return;
    const emission = emissionOf(decision);
    if (emission !== undefined) this.emissions.set(this.rows.length - 1, emission);
    if (emission !== undefined && "runs" in emission) {
      this.sources.push({ row: this.rows.length - 1, sources: this.#sourcesOf(emission.runs) });
    }
    this.ids.push(id);
    this.targets.push(decision.result.target);
    this.offsets.push(decision.result.offset);
    this.callOffsets.push(decision.result.callOffset);
  }

  askedAgain(hinted: string): void {
    const row = this.#rowOf(hinted);
    const known = this.hinted.findLast(one => one.row === row);
    if (known !== undefined) known.asked = true;
  }

  settled(): void {
    if (this.#invalidationsAhead > 0) this.rows.set("invalidations", this.#invalidationsAhead);
    this.#invalidationsAhead = 0;
  }

  request(request: RequestFact, partition: number): void {
    const costs = this.requestCosts[partition] ?? [];
    // A later line of the same answer has the usage that the first one lacked.
    if (request.continued) {
      costs.length -= Math.min(costs.length, REQUEST_WIDTH);
      this.sent?.pop();
    }
    this.sent?.push({ request, partition });
    const model = indexOf(request.model, this.models, this.#modelIndex);
    costs.push(...requestNumbers(request, model));
    if (request.continued) return;
    this.partitionRequests[partition] = (this.partitionRequests[partition] ?? 0) + 1;
    this.#requestsByModel[model] = (this.#requestsByModel[model] ?? 0) + 1;
  }

  answer({ output }: AnswerFact): void {
    const newest = this.sent?.pop();
    if (newest !== undefined) this.sent?.push({ ...newest, request: { ...newest.request, output } });
  }

  boundary(fact: BoundaryFact): void {
    this.#boundary = fact;
  }

  /** The model that answered most requests. */
  get model(): string {
    const requestsOf = (model: number) => this.#requestsByModel[model] ?? 0;
    const byRequests = [...this.models.keys()].sort((left, right) => requestsOf(right) - requestsOf(left));
    return this.models[byRequests[0] ?? -1] ?? "";
  }

  /** `strategies`: what the others would save, if they were replayed. */
  data(file?: string, strategies?: StrategyRecorder): ContextData {
    return {
      id: this.id,
      ...(file !== undefined && { file }),
      model: this.model,
      models: this.models,
      requests: this.partitionRequests.reduce((sum, requests) => sum + requests, 0),
      partitionRequests: this.partitionRequests,
      requestCosts: this.requestCosts,
      tools: this.tools,
      files: this.files,
      ids: this.ids,
      targets: this.targets,
      marks: this.marks,
      sources: this.sources,
      rows: this.rows.cells(),
      sweep: packSweep(this.sweep),
      hinted: this.hinted,
      ...(strategies && { strategies: strategies.rows.cells(), runSizes: strategies.sizes.cells() }),
      ...(this.events && { events: this.events }),
      ...(this.sent && { sent: this.sent }),
    };
  }

  #mark(event: MarkEvent): void {
    if (!this.#keepDetails) return;
    const { kind, line, at, partition } = event;
    // Invalidations by a tool, according to the settings, come after that tool's own row.
    const position = this.rows.length - (kind === "invalidate" && event.by === "tool" ? 1 : 0);
    const said: Readonly<Record<string, unknown>> = { ...event, dropped: droppedBy(event) };
    const memberOf = (type: MemberType, name: string) =>
      type === "calls" ? (said[name] as readonly string[]).map(id => this.#rowOf(id)) : said[name];
    this.marks.push(markOf({ kind, position, line, at, partition }, memberOf));
  }

  #sourcesOf(runs: readonly Run[]): number[] {
    const bytes = new Map<number, number>();
    for (const { hint, bytes: length } of runs) {
      const row = this.#rowOf(hint.id);
      if (row >= 0) bytes.set(row, (bytes.get(row) ?? 0) + length);
    }
    return [...bytes].sort(([, one], [, other]) => other - one).map(([row]) => row);
  }

  #rowOf(id: string | undefined): number {
    return id === undefined ? -1 : (this.#rowOfId.get(id) ?? -1);
  }
}

/** The index of a name in a list; a new name is appended. */
function indexOf(name: string, names: string[], known: Map<string, number>): number {
  const index = known.get(name);
  if (index !== undefined) return index;
  known.set(name, names.length);
  return names.push(name) - 1;
}

import type { DedupEvent } from "../dedup/events.js";
import type { Decision, ReplaySink } from "../dedup/replay.js";
import { REQUEST_WIDTH, requestNumbers } from "../inspect/cost.js";
import type { ContextData, Mark } from "../inspect/logData.js";
import { ResultRows, type SweepRow } from "../inspect/rows.js";
import type { BoundaryFact, RequestFact } from "../log/facts.js";

export interface ContextModelOptions {
  /** Keep every event: `report --events`. */
  readonly keepEvents: boolean;
  /** Keep what a person looks at besides figures: call ids, subjects and marks. */
  readonly keepDetails: boolean;
}

/** Gathers what a replay decides into rows. */
export class ContextModel implements ReplaySink {
  readonly id: string;
  readonly rows = new ResultRows();
  readonly sweep: SweepRow[] = [];
  readonly events: DedupEvent[] | undefined;
  readonly tools: string[] = [];
  readonly files: string[] = [];
  readonly ids: string[] = [];
  readonly targets: string[] = [];
  /** Per row, where the result's line and the call's line begin in the file. */
  readonly offsets: number[] = [];
  readonly callOffsets: number[] = [];
  /** By row, what would be emitted in the result's place: the very text that `replay` prints. */
  readonly hints = new Map<number, string>();
  readonly marks: Mark[] = [];
  readonly partitionRequests: number[] = [0];
  readonly requestCosts: number[][] = [[]];
  readonly #keepDetails: boolean;
  readonly #rowOfId = new Map<string, number>();
  readonly #toolIndex = new Map<string, number>();
  readonly #fileIndex = new Map<string, number>();
  readonly #requestsByModel = new Map<string, number>();
  #boundary: BoundaryFact | undefined;
  /** An edit's invalidations are told before its own event, when its row does not exist yet. */
  #invalidationsAhead = 0;

  constructor(id: string, { keepEvents, keepDetails }: ContextModelOptions) {
    this.id = id;
    this.events = keepEvents ? [] : undefined;
    this.#keepDetails = keepDetails;
  }

  event(event: DedupEvent): void {
    this.events?.push(event);
    if (event.kind === "invalidate") this.#invalidationsAhead++;
    else if (event.kind === "evict") this.rows.set("evicted", this.#rowOf(event.id) + 1);
    else if (event.kind === "reask") this.rows.set("cause", this.#rowOf(event.hint) + 1);
    else if (event.kind === "boundary") {
      this.partitionRequests[event.partition] = 0;
      this.requestCosts[event.partition] = [];
    }
    if (this.#keepDetails) this.#mark(event);
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
    for (const hit of decision.sweepHits) this.sweep.push({ row: this.rows.length - 1, ...hit });
    if (!this.#keepDetails) return;
    if (decision.hint !== undefined) this.hints.set(this.rows.length - 1, decision.hint);
    this.ids.push(id);
    this.targets.push(decision.result.target);
    this.offsets.push(decision.result.offset);
    this.callOffsets.push(decision.result.callOffset);
  }

  /** Called after everything that a result caused has been told. */
  settled(): void {
    if (this.#invalidationsAhead > 0) this.rows.set("invalidations", this.#invalidationsAhead);
    this.#invalidationsAhead = 0;
  }

  request(request: RequestFact, partition: number): void {
    const costs = this.requestCosts[partition] ?? [];
    // A later line of the same answer told what the first one did not.
    if (request.continued) costs.length -= Math.min(costs.length, REQUEST_WIDTH);
    costs.push(...requestNumbers(request));
    if (request.continued) return;
    this.partitionRequests[partition] = (this.partitionRequests[partition] ?? 0) + 1;
    this.#requestsByModel.set(request.model, (this.#requestsByModel.get(request.model) ?? 0) + 1);
  }

  boundary(fact: BoundaryFact): void {
    this.#boundary = fact;
  }

  /** The model that answered most requests. */
  get model(): string {
    return [...this.#requestsByModel].sort(([, left], [, right]) => right - left)[0]?.[0] ?? "";
  }

  data(file?: string, strategies?: Uint32Array<ArrayBuffer>): ContextData {
    return {
      id: this.id,
      ...(file !== undefined && { file }),
      model: this.model,
      requests: this.partitionRequests.reduce((sum, requests) => sum + requests, 0),
      partitionRequests: this.partitionRequests,
      requestCosts: this.requestCosts,
      tools: this.tools,
      files: this.files,
      ids: this.ids,
      targets: this.targets,
      marks: this.marks,
      rows: this.rows.cells(),
      sweep: this.sweep,
      ...(strategies && { strategies }),
      ...(this.events && { events: this.events }),
    };
  }

  #mark(event: DedupEvent): void {
    if (!("dropped" in event || event.kind === "clear" || event.kind === "invalidate")) return;
    const { kind, line, at, partition } = event;
    const gone = event.kind === "clear" ? event.ids : event.kind === "invalidate" ? [event.id] : event.dropped;
    const { trigger, preTokens, postTokens } = this.#boundary ?? {};
    this.marks.push({
      kind,
      position: this.rows.length - (event.kind === "invalidate" && event.by === "tool" ? 1 : 0),
      line,
      at,
      partition,
      dropped: gone.map(id => this.#rowOf(id)),
      ...("by" in event && { by: event.by }),
      ...(event.kind === "boundary" && {
        kept: event.kept.map(id => this.#rowOf(id)),
        ...(trigger !== undefined && { trigger }),
        ...(preTokens !== undefined && { preTokens }),
        ...(postTokens !== undefined && { postTokens }),
      }),
    });
  }

  #rowOf(id: string | undefined): number {
    return id === undefined ? -1 : (this.#rowOfId.get(id) ?? -1);
  }
}

/** The place of a name in a list, at whose end it is put where it is new. */
function indexOf(name: string, names: string[], known: Map<string, number>): number {
  const index = known.get(name);
  if (index !== undefined) return index;
  known.set(name, names.length);
  return names.push(name) - 1;
}

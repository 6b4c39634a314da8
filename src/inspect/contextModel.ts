import type { DedupEvent } from "../dedup/events.js";
import type { Decision, ReplaySink } from "../dedup/replay.js";
import type { RequestFact } from "../log/facts.js";
import { ResultRows, type SweepRow } from "./rows.js";

/** A context with everything that its figures are made of. Plain data but for the rows, so it can change threads. */
export interface ContextData {
  readonly id: string;
  /** The subagent's own file; undefined where the context is in the session's main file. */
  readonly file?: string;
  /** The model that answered most requests. */
  readonly model: string;
  readonly requests: number;
  /** Requests per partition: its length is the number of partitions. */
  readonly partitionRequests: readonly number[];
  readonly tools: readonly string[];
  readonly rows: { readonly cells: Uint32Array<ArrayBuffer>; readonly length: number };
  readonly sweep: readonly SweepRow[];
  readonly events?: readonly DedupEvent[];
}

/** Gathers what a replay decides into rows. */
export class ContextModel implements ReplaySink {
  readonly id: string;
  readonly rows = new ResultRows();
  readonly sweep: SweepRow[] = [];
  readonly events: DedupEvent[] | undefined;
  readonly tools: string[] = [];
  readonly partitionRequests: number[] = [0];
  readonly #toolIndex = new Map<string, number>();
  readonly #requestsByModel = new Map<string, number>();
  #partition = 0;
  /** An edit's invalidations are told before its own event, when its row does not exist yet. */
  #invalidationsAhead = 0;

  constructor(id: string, options: { keepEvents: boolean }) {
    this.id = id;
    this.events = options.keepEvents ? [] : undefined;
  }

  event(event: DedupEvent): void {
    this.events?.push(event);
    if (event.kind === "invalidate" && event.by === "path") this.#invalidationsAhead++;
    else if (event.kind === "invalidate") this.rows.count("invalidations");
    else if (event.kind === "evict") this.rows.count("evictions");
    else if (event.kind === "boundary") this.#openPartition(event.partition);
  }

  decided(decision: Decision): void {
    this.rows.add(decision, this.partitionRequests[this.#partition] ?? 0, this.#indexOfTool(decision.event.tool));
    for (; this.#invalidationsAhead > 0; this.#invalidationsAhead--) this.rows.count("invalidations");
    for (const hit of decision.sweepHits) this.sweep.push({ row: this.rows.length - 1, ...hit });
  }

  request(request: RequestFact): void {
    if (request.continued) return;
    this.partitionRequests[this.#partition] = (this.partitionRequests[this.#partition] ?? 0) + 1;
    this.#requestsByModel.set(request.model, (this.#requestsByModel.get(request.model) ?? 0) + 1);
  }

  data(file?: string): ContextData {
    const byUse = [...this.#requestsByModel].sort(([, left], [, right]) => right - left);
    return {
      id: this.id,
      ...(file !== undefined && { file }),
      model: byUse[0]?.[0] ?? "",
      requests: this.partitionRequests.reduce((sum, requests) => sum + requests, 0),
      partitionRequests: this.partitionRequests,
      tools: this.tools,
      rows: { cells: this.rows.cells, length: this.rows.length },
      sweep: this.sweep,
      ...(this.events && { events: this.events }),
    };
  }

  #openPartition(partition: number): void {
    this.#partition = partition;
    this.partitionRequests[partition] = 0;
  }

  #indexOfTool(tool: string): number {
    const known = this.#toolIndex.get(tool);
    if (known !== undefined) return known;
    this.#toolIndex.set(tool, this.tools.length);
    return this.tools.push(tool) - 1;
  }
}

/** What reading and replaying a log gives: the data that reports and pictures are made from. */
import type { DedupEvent } from "../dedup/events.js";
import type { HintLevel } from "../dedup/fallback.js";
import type { LiveHint } from "../dedup/runs/runHints.js";
import type { Sample } from "../log/calibration.js";
import type { ClearedBy, RequestFact } from "../log/facts.js";
import type { LogFile } from "../log/sessionFiles.js";
import type { MarkKind } from "./outcomes.js";
import type { MeasuredPartition } from "./passFigures.js";
import type { SweepRow } from "./rows.js";

/** Something that happened between results. Rows say which results it is about. */
export interface Mark {
  readonly kind: MarkKind;
  /** How many results came before it; an edit's invalidations stand before the edit's own row. */
  readonly position: number;
  readonly line: number;
  readonly at: string | null;
  readonly partition: number;
  /** The results that left the cache. */
  readonly dropped: readonly number[];
  /** boundary: the results that survived it. */
  readonly kept?: readonly number[];
  /** invalidate: by a change of the same file, or by the settings' map of tools. */
  readonly by?: "path" | "tool" | ClearedBy;
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  /** fallback: how much live hints replace from here on, and how many of those given had been asked for again. */
  readonly level?: HintLevel;
  readonly hinted?: number;
  readonly asked?: number;
}

/** A result with live hints. */
export interface HintedRow {
  readonly row: number;
  readonly kind: LiveHint["kind"];
  /** The next request held the same call again. */
  asked: boolean;
}

/** The calls that hold the lines of a result which become hints, most of them first. */
export interface RowSources {
  readonly row: number;
  readonly sources: readonly number[];
}

/** A request, and the partition that it belongs to. */
export interface SentRequest {
  readonly request: RequestFact;
  readonly partition: number;
}

/** A context with everything that its figures and pictures are made of: plain data that can change threads. */
export interface ContextData {
  readonly id: string;
  /** The subagent's own file; undefined where the context is in the session's main file. */
  readonly file?: string;
  /** The model that answered most requests. */
  readonly model: string;
  readonly requests: number;
  /** Requests per partition: its length is the number of partitions. */
  readonly partitionRequests: readonly number[];
  /** Per partition, the numbers that costs depend on, REQUEST_WIDTH for each request: see `requestNumbers`. */
  readonly requestCosts: readonly (readonly number[])[];
  readonly tools: readonly string[];
  /** The paths that calls named, in order of first appearance. */
  readonly files: readonly string[];
  /** Per row, the call's id and its subject. Empty unless the context is to be looked at. */
  readonly ids: readonly string[];
  readonly targets: readonly string[];
  readonly marks: readonly Mark[];
  /** Of rows that repeat in part, in order; empty like the others. */
  readonly sources: readonly RowSources[];
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly sweep: readonly SweepRow[];
  /** The results with live hints, in order. */
  readonly hinted: readonly HintedRow[];
  /** What every strategy saves, packed (see strategies.ts); only where that was asked for. */
  readonly strategies?: Uint32Array<ArrayBuffer>;
  /** What other smallest runs would save, packed (see runSizes.ts); only where strategies are. */
  readonly runSizes?: Uint32Array<ArrayBuffer>;
  /** Every event and every request, in order; only where they were asked for. */
  readonly events?: readonly DedupEvent[];
  readonly sent?: readonly SentRequest[];
  /** By partition, what other systems' passes would do; only where that was asked for. */
  readonly passes?: readonly (MeasuredPartition | null)[];
}

/** Everything one log file gave: plain data that can change threads. */
export interface LogData extends LogFile {
  readonly project: string | undefined;
  readonly title: string | undefined;
  /** Whether somebody gave that title; otherwise it is the first prompt. */
  readonly isTitled: boolean;
  readonly firstAt: string | undefined;
  readonly lastAt: string | undefined;
  /** Of the main conversation: see `LogHeader`. */
  readonly prompts: number;
  readonly interruptions: number;
  readonly models: readonly string[];
  readonly versions: readonly string[];
  readonly lines: number;
  readonly badLines: number;
  readonly overlongLines: number;
  readonly failedLines: number;
  readonly failure: string | undefined;
  readonly leftOutLines: number;
  readonly samples: readonly Sample[];
  readonly contexts: readonly ContextData[];
}

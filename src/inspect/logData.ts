/** The outcome of reading and replaying a log: the data for reports and pictures. */
import { type DedupEvent, MARK_MEMBERS, type MemberType } from "../dedup/events.js";
import type { LiveHint } from "../dedup/runs/runHints.js";
import type { Sample } from "../log/calibration.js";
import type { RequestFact } from "../log/facts.js";
import type { LogFile } from "../log/sessionFiles.js";
import type { MarkKind } from "./outcomes.js";
import type { MeasuredPartition } from "./passFigures.js";

type Members = (typeof MARK_MEMBERS)[MarkKind];
type NamesIn<Of> = Of extends Of ? keyof Of : never;
type MemberOf<T> = T extends readonly (infer Choice)[]
  ? Choice
  : T extends "calls"
    ? readonly number[]
    : T extends "text"
      ? string
      : number;
/** What marks of any kind say: calls as rows. */
type MarkMembers = {
  readonly [Name in NamesIn<Members>]?: MemberOf<Extract<Members, Readonly<Record<Name, unknown>>>[Name]>;
};

/** Something that happened between results. Rows say which results it is about. */
export interface Mark extends MarkMembers {
  readonly kind: MarkKind;
  /** How many results came before it; an edit's invalidations come before the edit's own row. */
  readonly position: number;
  readonly line: number;
  readonly at: string | null;
  readonly partition: number;
  /** The results that left the cache. */
  readonly dropped: readonly number[];
}

/** A mark with the members of its kind; those that are unknown are left out. */
export function markOf(place: Omit<Mark, "dropped">, memberOf: (type: MemberType, name: string) => unknown): Mark {
  const members = Object.entries<MemberType>(MARK_MEMBERS[place.kind]).map(([name, type]) => [
    name,
    memberOf(type, name),
  ]);
  return { ...place, dropped: [], ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
}

/** A result with live hints. */
export interface HintedRow {
  readonly row: number;
  readonly kind: LiveHint["kind"];
  /** The next request repeated the call. */
  asked: boolean;
}

/** The calls with the lines of a result that become hints, those with the most lines first. */
export interface RowSources {
  readonly row: number;
  readonly sources: readonly number[];
}

/** A request and its partition. */
export interface SentRequest {
  readonly request: RequestFact;
  readonly partition: number;
}

/** A context with everything needed for its figures and pictures: plain data that can be sent to another thread. */
export interface ContextData {
  readonly id: string;
  /** The subagent's own file; undefined if the context is in the session's main file. */
  readonly file?: string;
  /** The model that answered most requests. */
  readonly model: string;
  /** All models that answered requests, in order of appearance. */
  readonly models: readonly string[];
  readonly requests: number;
  /** Requests per partition: its length is the number of partitions. */
  readonly partitionRequests: readonly number[];
  /** Per partition, the numbers that costs depend on, REQUEST_WIDTH for each request: see `requestNumbers`. */
  readonly requestCosts: readonly (readonly number[])[];
  readonly tools: readonly string[];
  /** The paths that calls named, in order of first appearance. */
  readonly files: readonly string[];
  /** Per row, the call's id and subject. Empty unless the context is for viewing. */
  readonly ids: readonly string[];
  readonly targets: readonly string[];
  readonly marks: readonly Mark[];
  /** For rows that repeat in part, in order; empty like the others. */
  readonly sources: readonly RowSources[];
  readonly rows: Uint32Array<ArrayBuffer>;
  /** The results that hit at some capacities, packed: see `sweepRows`. */
  readonly sweep: Uint32Array<ArrayBuffer>;
  /** The results with live hints, in order. */
  readonly hinted: readonly HintedRow[];
  /** What every strategy saves, packed (see strategies.ts); only if requested. */
  readonly strategies?: Uint32Array<ArrayBuffer>;
  /** What other minimum runs would save, packed (see runSizes.ts); only with strategies. */
  readonly runSizes?: Uint32Array<ArrayBuffer>;
  /** Every event and every request, in order; only if requested. */
  readonly events?: readonly DedupEvent[];
  readonly sent?: readonly SentRequest[];
  /** By partition, what other systems' passes would do; only if requested. */
  readonly passes?: readonly (MeasuredPartition | null)[];
}

/** Everything from one log file: plain data that can be sent to another thread. */
export interface LogData extends LogFile {
  readonly project: string | undefined;
  readonly title: string | undefined;
  /** Whether the title was set explicitly; otherwise it is the first prompt. */
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

/** What happened in one context, in order: see docs/json.md, "Events". */
import { type BoundaryFact, CLEARED_BY, type ClearedBy, type Place } from "../log/facts.js";
import type { Digest } from "./digest.js";
import { type Fall, HINT_LEVELS } from "./fallback.js";

/** Why a text is shown in full although the cache has it. */
const OBJECTIONS = ["parallel", "rewound", "afterEdit", "fixed", "stopped"] as const;
export type Objection = (typeof OBJECTIONS)[number];

/** Why a body that the context once held is not a hit: how its newest copy was lost, or an objection. */
export const FORGONE_REASONS = ["evicted", "invalidated", "compacted", "cleared", "shrunk", ...OBJECTIONS] as const;
export type ForgoneReason = (typeof FORGONE_REASONS)[number];

export const MISS_REASONS = ["new", ...FORGONE_REASONS] as const;
/** Why there is nothing to refer to: the body is new here, or no hint may point at its earlier copy. */
export type MissReason = (typeof MISS_REASONS)[number];

export const BYPASS_REASONS = ["small", "mutation", "error", "nonText", "native", "realised"] as const;
/** Why a result is not considered at all. `native`: Claude Code saved it; `realised`: a live hint did. */
export type BypassReason = (typeof BYPASS_REASONS)[number];

interface At {
  readonly line: number;
  readonly at: string | null;
  readonly partition: number;
}

interface OfResult extends At {
  readonly id: string;
  readonly tool: string;
  readonly bytes: number;
}

export interface HitEvent extends OfResult {
  readonly kind: "hit" | "nearHit";
  /** The call whose result the hint points at. */
  readonly ref: string;
  readonly savedBytes: number;
}

export interface MissEvent extends OfResult {
  readonly kind: "miss";
  readonly why: MissReason;
  /** The call that invalidated the earlier copy. */
  readonly cause?: string;
  /** The runs of its lines that occur in earlier texts, and what their hints would save. */
  readonly runs?: readonly RunReference[];
  readonly savedBytes?: number;
}

/** Lines from–to, counted from 1, of a call's text as emitted, or of a string in its input. */
export interface RunReference {
  readonly ref: string;
  readonly input?: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

export interface BypassEvent extends OfResult {
  readonly kind: "bypass";
  readonly reason: BypassReason;
  readonly ref?: string;
}

/** Follows the result's own event: the text was asked for again right after a live hint replaced it. */
export interface ReaskEvent extends OfResult {
  readonly kind: "reask";
  /** The call whose result the hint pointed at, and the call that the hint answered. */
  readonly ref: string;
  readonly hint: string;
  /** Negative: the whole text entered the context again. */
  readonly savedBytes: number;
}

export interface InvalidateEvent extends At {
  readonly kind: "invalidate";
  readonly id: string;
  readonly cause: string;
  readonly by: "path" | "tool";
}

export interface EvictEvent extends At {
  readonly kind: "evict";
  readonly id: string;
  readonly cause: string;
}

export interface BoundaryEvent extends At {
  readonly kind: "boundary";
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
}

export interface ClearEvent extends At {
  readonly kind: "clear";
  readonly ids: readonly string[];
  readonly by: ClearedBy;
}

export interface DropEvent extends At {
  readonly kind: "rewind" | "shrink";
  readonly dropped: readonly string[];
}

/** From this request on, live hints replace less: the model asked for too many texts again. */
export interface FallbackEvent extends At, Fall {
  readonly kind: "fallback";
}

export type ResultEvent = HitEvent | MissEvent | BypassEvent;
export type DedupEvent =
  | ResultEvent
  | ReaskEvent
  | InvalidateEvent
  | EvictEvent
  | BoundaryEvent
  | ClearEvent
  | DropEvent
  | FallbackEvent;

/** What happens between results, and is shown as a mark. */
export type MarkEvent = Exclude<DedupEvent, ResultEvent | ReaskEvent | EvictEvent>;

/** Calls, a text, a number, or one of these texts. */
export type MemberType = "calls" | "text" | "number" | readonly string[];

/** The members of the event, of its fact, and what every event may have dropped. */
type NameIn<K extends MarkEvent["kind"]> = keyof Extract<MarkEvent, { kind: K }> | keyof BoundaryFact | "dropped";

/**
 * What marks say besides where they are, in the order in which the kernel writes it. The rest follows from this: another
 * kind needs an entry, an event, words and an icon, but no case of its own.
 */
export const MARK_MEMBERS = {
  invalidate: { dropped: "calls", by: ["path", "tool"] },
  boundary: { dropped: "calls", trigger: "text", preTokens: "number", postTokens: "number", kept: "calls" },
  clear: { dropped: "calls", by: CLEARED_BY },
  rewind: { dropped: "calls" },
  shrink: { dropped: "calls" },
  fallback: { level: HINT_LEVELS, hinted: "number", asked: "number" },
} as const satisfies { readonly [K in MarkEvent["kind"]]: { readonly [Name in NameIn<K>]?: MemberType } };

/** The results that left the cache; undefined for events at which none ever does. */
export function droppedBy(event: MarkEvent | EvictEvent): readonly string[] | undefined {
  if ("dropped" in event) return event.dropped;
  if ("ids" in event) return event.ids;
  return "id" in event ? [event.id] : undefined;
}

export function isResultEvent(event: DedupEvent): event is ResultEvent {
  return event.kind === "hit" || event.kind === "nearHit" || event.kind === "miss" || event.kind === "bypass";
}

/** Where and in which partition something happened. */
export function placeOf({ line, at }: Place, partition: number): At {
  return { line, at, partition };
}

export function headOf({ line, at, id, tool, bytes }: Digest, partition: number): OfResult {
  return { line, at, partition, id, tool, bytes };
}

/** The input and output of a replay. */
import type { AnswerFact, BoundaryFact, ClearedBy, RequestFact } from "../log/facts.js";
import type { Digest } from "./digest.js";
import type { SavedForms } from "./door.js";
import type { DedupEvent, ResultEvent } from "./events.js";
import type { SavedFallback } from "./fallback.js";
import type { OtherWays } from "./otherWays.js";
import type { SavedReach } from "./reach.js";
import type { HeldResult } from "./replay.js";
import type { SavedRuns } from "./runs/contextRuns.js";
import type { LineTable } from "./runs/lines.js";
import type { Run } from "./runs/matcher.js";
import type { RealisedHint } from "./standIns.js";
import type { SweepHit } from "./sweep.js";

/** The decision on one result. */
export interface Decision {
  readonly event: ResultEvent;
  readonly result: Digest;
  /** Characters saved by hints, the stub or the live hint. */
  readonly savedChars: number;
  /** A miss with a text seen before: where, and the characters that a hint to it would have saved beyond runs. */
  readonly forgone?: { readonly ref: string; readonly chars: number };
  /** What would be emitted instead of the result; undefined if the result is emitted unchanged. */
  readonly hint?: string;
  /** The part of the text, in characters, that the hint replaces; all of it if undefined. */
  readonly replaced?: { readonly begin: number; readonly end: number };
  /** A miss: the runs of its lines that would become hints. */
  readonly runs?: readonly Run[];
  readonly sweepHits: readonly SweepHit[];
}

export interface ReplaySink {
  event(event: DedupEvent): void;
  /** Follows the result's own event. */
  decided(decision: Decision): void;
  /** This call repeats one that was answered with hints in the previous request. */
  askedAgain?(hinted: string): void;
  /** Everything that the result caused has been reported. */
  settled?(): void;
  request?(request: RequestFact, partition: number): void;
  answer?(answer: AnswerFact): void;
  /** Comes before the boundary's own event. */
  boundary?(fact: BoundaryFact): void;
}

/** The state of a replay as plain data: enough to decide on further results, but not for figures of the past. */
export interface SavedReplay {
  /** Oldest first. */
  readonly held: readonly HeldResult[];
  readonly partition: number;
  readonly requests: number;
  readonly lastInput: number;
  readonly hinted: ReadonlyMap<string, RealisedHint>;
  readonly fallback: SavedFallback;
  readonly earlyClears: ReadonlyMap<string, ClearedBy>;
  readonly reach: SavedReach;
  readonly runs?: SavedRuns | undefined;
  readonly forms?: SavedForms | undefined;
}

export interface ReplayOptions {
  readonly sweep?: boolean;
  /** Replayed at the same time, by the same rules. Results that may be near must bring their texts. */
  readonly others?: OtherWays | undefined;
  readonly resume?: SavedReplay | undefined;
  /** Skips the reasons for misses and the sweep. */
  readonly withoutReasons?: boolean;
  /** For live hints: the model got exactly what the log says. Only `answer` replaces anything. */
  readonly asGiven?: boolean;
  /** The lines of the only text that will be looked up. */
  readonly wanted?: LineTable | undefined;
}

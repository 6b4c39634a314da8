/** What a replay is given, and what it tells. */
import type { AnswerFact, BoundaryFact, RequestFact } from "../log/facts.js";
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
  /** Characters that hints, the stub or the live hint spare. */
  readonly savedChars: number;
  /** A miss whose text had been there: where, and the characters that a hint to it would have spared, beyond runs. */
  readonly forgone?: { readonly ref: string; readonly chars: number };
  /** What would be emitted in the result's place; undefined where it is emitted as it is. */
  readonly hint?: string;
  /** The stretch of the text, in characters, whose place the hint takes; all of it where undefined. */
  readonly replaced?: { readonly begin: number; readonly end: number };
  /** A miss: the runs of its lines that would become hints. */
  readonly runs?: readonly Run[];
  readonly sweepHits: readonly SweepHit[];
}

export interface ReplaySink {
  event(event: DedupEvent): void;
  /** Follows the result's own event. */
  decided(decision: Decision): void;
  /** The call that this one repeats was answered with hints, in the request before. */
  askedAgain?(hinted: string): void;
  /** Everything that the result caused has been told. */
  settled?(): void;
  request?(request: RequestFact, partition: number): void;
  answer?(answer: AnswerFact): void;
  /** Comes before the boundary's own event. */
  boundary?(fact: BoundaryFact): void;
}

/** What a replay holds, as plain data: enough to decide on what comes next, though not to tell figures of the past. */
export interface SavedReplay {
  /** Oldest first. */
  readonly held: readonly HeldResult[];
  readonly partition: number;
  readonly requests: number;
  readonly lastInput: number;
  readonly hinted: ReadonlyMap<string, RealisedHint>;
  readonly fallback: SavedFallback;
  readonly reach: SavedReach;
  readonly runs?: SavedRuns | undefined;
  readonly forms?: SavedForms | undefined;
}

export interface ReplayOptions {
  readonly sweep?: boolean;
  /** Replayed at the same time, by the same rules. Results must bring their texts where they may be near. */
  readonly others?: OtherWays | undefined;
  readonly resume?: SavedReplay | undefined;
  /** Nobody asks why a result is a miss, nor for the sweep. */
  readonly withoutReasons?: boolean;
  /** The log of live hints: what it says is what the model got. Only `answer` replaces anything. */
  readonly asGiven?: boolean;
  /** The lines of the only text that will be answered. */
  readonly wanted?: LineTable | undefined;
}

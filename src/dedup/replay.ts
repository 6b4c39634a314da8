import { utf8Length } from "../log/bytes.js";
import type { BoundaryFact, ClearFact, Place, RequestFact, RewindFact } from "../log/facts.js";
import { DedupCache, type Entry } from "./cache.js";
import type { Digest, ReplayFact } from "./digest.js";
import type { BypassReason, DedupEvent, MissReason, ResultEvent } from "./events.js";
import type { Fingerprint } from "./fingerprint.js";
import { renderHint, renderNearHint } from "./hints.js";
import { NearMatcher } from "./near.js";
import { compileInvalidation, type DedupSettings } from "./settings.js";
import { CapacitySweep, type SweepHit } from "./sweep.js";

/** A cached result with what a hint and an invalidation need to know of it. */
export interface HeldResult extends Entry {
  readonly uuid: string;
  readonly line: number;
  readonly target: string;
  readonly bytes: number;
  readonly chars: number;
}

/** The decision on one result. */
export interface Decision {
  readonly event: ResultEvent;
  readonly result: Digest;
  /** Characters that the hint, the stub or the live hint spares; 0 for a miss. */
  readonly savedChars: number;
  /** What would be emitted in the result's place; undefined where it is emitted as it is. */
  readonly hint?: string;
  readonly sweepHits: readonly SweepHit[];
}

export interface ReplaySink {
  event(event: DedupEvent): void;
  /** Follows the result's own event. */
  decided(decision: Decision): void;
  /** Everything that the result caused has been told. */
  settled?(): void;
  request?(request: RequestFact, partition: number): void;
  /** Comes before the boundary's own event. */
  boundary?(fact: BoundaryFact): void;
}

/** What became of a body that this context once held. */
interface Fate {
  readonly why: MissReason;
  readonly cause?: string;
}

/** How far a request's input may fall before something must have been cleared without a line in the log. */
const SHRINK_SHARE = 0.9;

/** Replays one context: engine.md 2 and 3, rule by rule. */
export class ContextReplay {
  readonly #settings: DedupSettings;
  readonly #sink: ReplaySink;
  readonly #cache: DedupCache<HeldResult>;
  readonly #sweep: CapacitySweep | undefined;
  readonly #staleAfter: ReturnType<typeof compileInvalidation>;
  /** Every body this context ever held; null while it is held. */
  readonly #fates = new Map<Fingerprint, Fate | null>();
  /** Sizes of the results seen, by id, to tell what a stub or a live hint stands for. */
  readonly #charsById = new Map<string, number>();
  /** The newest result of each tool on each file: what a native stub stands for. */
  readonly #newestByFile = new Map<string, Map<string, string>>();
  readonly #matcher = new NearMatcher();
  readonly #compare = (old: string, fresh: string) => this.#matcher.delta(old, fresh);
  #lastInput = 0;

  constructor(settings: DedupSettings, sink: ReplaySink, options: { sweep?: boolean } = {}) {
    this.#settings = settings;
    this.#sink = sink;
    this.#cache = new DedupCache(settings.capacity);
    this.#sweep = options.sweep ? new CapacitySweep(settings.verbosity, settings.nearRef, this.#compare) : undefined;
    this.#staleAfter = compileInvalidation(settings.invalidates);
  }

  get partition(): number {
    return this.#cache.partition;
  }

  take(fact: ReplayFact): void {
    if (fact.fact === "result") this.#takeResult(fact);
    else if (fact.fact === "request") this.#takeRequest(fact);
    else if (fact.fact === "boundary") this.#takeBoundary(fact);
    else if (fact.fact === "clear") this.#takeClear(fact);
    else if (fact.fact === "rewind") this.#takeRewind(fact);
  }

  #takeResult(result: Digest): void {
    if (result.kind === "mutate" && !result.error && result.path !== undefined) {
      const { path } = result;
      this.#invalidate(result, "path", entry => entry.kind === "read" && entry.path === path);
    }
    const reason = this.#bypassReason(result);
    if (reason !== undefined) this.#bypass(result, reason);
    else this.#lookUp(result);
    this.#remember(result);
    const stale = result.error ? undefined : this.#staleAfter(result.tool);
    if (stale !== undefined) this.#invalidate(result, "tool", entry => stale(entry.tool));
    this.#sink.settled?.();
  }

  #bypassReason(result: Digest): BypassReason | undefined {
    if (result.error) return "error";
    if (result.native) return "native";
    if (result.hinted !== undefined) return "realised";
    if (!result.text) return "nonText";
    return result.bytes < this.#settings.minBytes ? "small" : undefined;
  }

  #bypass(result: Digest, reason: BypassReason): void {
    const ref = reason === "native" ? this.#newestOfFile(result) : result.hinted;
    const named = reason === "native" || reason === "realised" ? ref : undefined;
    const event = { kind: "bypass" as const, ...head(result, this.partition), reason, ...(named && { ref: named }) };
    const stoodFor = named === undefined ? 0 : (this.#charsById.get(named) ?? 0);
    this.#decide({ event, result, savedChars: Math.max(0, stoodFor - result.chars), sweepHits: [] });
  }

  #lookUp(result: Digest): void {
    const fresh = heldResult(result);
    const sweepHits = this.#sweep?.take(fresh, result.body) ?? [];
    const held = this.#fates.get(fresh.fingerprint) === null ? this.#cache.check(fresh.fingerprint) : undefined;
    if (held !== undefined) {
      return this.#hit(result, "hit", held, renderHint(held, this.#settings.verbosity), sweepHits);
    }
    const near =
      this.#settings.nearRef && result.body !== undefined
        ? this.#cache.findNear(result.body, this.#compare)
        : undefined;
    // The new body is not cached: it was shown only as a hint, and a hint may only point at text that is really there.
    if (near) return this.#hit(result, "nearHit", near.entry, renderNearHint(near.entry.id, near.delta), sweepHits);
    this.#miss(result, fresh, sweepHits);
  }

  #hit(result: Digest, kind: "hit" | "nearHit", held: HeldResult, hint: string, sweepHits: SweepHit[]): void {
    const savedBytes = Math.max(0, result.bytes - utf8Length(hint));
    const savedChars = Math.max(0, result.chars - hint.length);
    const event = { kind, ...head(result, this.partition), ref: held.id, savedBytes };
    this.#decide({ event, result, savedChars, hint, sweepHits });
  }

  #miss(result: Digest, fresh: HeldResult, sweepHits: SweepHit[]): void {
    const fate = this.#fates.get(fresh.fingerprint) ?? { why: "new" as const };
    this.#decide({
      event: { kind: "miss", ...head(result, this.partition), ...fate },
      result,
      savedChars: 0,
      sweepHits,
    });
    const evicted = this.#cache.insert(fresh);
    this.#fates.set(fresh.fingerprint, null);
    if (evicted === undefined) return;
    this.#fates.set(evicted.fingerprint, { why: "evicted" });
    this.#sink.event({ kind: "evict", ...when(result, this.partition), id: evicted.id, cause: result.id });
  }

  #decide(decision: Decision): void {
    this.#sink.event(decision.event);
    this.#sink.decided(decision);
  }

  /** A stub or hint counts as long as the text it stands for, so that a chain of them keeps the true size. */
  #remember(result: Digest): void {
    const stoodFor = result.native ? this.#newestOfFile(result) : result.hinted;
    const chars = stoodFor === undefined ? undefined : this.#charsById.get(stoodFor);
    this.#charsById.set(result.id, chars ?? result.chars);
    if (result.path === undefined) return;
    const ofFile = this.#newestByFile.get(result.path);
    if (ofFile === undefined) this.#newestByFile.set(result.path, new Map([[result.tool, result.id]]));
    else ofFile.set(result.tool, result.id);
  }

  #newestOfFile({ path, tool }: Digest): string | undefined {
    return path === undefined ? undefined : this.#newestByFile.get(path)?.get(tool);
  }

  #takeRequest(request: RequestFact): void {
    this.#sink.request?.(request, this.partition);
    if (request.input === 0) return;
    if (request.input < this.#lastInput * SHRINK_SHARE) {
      const dropped = this.#drop({ why: "shrunk" }, () => true);
      this.#sink.event({ kind: "shrink", ...when(request, this.partition), dropped: ids(dropped) });
    }
    this.#lastInput = request.input;
  }

  #takeBoundary(boundary: BoundaryFact): void {
    this.#sink.boundary?.(boundary);
    const preserved = new Set(boundary.preserved);
    const survives = (entry: HeldResult) => preserved.has(entry.uuid);
    const dropped = this.#cache.compact(survives);
    this.#sweep?.drop(entry => !survives(entry));
    for (const entry of dropped) this.#fates.set(entry.fingerprint, { why: "compacted" });
    this.#lastInput = 0;
    this.#sink.event({
      kind: "boundary",
      ...when(boundary, this.partition),
      kept: ids(this.#cache.entries),
      dropped: ids(dropped),
    });
  }

  #takeClear(clear: ClearFact): void {
    const cleared = new Set(clear.ids);
    const dropped = this.#drop({ why: "cleared" }, entry => cleared.has(entry.id));
    if (clear.by === "microcompact") this.#lastInput = 0;
    if (dropped.length === 0) return;
    this.#sink.event({ kind: "clear", ...when(clear, this.partition), ids: ids(dropped), by: clear.by });
  }

  #takeRewind(rewind: RewindFact): void {
    const dropped = this.#drop({ why: "rewound" }, entry => entry.line > rewind.toLine);
    this.#sink.event({ kind: "rewind", ...when(rewind, this.partition), dropped: ids(dropped) });
  }

  #invalidate(result: Digest, by: "path" | "tool", condition: (entry: HeldResult) => boolean): void {
    for (const entry of this.#drop({ why: "invalidated", cause: result.id }, condition)) {
      this.#sink.event({ kind: "invalidate", ...when(result, this.partition), id: entry.id, cause: result.id, by });
    }
  }

  #drop(fate: Fate, condition: (entry: HeldResult) => boolean): HeldResult[] {
    this.#sweep?.drop(condition);
    const dropped = this.#cache.drop(condition);
    for (const entry of dropped) this.#fates.set(entry.fingerprint, fate);
    return dropped;
  }
}

function heldResult(result: Digest): HeldResult {
  const { id, tool, kind, path, uuid, line, target, bytes, chars, body } = result;
  return { fingerprint: result.fingerprint ?? "", id, tool, kind, path, uuid, line, target, bytes, chars, body };
}

function when({ line, at }: Place, partition: number): { line: number; at: string | null; partition: number } {
  return { line, at, partition };
}

function head(result: Digest, partition: number) {
  const { line, at, id, tool, bytes } = result;
  return { line, at, partition, id, tool, bytes };
}

function ids(entries: readonly HeldResult[]): string[] {
  return entries.map(entry => entry.id);
}

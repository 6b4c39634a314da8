import { utf8Length } from "../log/bytes.js";
import { hasShrunk } from "../log/contextRules.js";
import type { BoundaryFact, ClearFact, Place, RequestFact, RewindFact } from "../log/facts.js";
import { DedupCache, type Entry } from "./cache.js";
import type { Digest, ReplayFact } from "./digest.js";
import type { BypassReason, DedupEvent, ResultEvent } from "./events.js";
import { hintWithin, isTooShort } from "./hints.js";
import { hintOf, lookUp, type Outcome, store } from "./lookup.js";
import { mayBeNear, NearMatcher } from "./near.js";
import type { NewestRuns, OtherWays } from "./otherWays.js";
import { type Absence, type Fate, Past } from "./past.js";
import { Reach, type SavedReach } from "./reach.js";
import { type HeldText, NO_RUNS } from "./runs/contextRuns.js";
import type { Run } from "./runs/matcher.js";
import { ReplayRuns, runReferences } from "./runs/replayRuns.js";
import { compileInvalidation, type DedupSettings } from "./settings.js";
import { CapacitySweep, type SweepHit } from "./sweep.js";

/** A cached result with what a hint and an invalidation need to know of it. */
export interface HeldResult extends Entry {
  readonly uuid: string;
  readonly line: number;
  /** The byte at which its line begins. */
  readonly offset: number;
  /** How many results of its context came before it. */
  readonly order: number;
  /** The place of its call on the chain of parents; 0 where that is not known. */
  readonly callLine: number;
  readonly target: string;
  readonly bytes: number;
  readonly chars: number;
}

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
  /** A miss: the runs of its lines that would become hints. */
  readonly runs?: readonly Run[];
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

/** What a replay holds, as plain data: enough to decide on what comes next, though not to tell figures of the past. */
export interface SavedReplay {
  /** Oldest first. */
  readonly held: readonly HeldResult[];
  readonly partition: number;
  readonly requests: number;
  readonly lastInput: number;
  readonly hinted: ReadonlyMap<string, RealisedHint>;
  readonly reach: SavedReach;
}

/** The newest live hint that stood for a result. */
interface RealisedHint {
  /** The call that was answered by it. */
  readonly id: string;
  /** How many requests came before it. */
  readonly request: number;
}

export interface ReplayOptions {
  readonly sweep?: boolean;
  /** Replayed at the same time, by the same rules. Results must bring their texts where they may be near. */
  readonly others?: OtherWays | undefined;
  readonly resume?: SavedReplay | undefined;
  /** Nobody asks why a result is a miss, nor for the sweep. */
  readonly withoutReasons?: boolean;
}

const UNEXPLAINED: Absence = { why: "new" };

/** Replays one context: engine.md 2 and 3, rule by rule. */
export class ContextReplay {
  readonly #settings: DedupSettings;
  readonly #sink: ReplaySink;
  readonly #cache: DedupCache<HeldResult>;
  readonly #sweep: CapacitySweep | undefined;
  readonly #others: OtherWays | undefined;
  readonly #staleAfter: ReturnType<typeof compileInvalidation>;
  readonly #past: Past | undefined;
  readonly #reach: Reach;
  readonly #runs: ReplayRuns | undefined;
  /** Sizes of the results seen, by id, to tell what a stub or a live hint stands for. */
  readonly #charsById = new Map<string, number>();
  /** The newest result of each tool on each file: what a native stub stands for. */
  readonly #newestByFile = new Map<string, Map<string, string>>();
  readonly #matcher: NearMatcher;
  /** By the result that a live hint pointed at. */
  readonly #hinted: Map<string, RealisedHint>;
  #requests: number;
  #lastInput: number;
  /** Characters of explanation that no live hint has made up for yet. */
  #owedChars = 0;

  constructor(settings: DedupSettings, sink: ReplaySink, options: ReplayOptions = {}) {
    const { resume } = options;
    this.#settings = settings;
    this.#sink = sink;
    this.#cache = new DedupCache(settings.capacity, resume?.partition);
    for (const held of resume?.held ?? []) this.#cache.insert(held);
    this.#past = options.withoutReasons ? undefined : new Past();
    this.#reach = new Reach(resume?.reach);
    this.#runs = settings.runs || options.others ? new ReplayRuns(settings, this.#reach) : undefined;
    this.#others = options.others;
    this.#matcher = options.others?.matcher ?? new NearMatcher();
    this.#hinted = new Map(resume?.hinted);
    this.#requests = resume?.requests ?? 0;
    this.#lastInput = resume?.lastInput ?? 0;
    this.#sweep = options.sweep ? new CapacitySweep(settings.verbosity) : undefined;
    this.#staleAfter = compileInvalidation(settings.invalidates);
  }

  get partition(): number {
    return this.#cache.partition;
  }

  get state(): SavedReplay {
    const { entries: held, partition } = this.#cache;
    return {
      held,
      partition,
      requests: this.#requests,
      lastInput: this.#lastInput,
      hinted: this.#hinted,
      reach: this.#reach.state,
    };
  }

  get reach(): Reach {
    return this.#reach;
  }

  /** The results that a hint may point at, oldest first. */
  get held(): readonly HeldResult[] {
    return this.#cache.entries;
  }

  /** A hint to this result was given: it counts as used, as after a hit. */
  refresh(id: string): void {
    const held = this.#cache.entries.find(entry => entry.id === id);
    if (held !== undefined) this.#cache.check(held.fingerprint);
  }

  /** The text of a held result stands in the context once more: from now on hints point there. */
  renew(result: Digest): void {
    const fresh = this.#heldResult(result, this.#settings.nearRef);
    this.#cache.drop(entry => entry.fingerprint === fresh.fingerprint);
    this.#cache.insert(fresh);
  }

  take(fact: ReplayFact): void {
    switch (fact.fact) {
      case "result":
        return this.#takeResult(fact);
      case "request":
        return this.#takeRequest(fact);
      case "boundary":
        return this.#takeBoundary(fact);
      case "clear":
        return this.#takeClear(fact);
      case "rewind":
        return this.#takeRewind(fact);
      case "branch":
        return this.#reach.chain.branch(fact.call, fact.from);
      case "explanation":
        this.#owedChars += fact.chars;
        return;
      case "call":
        return this.#runs?.addCall(fact);
      default:
        fact satisfies never;
    }
  }

  #takeResult(result: Digest): void {
    if (result.kind === "mutate" && !result.error && result.path !== undefined) {
      this.#sweep?.invalidateFile(result.path);
      this.#others?.invalidateFile(result.path);
      this.#past?.invalidateFile(result.path, result.id);
      this.#invalidated(result, "path", this.#cache.invalidateFile(result.path));
    }
    const reason = this.#bypassReason(result);
    const text = this.#runs?.add(result);
    const newest = this.#others && text && this.#newestRuns(text, result);
    if (newest !== undefined) this.#others?.takeText(newest);
    if (reason !== undefined) this.#bypass(result, reason);
    else this.#lookUp(result, text, newest);
    this.#remember(result);
    this.#runs?.endResult(result);
    this.#reach.endResult(result);
    const stale = result.error ? undefined : this.#staleAfter(result.tool);
    if (stale !== undefined) {
      const fate: Fate = { why: "invalidated", cause: result.id };
      this.#invalidated(
        result,
        "tool",
        this.#drop(fate, entry => stale(entry.tool)),
      );
    }
    this.#sink.settled?.();
  }

  #bypassReason(result: Digest): BypassReason | undefined {
    if (result.error) return "error";
    if (result.native) return "native";
    if ((result.hinted ?? result.spanned) !== undefined) return "realised";
    if (!result.text) return "nonText";
    // Whether an edit was made must never be in doubt.
    if (result.kind === "mutate") return "mutation";
    return result.bytes < this.#settings.minBytes || isTooShort(result.chars, result.id) ? "small" : undefined;
  }

  #bypass(result: Digest, reason: BypassReason): void {
    const ref = reason === "native" ? this.#newestOfFile(result) : (result.hinted ?? result.spanned);
    const named = reason === "native" || reason === "realised" ? ref : undefined;
    const event = { kind: "bypass" as const, ...head(result, this.partition), reason, ...(named && { ref: named }) };
    // What span hints stand for is a part of other texts: how much it was, nobody remembers.
    const isWhole = reason === "native" || result.hinted !== undefined;
    const stoodFor = named !== undefined && isWhole ? (this.#charsById.get(named) ?? 0) : 0;
    const spared = Math.max(0, stoodFor - result.chars);
    const savedChars = reason === "realised" ? this.#afterDebts(spared) : spared;
    this.#decide({ event, result, savedChars, sweepHits: [] });
    if (result.hinted !== undefined && named) this.#hinted.set(named, { id: result.id, request: this.#requests });
  }

  /** What live hints cost to explain is taken off what they spare. */
  #afterDebts(spared: number): number {
    const paid = Math.min(spared, this.#owedChars);
    this.#owedChars -= paid;
    return spared - paid;
  }

  #newestRuns(text: HeldText, call: Digest): NewestRuns {
    return {
      find: way => this.#runs?.find(text, call, way) ?? NO_RUNS,
      hide: way => this.#runs?.hide(text, way),
    };
  }

  #lookUp(result: Digest, text: HeldText | undefined, newest: NewestRuns | undefined): void {
    const fresh = this.#heldResult(result, this.#settings.nearRef || this.#others !== undefined);
    const objectionTo = (entry: HeldResult) => this.#reach.objection(entry, fresh);
    const options = { objectionTo, matcher: this.#settings.nearRef ? this.#matcher : undefined };
    const unlimited = this.#past?.lookUp(fresh, options);
    const sweepHits = this.#sweep?.take(fresh, options) ?? [];
    this.#others?.take(fresh, objectionTo, newest);
    const outcome = lookUp(this.#cache, fresh, options);
    if (outcome.kind !== "miss") {
      if (text !== undefined) this.#runs?.hide(text);
      if (unlimited) this.#past?.store(fresh, unlimited);
      return this.#hit(result, outcome, sweepHits);
    }
    const absence = (unlimited && this.#past?.absence(fresh, unlimited)) ?? UNEXPLAINED;
    const runs = (this.#settings.runs && text && this.#runs?.find(text, fresh)) || NO_RUNS;
    // A text of which parts were replaced is not in the context in full: no hint may stand for the whole of it.
    if (runs.length > 0) return this.#miss(result, absence, sweepHits, runs);
    if (unlimited) this.#past?.store(fresh, unlimited);
    const evicted = store(this.#cache, fresh, outcome);
    this.#miss(result, absence, sweepHits, runs);
    if (evicted === undefined) return;
    this.#sink.event({ kind: "evict", ...when(result, this.partition), id: evicted.id, cause: result.id });
  }

  #hit(result: Digest, outcome: Exclude<Outcome, { kind: "miss" }>, sweepHits: SweepHit[]): void {
    const { kind, entry } = outcome;
    const hint = hintOf(outcome, this.#settings.verbosity, result.chars) ?? "";
    const savedBytes = Math.max(0, result.bytes - utf8Length(hint));
    const savedChars = Math.max(0, result.chars - hint.length);
    const event = { kind, ...head(result, this.partition), ref: entry.id, savedBytes };
    this.#decide({ event, result, savedChars, hint, sweepHits });
    if (kind === "hit") this.#tellReask(result, entry);
  }

  /** Right after a live hint stood for it, the same text was asked for again and given in full: the hint had cost. */
  #tellReask(result: Digest, { id: ref }: HeldResult): void {
    const hint = this.#hinted.get(ref);
    if (hint === undefined || this.#requests - hint.request !== 1) return;
    const event = { kind: "reask" as const, ...head(result, this.partition), ref, hint: hint.id };
    this.#sink.event({ ...event, savedBytes: -result.bytes });
  }

  #miss(result: Digest, { entry, ...fate }: Absence, sweepHits: SweepHit[], runs: readonly Run[]): void {
    const savedChars = runs.reduce((sum, run) => sum + run.savedChars, 0);
    const hintChars = entry && hintWithin(result.chars, entry, this.#settings.verbosity).length;
    this.#decide({
      event: { kind: "miss", ...head(result, this.partition), ...fate, ...(runs.length > 0 && runReferences(runs)) },
      result,
      savedChars,
      runs,
      ...(entry && { forgone: { ref: entry.id, chars: Math.max(0, result.chars - (hintChars ?? 0) - savedChars) } }),
      sweepHits,
    });
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
    if (!request.continued) {
      this.#requests++;
      this.#reach.beginMessage(request.line);
    }
    if (request.input === 0) return;
    if (hasShrunk(request.input, this.#lastInput)) {
      this.#runs?.clear();
      const dropped = this.#drop({ why: "shrunk" }, () => true);
      this.#sink.event({ kind: "shrink", ...when(request, this.partition), dropped: ids(dropped) });
    }
    this.#lastInput = request.input;
  }

  #takeBoundary(boundary: BoundaryFact): void {
    this.#sink.boundary?.(boundary);
    this.#runs?.clear();
    const preserved = new Set(boundary.preserved);
    const survives = (entry: HeldResult) => preserved.has(entry.uuid);
    this.#dropElsewhere({ why: "compacted" }, entry => !survives(entry));
    const dropped = this.#cache.compact(survives);
    this.#lastInput = 0;
    this.#hinted.clear();
    this.#sink.event({
      kind: "boundary",
      ...when(boundary, this.partition),
      kept: ids(this.#cache.entries),
      dropped: ids(dropped),
    });
  }

  #takeClear(clear: ClearFact): void {
    const cleared = clear.ids === "all" ? undefined : new Set(clear.ids);
    this.#runs?.drop(source => cleared?.has(source.id) ?? true);
    const dropped = this.#drop({ why: "cleared" }, entry => cleared?.has(entry.id) ?? true);
    this.#lastInput = 0;
    if (dropped.length === 0) return;
    this.#sink.event({ kind: "clear", ...when(clear, this.partition), ids: ids(dropped), by: clear.by });
  }

  #takeRewind(rewind: RewindFact): void {
    this.#runs?.drop(source => source.logLine > rewind.toLine);
    const dropped = this.#drop({ why: "rewound" }, entry => entry.line > rewind.toLine);
    this.#lastInput = 0;
    this.#sink.event({ kind: "rewind", ...when(rewind, this.partition), dropped: ids(dropped) });
  }

  #heldResult(result: Digest, nearRef: boolean): HeldResult {
    const { fingerprint = "", id, tool, kind, path, uuid, line, offset, callLine, target, bytes, chars } = result;
    const body = nearRef && result.body !== undefined && mayBeNear(result.body) ? result.body : undefined;
    const { order } = this.#reach;
    return { fingerprint, id, tool, kind, path, uuid, line, offset, order, callLine, target, bytes, chars, body };
  }

  #invalidated(result: Digest, by: "path" | "tool", entries: readonly HeldResult[]): void {
    for (const { id } of entries) {
      this.#sink.event({ kind: "invalidate", ...when(result, this.partition), id, cause: result.id, by });
    }
  }

  #drop(fate: Fate, condition: (entry: HeldResult) => boolean): HeldResult[] {
    this.#dropElsewhere(fate, condition);
    return this.#cache.drop(condition);
  }

  #dropElsewhere(fate: Fate, condition: (entry: HeldResult) => boolean): void {
    this.#past?.drop(condition, fate);
    this.#sweep?.drop(condition);
    this.#others?.drop(condition);
  }
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

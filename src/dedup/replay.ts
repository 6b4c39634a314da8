import { utf8Length } from "../log/bytes.js";
import { hasShrunk } from "../log/contextRules.js";
import type { BoundaryFact, ClearFact, RequestFact, RewindFact } from "../log/facts.js";
import { DedupCache, type Entry } from "./cache.js";
import type { Decision, ReplayOptions, ReplaySink, SavedReplay } from "./decision.js";
import type { Digest, ReplayFact } from "./digest.js";
import { type NumberedLines, ShownForms } from "./door.js";
import { EarlyClears } from "./earlyClears.js";
import { wholeEmission } from "./emission.js";
import { type BypassReason, headOf, placeOf } from "./events.js";
import { Fallback } from "./fallback.js";
import { hintWithin, isTooShort } from "./hints.js";
import { hintOf, lookUp, type Outcome, store } from "./lookup.js";
import { mayBeNear, NearMatcher } from "./near.js";
import type { NewestRuns, OtherWays } from "./otherWays.js";
import { type Absence, type Fate, Past } from "./past.js";
import { Reach } from "./reach.js";
import { type HeldText, NO_RUNS } from "./runs/contextRuns.js";
import type { Run } from "./runs/matcher.js";
import { ReplayRuns, runReferences } from "./runs/replayRuns.js";
import { compileInvalidation, type DedupSettings } from "./settings.js";
import { StandIns } from "./standIns.js";
import { CapacitySweep, type SweepHit } from "./sweep.js";

/** A cached result with what hints and invalidation need. */
export interface HeldResult extends Entry {
  readonly uuid: string;
  readonly line: number;
  /** The byte offset of its line. */
  readonly offset: number;
  /** How many results of its context came before it. */
  readonly order: number;
  /** The place of its call on the parent chain; 0 if unknown. */
  readonly callLine: number;
  readonly target: string;
  /** The size of what a hint to it replaces. */
  readonly bytes: number;
  readonly chars: number;
}

/** Replays one context, rule by rule: docs/rules.md, "What happens to a result" and "What ends reachability". */
export class ContextReplay {
  readonly #settings: DedupSettings;
  readonly #sink: ReplaySink;
  readonly #cache: DedupCache<HeldResult>;
  readonly #sweep: CapacitySweep | undefined;
  readonly #others: OtherWays | undefined;
  readonly #staleAfter: ReturnType<typeof compileInvalidation>;
  readonly #past: Past | undefined;
  readonly #reach: Reach;
  readonly #runs: ReplayRuns;
  readonly #forms: ShownForms;
  #isGiven: boolean;
  readonly #standIns: StandIns;
  readonly fallback: Fallback;
  readonly #matcher: NearMatcher;
  readonly #earlyClears: EarlyClears;
  #requests: number;
  #lastInput: number;

  constructor(settings: DedupSettings, sink: ReplaySink, options: ReplayOptions = {}) {
    const { resume } = options;
    this.#settings = settings;
    this.#sink = sink;
    this.#cache = new DedupCache(settings.capacity, resume?.partition);
    for (const held of resume?.held ?? []) this.#cache.insert(held);
    this.#past = options.withoutReasons ? undefined : new Past();
    this.#reach = new Reach(resume?.reach);
    // Even if runs are off: what live hints in the log replaced does not depend on the settings.
    this.#runs = new ReplayRuns(settings, this.#reach, { saved: resume?.runs, wanted: options.wanted });
    this.#forms = new ShownForms(resume?.forms);
    this.#isGiven = options.asGiven ?? false;
    this.#others = options.others;
    this.#matcher = options.others?.matcher ?? new NearMatcher();
    this.#standIns = new StandIns(this.#runs, resume?.hinted);
    this.fallback = new Fallback(resume?.fallback);
    this.#earlyClears = new EarlyClears(resume?.earlyClears);
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
      hinted: this.#standIns.hinted,
      fallback: this.fallback.state,
      earlyClears: this.#earlyClears.state,
      reach: this.#reach.state,
      runs: this.#runs.state,
      forms: this.#forms.state,
    };
  }

  get reach(): Reach {
    return this.#reach;
  }

  /** The results that hints may point at, oldest first. */
  get held(): readonly HeldResult[] {
    return this.#cache.entries;
  }

  #refresh(id: string): void {
    const held = this.#cache.entries.find(entry => entry.id === id);
    if (held !== undefined) this.#cache.refresh(held);
  }

  /** The text of a held result is in the context again: from now on, hints point there. */
  renew(result: Digest): void {
    const fresh = this.#heldResult(result, this.#settings.nearRef);
    this.#cache.drop(entry => entry.fingerprint === fresh.fingerprint);
    this.#cache.insert(fresh);
  }

  /** How many answers the model has given. */
  get requests(): number {
    return this.#requests;
  }

  /** Whether results must bring their texts. */
  get needsBodies(): boolean {
    return this.#settings.nearRef;
  }

  /** The oldest call, by its place on the parent chain, whose result or input a hint may point at. */
  get oldestCall(): number {
    const older = (line: number, { callLine }: HeldResult) => Math.min(line, callLine || Number.POSITIVE_INFINITY);
    return this.#cache.entries.reduce(older, this.#runs.oldestCall);
  }

  /** Restores the texts that near-references need. */
  recall(bodyOf: (held: HeldResult) => string | undefined): void {
    for (const held of this.#cache.entries) this.#cache.replace(held, { ...held, body: bodyOf(held) });
  }

  /** The byte offset of the log line with a call's result or input. */
  offsetOf(id: string, input: string | undefined): number | undefined {
    const held = input === undefined ? this.#cache.entries.find(entry => entry.id === id) : undefined;
    return held?.offset ?? this.#runs.offsetOf(id, input);
  }

  /** Decides on a result that is not in the log yet. */
  answer(result: Digest): void {
    this.#isGiven = false;
    this.#takeResult(result);
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
        return this.#standIns.owe(fact.chars);
      case "answer":
        return this.#sink.answer?.(fact);
      case "call":
        return this.#runs.addCall(fact);
      default:
        fact satisfies never;
    }
  }

  #takeResult(given: Digest): void {
    const result = this.#settings.door === "hooks" ? this.#forms.seen(given, this.#reach.messageLine) : given;
    if (result.kind === "mutate" && !result.error && result.path !== undefined) {
      this.#sweep?.invalidateFile(result.path);
      this.#others?.invalidateFile(result.path);
      this.#past?.invalidateFile(result.path, result.id);
      this.#invalidated(result, "path", this.#cache.invalidateFile(result.path));
    }
    const asked = this.fallback.answered(result);
    if (asked !== undefined) this.#sink.askedAgain?.(asked);
    const reason = this.#bypassReason(result);
    const text = this.#runs.add(result);
    const newest = this.#others && text && this.#newestRuns(text, result);
    if (newest !== undefined) this.#others?.takeText(newest);
    if (reason !== undefined) this.#bypass(result, reason);
    else this.#lookUp(result, text, newest);
    this.#standIns.remember(result);
    this.#runs.endResult(result);
    this.#reach.endResult(result);
    const stale = result.error ? undefined : this.#staleAfter(result.tool);
    if (stale !== undefined) {
      const dropped = this.#drop({ why: "invalidated", cause: result.id }, entry => stale(entry.tool));
      this.#invalidated(result, "tool", dropped);
    }
    this.#sink.settled?.();
    const by = this.#earlyClears.take(result.id);
    if (by !== undefined) this.#takeClear({ ...result, fact: "clear", ids: [result.id], by });
  }

  #bypassReason(result: Digest): BypassReason | undefined {
    if (result.error) return "error";
    if (result.native) return "native";
    if (result.hints.length > 0) return "realised";
    if (!result.text) return "nonText";
    // There must never be any doubt whether an edit was made.
    if (result.kind === "mutate") return "mutation";
    return result.bytes < this.#settings.minBytes || isTooShort(result.chars, result.id) ? "small" : undefined;
  }

  #bypass(result: Digest, reason: BypassReason): void {
    const named = this.#standIns.named(result, reason);
    const event = { kind: "bypass" as const, ...headOf(result, this.partition), reason, ...(named && { ref: named }) };
    this.#decide({ event, result, savedChars: this.#standIns.savedChars(result, reason), sweepHits: [] });
    if (reason !== "realised") return;
    this.fallback.hint(result);
    this.#standIns.noteHint(result, this.#requests);
    // A live hint was a hit: what it refers to becomes the most recent.
    if (this.#isGiven && result.hints[0]?.kind === "whole") this.#refresh(result.hints[0].id);
  }

  #newestRuns(text: HeldText, call: Digest): NewestRuns {
    return {
      find: way => this.#runs.find(text, call, way),
      hide: way => this.#runs.hide(text, way),
    };
  }

  #lookUp(result: Digest, text: HeldText | undefined, newest: NewestRuns | undefined): void {
    if (this.#isGiven) return this.renew(result);
    const fresh = this.#heldResult(result, this.#settings.nearRef || this.#others !== undefined);
    const { level } = this.fallback;
    const isFixed = this.#settings.door === "hooks" && result.hooked === undefined;
    const always = level === "none" ? "stopped" : isFixed ? "fixed" : undefined;
    const objectionTo = (entry: HeldResult) => this.#reach.objection(entry, fresh) ?? always;
    const options = { objectionTo, matcher: this.#settings.nearRef ? this.#matcher : undefined };
    const unlimited = this.#past?.lookUp(fresh, options);
    const sweepHits = this.#sweep?.take(fresh, options) ?? [];
    const numbered = this.#numberedIn(result);
    this.#others?.take(fresh, { objectionTo, newest: level === "all" ? newest : undefined, numbered });
    const outcome = lookUp(this.#cache, fresh, options);
    if (outcome.kind !== "miss") {
      if (text !== undefined) this.#runs.hide(text);
      if (unlimited) this.#past?.store(fresh, unlimited);
      return this.#hit(result, fresh, outcome, sweepHits);
    }
    const absence: Absence = (unlimited && this.#past?.absence(fresh, unlimited)) ?? { why: "new" };
    const searched = this.#settings.runs && level === "all" ? text : undefined;
    const runs = searched ? this.#runs.find(searched, result) : NO_RUNS;
    // A text with replaced parts is not in the context in full: no hint may refer to all of it.
    if (runs.length > 0) return this.#miss(result, fresh, absence, sweepHits, runs);
    if (unlimited) this.#past?.store(fresh, unlimited);
    const evicted = store(this.#cache, fresh, outcome);
    this.#miss(result, fresh, absence, sweepHits, runs);
    if (evicted === undefined) return;
    this.#sink.event({ kind: "evict", ...placeOf(result, this.partition), id: evicted.id, cause: result.id });
  }

  #hit(
    result: Digest,
    { bytes, chars }: HeldResult,
    outcome: Exclude<Outcome, { kind: "miss" }>,
    sweepHits: SweepHit[],
  ): void {
    const { kind, entry } = outcome;
    const hint = hintOf(outcome, this.#settings.verbosity, chars) ?? "";
    const savedBytes = Math.max(0, bytes - utf8Length(hint));
    const savedChars = Math.max(0, chars - hint.length);
    const event = { kind, ...headOf(result, this.partition), ref: entry.id, savedBytes };
    this.#decide({ event, result, savedChars, ...wholeEmission(hint, this.#numberedIn(result)), sweepHits });
    if (kind === "hit") this.#tellReask(result, entry);
  }

  /** Right after a live hint replaced it, the same text was asked for again and given in full: the hint cost tokens. */
  #tellReask(result: Digest, { id: ref }: HeldResult): void {
    const hint = this.#standIns.hintBefore(ref, this.#requests);
    if (hint === undefined) return;
    const event = { kind: "reask" as const, ...headOf(result, this.partition), ref, hint };
    this.#sink.event({ ...event, savedBytes: -result.bytes });
  }

  /** The result's lines that Claude Code numbers itself when hooks replace them. */
  #numberedIn({ hooked }: Digest): NumberedLines | undefined {
    return this.#settings.door === "hooks" ? hooked?.numbered : undefined;
  }

  #miss(
    result: Digest,
    fresh: HeldResult,
    { entry, ...fate }: Absence,
    sweepHits: SweepHit[],
    runs: readonly Run[],
  ): void {
    const savedChars = runs.reduce((sum, run) => sum + run.savedChars, 0);
    const hintChars = entry && hintWithin(fresh.chars, entry, this.#settings.verbosity).length;
    this.#decide({
      event: { kind: "miss", ...headOf(result, this.partition), ...fate, ...(runs.length > 0 && runReferences(runs)) },
      result,
      savedChars,
      runs,
      ...(entry && { forgone: { ref: entry.id, chars: Math.max(0, fresh.chars - (hintChars ?? 0) - savedChars) } }),
      sweepHits,
    });
  }

  #decide(decision: Decision): void {
    this.#sink.event(decision.event);
    this.#sink.decided(decision);
  }

  #takeRequest(request: RequestFact): void {
    this.#sink.request?.(request, this.partition);
    if (!request.continued) {
      this.#reach.beginMessage(request.line);
      const fall = this.fallback.turnTo(++this.#requests);
      if (fall !== undefined) this.#sink.event({ kind: "fallback", ...placeOf(request, this.partition), ...fall });
    }
    if (request.input === 0) return;
    if (hasShrunk(request.input, this.#lastInput)) {
      this.#runs.clear();
      const dropped = this.#drop({ why: "shrunk" }, () => true);
      this.#sink.event({ kind: "shrink", ...placeOf(request, this.partition), dropped: ids(dropped) });
    }
    this.#lastInput = request.input;
  }

  #takeBoundary(boundary: BoundaryFact): void {
    this.#sink.boundary?.(boundary);
    this.#reach.beginPartition(boundary.line);
    this.#runs.clear();
    const preserved = new Set(boundary.preserved);
    const survives = (entry: HeldResult) => preserved.has(entry.uuid);
    this.#dropElsewhere({ why: "compacted" }, entry => !survives(entry));
    const dropped = this.#cache.compact(survives);
    this.#lastInput = 0;
    this.#standIns.forgetHints();
    this.fallback.forget();
    const kept = ids(this.#cache.entries);
    this.#sink.event({ kind: "boundary", ...placeOf(boundary, this.partition), kept, dropped: ids(dropped) });
  }

  #takeClear(clear: ClearFact): void {
    const cleared = clear.ids === "all" ? undefined : new Set(clear.ids);
    this.#earlyClears.note(cleared ?? [], clear.by, id => this.#standIns.knows(id));
    this.#runs.drop(source => cleared?.has(source.id) ?? true);
    const dropped = this.#drop({ why: "cleared" }, entry => cleared?.has(entry.id) ?? true);
    this.#lastInput = 0;
    if (dropped.length === 0) return;
    this.#sink.event({ kind: "clear", ...placeOf(clear, this.partition), ids: ids(dropped), by: clear.by });
  }

  #takeRewind(rewind: RewindFact): void {
    this.#runs.drop(source => source.logLine > rewind.toLine);
    const dropped = this.#drop({ why: "rewound" }, entry => entry.line > rewind.toLine);
    this.#lastInput = 0;
    this.#sink.event({ kind: "rewind", ...placeOf(rewind, this.partition), dropped: ids(dropped) });
  }

  #heldResult(result: Digest, nearRef: boolean): HeldResult {
    const { fingerprint = "", id, tool, kind, path, uuid, line, offset, callLine, target } = result;
    const numbered = this.#numberedIn(result);
    const bytes = result.bytes - (numbered ? numbered.keptBytes + utf8Length(numbered.prefix) : 0);
    const chars = numbered ? numbered.end - numbered.begin - numbered.prefix.length : result.chars;
    const body = nearRef && result.body !== undefined && mayBeNear(result.body) ? result.body : undefined;
    const { order } = this.#reach;
    return { fingerprint, id, tool, kind, path, uuid, line, offset, order, callLine, target, bytes, chars, body };
  }

  #invalidated(result: Digest, by: "path" | "tool", entries: readonly HeldResult[]): void {
    for (const { id } of entries) {
      this.#sink.event({ kind: "invalidate", ...placeOf(result, this.partition), id, cause: result.id, by });
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

function ids(entries: readonly HeldResult[]): string[] {
  return entries.map(entry => entry.id);
}

/**
 * The rules, a second time: src/dedup/replay.ts for figures, with numbers instead of objects. Every file of this folder
 * follows the one that it names, name by name and method by method; the reasons given there are not repeated here.
 * test/unit/kernel compares the two, as does `npm run fuzz` on random sessions: they produce identical rows.
 * Anything only for live hints, details, near-references in use or settings hooks is not here.
 */
import {
  BYPASS_ERROR,
  BYPASS_MUTATION,
  BYPASS_NATIVE,
  BYPASS_NON_TEXT,
  BYPASS_REALISED,
  BYPASS_SMALL,
  FALLBACK_MARK,
  HIT,
  MISS_CLEARED,
  MISS_COMPACTED,
  MISS_INVALIDATED,
  MISS_REWOUND,
  MISS_SHRUNK,
  MISS_STOPPED,
  MUTATE_TOOL,
  REWIND_MARK,
  ROW_CAUSE,
  ROW_EARLIER,
  ROW_FORGONE_CHARS,
  ROW_RUNS,
  SHRINK_MARK,
} from "../layout";
import { ContextRuns } from "./contextRuns";
import { Details } from "./details";
import { Cache, cacheOf, dropped } from "./entries";
import { hintBytes, hintChars, isTooShort, measureHint } from "./hints";
import { everythingLeaves, laterLeaves, name, namedLeaves, staleLeaves } from "./leaving";
import { Table } from "./lists";
import { Outcome, Past } from "./lookup";
import { forgetRuns, longestId, runs, savedBytes, savedChars } from "./matcher";
import { OtherWays } from "./otherWays";
import { FREE, Reach } from "./reach";
import { Recorder } from "./recorder";
import { Entry, heldResult, Result } from "./result";
import { Source } from "./runIndex";
import { capacity, invalidates, minBytes, verbosity, runs as withRuns } from "./settings";
import { ALL_HINTS, Fallback, NO_HINTS, StandIns } from "./standIns";
import { Sweep } from "./sweep";
import { withDetails, withSweep, withWays } from "./wrapper";

const NOT_BYPASSED: i32 = -1;
/** src/dedup/earlyClears.ts. */
const MAX_CLEARED_EARLY: i32 = 4096;

/** Replays one context. */
export class ContextReplay {
  /** The context's name. */
  id: i32;
  recorder: Recorder = new Recorder();
  cache: Cache = cacheOf(<i32>capacity);
  sweep: Sweep | null = withSweep ? new Sweep() : null;
  past: Past = new Past();
  reach: Reach;
  runs: ContextRuns;
  ways: OtherWays | null;
  details: Details | null;
  standIns: StandIns = new StandIns();
  fallback: Fallback = new Fallback();
  outcome: Outcome = new Outcome();
  requests: i32 = 0;
  lastInput: f64 = 0;
  /** How results were cleared before they were read, plus 1, and how many there are. */
  clearedEarly: Table = new Table();
  early: i32 = 0;

  constructor(id: i32, result: Result) {
    const reach = new Reach();
    this.id = id;
    const lines = new ContextRuns(reach, result);
    this.reach = reach;
    this.runs = lines;
    this.ways = withWays ? new OtherWays(id, reach, lines) : null;
    this.details = withDetails ? new Details(this.recorder) : null;
  }

  takeResult(result: Result): void {
    const recorder = this.recorder;
    const ways = this.ways;
    const details = this.details;
    if (ways !== null) ways.begin();
    if (result.kind === MUTATE_TOOL && !result.error && result.path >= 0) {
      const sweep = this.sweep;
      if (sweep !== null) sweep.invalidateFile(result.path);
      if (ways !== null) ways.invalidateFile(result.path);
      this.past.invalidateFile(result.path, MISS_INVALIDATED, result.id);
      this.cache.invalidateFile(result.path);
      recorder.invalidations += dropped.length;
      if (details !== null) details.invalidated(false);
    }
    if (details !== null) details.addRow(result);
    const asked = this.fallback.answered(result);
    if (asked >= 0) recorder.askedAgain(asked);
    const reason = bypassReason(result);
    const text = this.runs.add(result);
    if (ways !== null && text !== null) ways.takeText(text, result);
    if (reason !== NOT_BYPASSED) this.bypass(result, reason);
    else this.lookUp(result, text);
    this.standIns.remember(result);
    this.runs.endResult(result);
    this.reach.endResult(result);
    if (invalidates && !result.error) {
      staleLeaves(result.tool);
      this.drop(MISS_INVALIDATED, result.id);
      recorder.invalidations += dropped.length;
      if (details !== null) details.invalidated(true);
    }
    recorder.settled();
    const by = this.early === 0 ? 0 : <i32>this.clearedEarly.get(result.id);
    if (by === 0) return;
    this.clearedEarly.set(result.id, 0);
    this.early--;
    namedLeaves();
    name(result.id);
    this.takeClear(by - 1);
  }

  bypass(result: Result, reason: i32): void {
    const named = this.standIns.named(result, reason);
    this.recorder.addRow(result, reason, named, 0, this.standIns.savedChars(result, reason, this.runs));
    if (reason !== BYPASS_REALISED) return;
    this.fallback.hint(result);
    this.standIns.noteHint(result, this.requests);
  }

  lookUp(result: Result, text: Source | null): void {
    const recorder = this.recorder;
    const fresh = heldResult(result, this.reach.order);
    const level = this.fallback.level;
    const always = level === NO_HINTS ? MISS_STOPPED : FREE;
    const past = this.past;
    past.outcome.lookUp(past.cache, fresh, this.reach, always);
    const sweep = this.sweep;
    if (sweep !== null) sweep.take(fresh, this.reach, always, recorder.sweep, recorder.count);
    const ways = this.ways;
    if (ways !== null) ways.take(fresh, always, level === ALL_HINTS ? text : null, result);
    const outcome = this.outcome;
    const lines = this.runs;
    outcome.lookUp(this.cache, fresh, this.reach, always);
    if (outcome.kind === HIT) {
      if (text !== null) lines.hideAll(text, lines.inForce);
      past.store(fresh);
      return this.hit(result, outcome.entry!);
    }
    past.absence(fresh.fingerprint);
    if (text !== null && withRuns && level === ALL_HINTS) lines.find(text, result, lines.inForce);
    else forgetRuns();
    // A text with replaced parts is not in the context in full: no hint may refer to all of it.
    if (runs > 0) return this.miss(result);
    past.store(fresh);
    const evicted = outcome.store(this.cache, fresh);
    this.miss(result);
    if (evicted !== null) recorder.evicted(evicted.id);
  }

  hit(result: Result, entry: Entry): void {
    measureHint(result.chars, entry, verbosity);
    const bytes = max<i32>(0, result.bytes - hintBytes);
    this.recorder.addRow(result, HIT, entry.id, bytes, max<i32>(0, result.chars - hintChars));
    // Right after a live hint replaced it, the same text was asked for again.
    const hint = this.standIns.hintBefore(entry.id, this.requests);
    if (hint >= 0) this.recorder.reasked(hint);
  }

  miss(result: Result): void {
    const past = this.past;
    const recorder = this.recorder;
    recorder.addRow(result, past.why, longestId, savedBytes, savedChars);
    recorder.set(ROW_RUNS, runs);
    const details = this.details;
    if (details !== null && runs > 0) details.addSources();
    recorder.set(ROW_CAUSE, recorder.rowOf(past.cause));
    const entry = past.entry;
    if (entry === null) return;
    measureHint(result.chars, entry, verbosity);
    recorder.set(ROW_EARLIER, recorder.rowOf(entry.id));
    recorder.set(ROW_FORGONE_CHARS, max<i32>(0, result.chars - hintChars - savedChars));
  }

  takeRequest(line: i32, continued: bool, input: f64): void {
    const details = this.details;
    if (!continued) {
      this.reach.messageLine = line;
      this.requests++;
      const fallback = this.fallback;
      if (fallback.turn() && details !== null) {
        details.begin(FALLBACK_MARK);
        details.marks.push(fallback.level);
        details.marks.push(fallback.fellHinted);
        details.marks.push(fallback.fellAsked);
      }
    }
    if (input === 0) return;
    // A context that shrinks by more than a tenth has lost something that the log does not mention.
    if (input < this.lastInput * 0.9) {
      this.runs.index.clear();
      everythingLeaves();
      this.drop(MISS_SHRUNK, -1);
      if (details !== null) details.lost(SHRINK_MARK);
    }
    this.lastInput = input;
  }

  /** `unnamedLeaves` determines what is preserved. */
  takeBoundary(line: i32, trigger: i32, preTokens: f64, postTokens: f64): void {
    this.reach.boundaryLine = line;
    this.runs.index.clear();
    this.drop(MISS_COMPACTED, -1);
    this.lastInput = 0;
    this.standIns.forgetHints();
    this.fallback.forget();
    this.recorder.beginPartition();
    const details = this.details;
    if (details !== null) details.bounded(trigger, preTokens, postTokens, this.cache);
  }

  /** `namedLeaves` or `everythingLeaves` determines what is cleared. */
  takeClear(by: i32): void {
    this.leave(MISS_CLEARED);
    const details = this.details;
    if (details !== null) details.cleared(by);
  }

  noteCleared(id: i32, by: i32): void {
    const isEarly = this.recorder.rowOf(id) === 0 && this.clearedEarly.get(id) === 0;
    if (!isEarly || this.early >= MAX_CLEARED_EARLY) return;
    this.clearedEarly.set(id, by + 1);
    this.early++;
  }

  takeRewind(toLine: i32): void {
    laterLeaves(toLine);
    this.leave(MISS_REWOUND);
    const details = this.details;
    if (details !== null) details.lost(REWIND_MARK);
  }

  leave(why: i32): void {
    this.runs.index.drop();
    this.drop(why, -1);
    this.lastInput = 0;
  }

  drop(why: i32, cause: i32): void {
    this.past.drop(why, cause);
    const sweep = this.sweep;
    if (sweep !== null) sweep.drop();
    const ways = this.ways;
    if (ways !== null) ways.drop();
    this.cache.drop();
  }
}

function bypassReason(result: Result): i32 {
  if (result.error) return BYPASS_ERROR;
  if (result.native) return BYPASS_NATIVE;
  if (result.hints > 0) return BYPASS_REALISED;
  if (!result.text) return BYPASS_NON_TEXT;
  if (result.kind === MUTATE_TOOL) return BYPASS_MUTATION;
  return <f64>result.bytes < minBytes || isTooShort(result.chars, result.id) ? BYPASS_SMALL : NOT_BYPASSED;
}

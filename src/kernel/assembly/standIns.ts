/** Texts in a log that stand for others: Claude Code's stubs and live hints: src/dedup/standIns.ts and fallback.ts. */
import { BYPASS_NATIVE, BYPASS_REALISED, HINT_ID } from "../layout";
import { ContextRuns } from "./contextRuns";
import { List, pair, Table } from "./lists";
import { Result } from "./result";

export class StandIns {
  /** Sizes of the results seen, by id, plus 1. */
  charsById: Table = new Table();
  /** By file and tool, the newest result, plus 1, which a native stub stands for. */
  newestByFile: Table = new Table();
  /** By the result that a live hint pointed at: the call that it answered, and the requests before it, plus 1. */
  hinted: Table = new Table();
  hintedAt: Table = new Table();
  /** Characters of the explanation that live hints have not made up for yet. */
  owedChars: f64 = 0;

  /** The call whose text a result stands for; negative if none. */
  named(result: Result, reason: i32): i32 {
    if (reason === BYPASS_NATIVE) return this.newestOfFile(result);
    return reason === BYPASS_REALISED && result.hints > 0 ? <i32>result.hint(0, HINT_ID) : -1;
  }

  /** Characters saved: the replaced text, minus what replaced it, minus the cost of explaining live hints. */
  savedChars(result: Result, reason: i32, runs: ContextRuns): f64 {
    const named = this.named(result, reason);
    const isPartial = result.isPartial;
    let saved: f64 = 0;
    if (isPartial) saved = runs.savedBy(result);
    else if (named >= 0) {
      const known = this.charsById.get(named);
      saved = <f64>(known === 0 ? 0 : known - 1) - <f64>result.chars;
    }
    saved = max<f64>(0, saved);
    if (reason !== BYPASS_REALISED) return saved;
    const paid = min<f64>(saved, this.owedChars);
    this.owedChars -= paid;
    return saved - paid;
  }

  /** A live hint for a whole text was given after this many requests. */
  noteHint(result: Result, request: i32): void {
    if (result.hints === 0 || result.isPartial) return;
    const id = <i32>result.hint(0, HINT_ID);
    this.hinted.set(id, result.id + 1);
    this.hintedAt.set(id, request + 1);
  }

  /** The call that a live hint to this result answered in the previous request; negative if none. */
  hintBefore(id: i32, requests: i32): i32 {
    const hint = this.hinted.get(id);
    return hint !== 0 && requests - (<i32>this.hintedAt.get(id) - 1) === 1 ? <i32>hint - 1 : -1;
  }

  /** A stub or hint counts as long as the text it stands for, so that a chain of them keeps the true size. */
  remember(result: Result): void {
    const hinted = result.hints === 0 || result.isPartial ? -1 : <i32>result.hint(0, HINT_ID);
    const stoodFor = result.native ? this.newestOfFile(result) : hinted;
    const chars = stoodFor < 0 ? 0 : this.charsById.get(stoodFor);
    this.charsById.set(result.id, chars !== 0 ? chars : result.chars + 1);
    if (result.path >= 0) this.newestByFile.set(pair(result.path, result.tool), result.id + 1);
  }

  forgetHints(): void {
    this.hinted.clear();
  }

  newestOfFile(result: Result): i32 {
    return result.path < 0 ? -1 : <i32>this.newestByFile.get(pair(result.path, result.tool)) - 1;
  }
}

/** Hints for whole results and runs of lines, for whole results only, or none. */
export const ALL_HINTS: i32 = 0;
export const NO_HINTS: i32 = 2;

/** With fewer hinted results, a habit cannot be distinguished from chance. */
const MIN_HINTED: i32 = 10;
const MAX_ASKED_SHARE: f64 = 0.15;

/** A call that was answered with hints. */
class HintedCall {
  id: i32 = 0;
  tool: i32 = 0;
  /** Its path, or whatever else it is about. */
  path: i32 = 0;
  target: i32 = 0;
  hasRange: bool = false;
  rangeFrom: i32 = 0;
  rangeLines: i32 = 0;
  /** A later one with the same key. */
  next: HintedCall | null = null;

  /** The same tool with the same subject. */
  isAskedBy(call: Result): bool {
    if (this.tool !== call.tool || this.path !== call.path || (call.path < 0 && this.target !== call.target))
      return false;
    if (this.hasRange !== call.hasRange) return false;
    return !call.hasRange || (this.rangeFrom === call.rangeFrom && this.rangeLines === call.rangeLines);
  }
}

/** Live hints regulate themselves: if a model often asks again for what hints replaced, it gets fewer. */
export class Fallback {
  level: i32 = ALL_HINTS;
  hinted: i32 = 0;
  asked: i32 = 0;
  /** The counts that made hints fall back last. */
  fellHinted: i32 = 0;
  fellAsked: i32 = 0;
  now: List<usize> = new List<usize>();
  /** By key, the first one. Never scanned on a call. */
  before: Table = new Table();

  /** A request begins. Returns whether hints fall back. */
  turn(): bool {
    this.before.clear();
    for (let at = this.now.length - 1; at >= 0; at--) {
      const known = changetype<HintedCall>(this.now.get(at));
      const key = keyOf(known.tool, known.path, known.target, known.rangeFrom, known.rangeLines);
      known.next = changetype<HintedCall | null>(<usize>this.before.get(key));
      this.before.set(key, <u32>changetype<usize>(known));
    }
    this.now.length = 0;
    if (this.level === NO_HINTS || this.hinted < MIN_HINTED) return false;
    if (<f64>this.asked <= <f64>this.hinted * MAX_ASKED_SHARE) return false;
    this.level++;
    this.fellHinted = this.hinted;
    this.fellAsked = this.asked;
    this.hinted = this.asked = 0;
    return true;
  }

  /** A call was answered. Returns the previous hinted call that it repeats, if any. */
  answered(call: Result): i32 {
    if (this.before.used === 0) return -1;
    const key = keyOf(call.tool, call.path, call.target, call.rangeFrom, call.rangeLines);
    let known = changetype<HintedCall | null>(<usize>this.before.get(key));
    let previous: HintedCall | null = null;
    while (known !== null && !known.isAskedBy(call)) {
      previous = known;
      known = known.next;
    }
    if (known === null) return -1;
    if (previous !== null) previous.next = known.next;
    else this.before.set(key, <u32>changetype<usize>(known.next));
    this.asked++;
    return known.id;
  }

  /** The call's answer contained hints. */
  hint(call: Result): void {
    const known = new HintedCall();
    known.id = call.id;
    known.tool = call.tool;
    known.path = call.path;
    known.target = call.target;
    known.hasRange = call.hasRange;
    known.rangeFrom = call.rangeFrom;
    known.rangeLines = call.rangeLines;
    this.hinted++;
    this.now.push(changetype<usize>(known));
  }

  /** The conversation was compacted: a model that asks now may have lost the text. */
  forget(): void {
    this.now.length = 0;
    this.before.clear();
  }
}

/** Equal for the same calls, and hardly ever for others. */
function keyOf(tool: i32, path: i32, target: i32, rangeFrom: i32, rangeLines: i32): u64 {
  return pair(tool ^ (rangeFrom << 8) ^ (rangeLines << 20), path < 0 ? target : path);
}

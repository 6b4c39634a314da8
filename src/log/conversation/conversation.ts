import { type ClearedResult, hasShrunk } from "../contextRules.js";
import { liveList, type Utterance } from "./liveList.js";
import type { LiveList, Part, RequestUsage } from "./message.js";

/** An utterance, linked to the one before it: going back means continuing from another turn. */
interface Turn extends Utterance {
  readonly uuid: string | undefined;
  readonly before: Turn | undefined;
  /** The number of turns, lines of answers, and answers up to this one. */
  readonly depth: number;
  readonly answerLines: number;
  readonly answers: number;
  /** The id of the newest answer up to this one. */
  readonly answerId: string | undefined;
  /** A turn further back, so that any turn can be found in a few steps. */
  readonly farther: Turn | undefined;
}

type LoggedUtterance = Utterance & Pick<Turn, "uuid">;

/** How a line is linked to others. */
export interface LineLinks {
  readonly uuid: string | undefined;
  /** The line's parent as written. */
  readonly parent: unknown;
}

/** What a compaction kept: it follows the summary, which comes with the next line. */
interface Kept {
  readonly turns: readonly Turn[];
  /** The turn at each kept line: some lines are not for the model, but a later line may continue from them. */
  readonly positions: ReadonlyMap<string, Turn | undefined>;
}

/** What Claude Code replaces a cleared result with. */
const CLEARED = "[Old tool result content cleared]";

/**
 * One context's live messages, line by line. The order of the file counts, because only one of several parallel results
 * is a parent; but a prompt that continues from before an answer goes back, and what another process of the same session
 * wrote in between is left out. A line with an unknown parent continues from the line before it.
 */
export class Conversation {
  #end: Turn | undefined;
  #kept: Kept | undefined;
  /** The newest turn at each line since the last compaction: nothing goes back beyond it. */
  #positions = new Map<string, Turn | undefined>();
  readonly #uuids = new Set<string>();
  readonly #calls = new Set<string>();
  readonly #results = new Set<string>();
  readonly #replaced = new Map<string, string>();
  #input = 0;
  #shrunk = false;
  /** There has been an answer since the last compaction. */
  #isAnswered = false;

  live(): LiveList {
    return { ...liveList(this.#turns(), this.#replaced), shrunk: this.#shrunk };
  }

  /** False for a copy of an earlier line. */
  isNew(uuid: string | undefined): boolean {
    return uuid === undefined || isAdded(this.#uuids, uuid);
  }

  /** A line that is not for the model, but that others may continue from. */
  pass({ uuid, parent }: LineLinks): void {
    if (uuid === undefined) return;
    const isKnown = typeof parent === "string" && this.#positions.has(parent);
    this.#positions.set(uuid, isKnown ? this.#positions.get(parent) : this.#end);
  }

  answer(line: LineLinks, parts: readonly Part[], messageId: string | undefined, usage: RequestUsage): void {
    this.#settle();
    this.#follow(line.parent, true);
    if (usage.input > 0) {
      if (hasShrunk(usage.input, this.#input)) this.#shrunk = true;
      this.#input = usage.input;
    }
    this.#isAnswered = true;
    this.#append({ uuid: line.uuid, role: "assistant", parts, messageId, usage });
  }

  /** Results, and prompts by the user or by Claude Code on the user's behalf. */
  say(line: LineLinks, parts: readonly Part[]): void {
    this.#settle();
    this.#follow(line.parent, false);
    this.#append({ uuid: line.uuid, role: "user", parts, messageId: undefined, usage: undefined });
  }

  /** May take the conversation back to an earlier line, or, without a parent, start it over. */
  continueFrom(parent: string | null): void {
    this.#settle();
    if (parent === null ? !this.#isAnswered : !this.#positions.has(parent)) return;
    const target = parent === null ? undefined : this.#positions.get(parent);
    const isAnswered = (this.#end?.answerLines ?? 0) > (target?.answerLines ?? 0);
    if (!isAnswered && this.#comesFrom(target)) return;
    this.#end = target;
    this.#input = 0;
  }

  summary(uuid: string | undefined, parts: readonly Part[]): void {
    this.#append({ uuid, role: "user", parts, messageId: undefined, usage: undefined });
    this.#settle();
  }

  compact(preserved: readonly string[]): void {
    this.#settle();
    const isKept = new Set(preserved);
    const turns = this.#turns().filter(turn => turn.uuid !== undefined && isKept.has(turn.uuid));
    const positions = [...this.#positions].filter(([line]) => isKept.has(line));
    this.#kept = { turns, positions: new Map(positions) };
    this.#positions = new Map();
    this.#end = undefined;
    this.#input = 0;
    this.#shrunk = false;
    this.#isAnswered = false;
  }

  clear(results: readonly ClearedResult[] | "all"): void {
    // The log does not say which ones: the list may hold more than the model has.
    if (results === "all") this.#shrunk = true;
    else for (const { id, text = CLEARED } of results) this.#replaced.set(id, text);
    this.#input = 0;
  }

  /**
   * Another process of the session may have written since this line's parent: continue from the parent then. An answer
   * with several calls branches too, but keeps all its lines and results.
   */
  #follow(parent: unknown, isAnswer: boolean): void {
    if (typeof parent !== "string" || !this.#positions.has(parent)) return;
    const target = this.#positions.get(parent);
    const isOtherAnswerBetween = (this.#end?.answers ?? 0) > (target?.answers ?? 0);
    if (!(isAnswer && isOtherAnswerBetween) && this.#comesFrom(target)) return;
    this.#end = target;
    this.#input = 0;
  }

  /** Whether this turn is part of the current conversation. */
  #comesFrom(turn: Turn | undefined): boolean {
    return turnAt(this.#end, depthOf(turn)) === turn;
  }

  #append(utterance: LoggedUtterance): void {
    const parts = utterance.parts.filter(part => this.#isFirst(part));
    if (parts.length > 0) this.#end = turnAfter(this.#end, { ...utterance, parts });
    if (utterance.uuid !== undefined) this.#positions.set(utterance.uuid, this.#end);
  }

  /** Moves what was kept to its place after the boundary and the summary. */
  #settle(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    const moved = new Map<Turn | undefined, Turn>();
    for (const turn of kept.turns) {
      this.#end = turnAfter(this.#end, unmeasured(turn));
      moved.set(turn, this.#end);
    }
    for (const line of this.#positions.keys()) this.#positions.set(line, this.#end);
    for (const [line, turn] of kept.positions) this.#positions.set(line, moved.get(turn) ?? this.#end);
  }

  #turns(): Turn[] {
    const turns: Turn[] = [];
    for (let turn = this.#end; turn !== undefined; turn = turn.before) turns.push(turn);
    return [...turns.reverse(), ...(this.#kept?.turns ?? []).map(unmeasured)];
  }

  /** False for a copy of an earlier call or result. */
  #isFirst(part: Part): boolean {
    if (part.kind !== "call" && part.kind !== "result") return true;
    return part.id !== "" && isAdded(part.kind === "call" ? this.#calls : this.#results, part.id);
  }
}

function turnAfter(before: Turn | undefined, { uuid, role, parts, messageId, usage }: LoggedUtterance): Turn {
  // Skew-binary jump pointers: any turn can be reached in a few steps.
  const far = before?.farther;
  const isEven = depthOf(before) - depthOf(far) === depthOf(far) - depthOf(far?.farther);
  const farther = before !== undefined && isEven ? far?.farther : before;
  const isAnswer = role === "assistant";
  // The lines of an answer have the same id, and only its results come in between.
  const isNewAnswer = isAnswer && messageId !== before?.answerId;
  return {
    uuid,
    role,
    parts,
    messageId,
    usage,
    before,
    depth: depthOf(before) + 1,
    answerLines: (before?.answerLines ?? 0) + (isAnswer ? 1 : 0),
    answers: (before?.answers ?? 0) + (isNewAnswer ? 1 : 0),
    answerId: isAnswer ? messageId : before?.answerId,
    farther,
  };
}

/** The ancestor of a turn at this depth; undefined for the start. */
function turnAt(from: Turn | undefined, depth: number): Turn | undefined {
  let turn = from;
  while (turn !== undefined && turn.depth > depth) turn = depthOf(turn.farther) >= depth ? turn.farther : turn.before;
  return turn;
}

function depthOf(turn: Turn | undefined): number {
  return turn?.depth ?? 0;
}

/** Adds a value; false if it was there already. */
function isAdded(known: Set<string>, value: string): boolean {
  if (known.has(value)) return false;
  known.add(value);
  return true;
}

/** A kept answer has moved: its request's usage no longer applies to its position. */
function unmeasured(turn: Turn): Turn {
  return { ...turn, usage: undefined };
}

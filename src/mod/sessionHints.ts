/** Live hints of one session: how the mod responds to Claude Code's events. All side effects are elsewhere. */

import { refusalOf } from "../dedup/hintGuard.js";
import { isNotice, type LostText, lostTextsNotice } from "../dedup/lostTexts.js";
import { LineScanner } from "../dedup/runs/lines.js";
import { mentionsHints } from "../dedup/runs/runHints.js";
import type { DedupSettings } from "../dedup/settings.js";
import { EXPLANATION, isExplained, SPAN_EXPLANATION } from "../log/explanation.js";
import { type Members, membersOf, stringOf } from "../log/record.js";
import { isLongPause, LongPause } from "./longPause.js";
import { type Answer, type ContextOptions, ModContext } from "./modContext.js";
import { blocksIn, clearedIn, contextOf, type KnownMessage, MAIN, messagesOf, type Row } from "./modEvents.js";

/** A row of results, some of them replaced by hints. */
export interface Replacement {
  readonly message: Members;
  readonly answers: readonly Answer[];
  readonly context: string;
}

/** What the model is told with a prompt. */
export interface PromptNotice {
  readonly text: string;
  /** The prompt did not enter the conversation. */
  takeBack(): void;
}

interface Agent {
  readonly agentId?: unknown;
}

export class LiveHints {
  #settings: DedupSettings;
  readonly #options: ContextOptions;
  /** The one used least recently comes first. */
  readonly #contexts = new Map<string, ModContext>();
  #cwd: string | undefined;
  /** The contents of the main conversation are unknown: it is new, was resumed, or may have been rewound. */
  #isUnsure = true;
  #isLearned = false;
  /** No hints for now: the session is in a trial's control group. */
  #isControl = false;
  /** The contexts whose model knows about hints. */
  readonly #explained = new Set<string>();
  /** Calls of abandoned contexts: hints to them may still exist. */
  readonly #earlier = new Set<string>();
  /** Contexts with a known compaction whose row has not come yet. */
  readonly #compacted = new Set<string>();
  /** Hints of the main conversation may refer to results that were cut: its log says which these are. */
  #isCut = false;
  /** What hints of the main conversation refer to and was cleared, until the model is told. */
  #cleared: readonly LostText[] = [];
  /** What the model was told about since the last compaction, by call. */
  readonly #told = new Map<string, LostText>();
  /** The part of it that the main conversation, as last listed, no longer has. */
  #untold: readonly LostText[] = [];
  readonly #pause = new LongPause();
  /** When a context's last request was answered. */
  readonly #activeAt = new Map<string, number>();
  /** The main conversation, as last listed, has no explanation of hints. */
  #isUnexplained = false;
  /** Calls that Claude Code itself answered with a stub. */
  readonly #unchanged = new Set<string>();

  constructor(settings: DedupSettings, options: Omit<ContextOptions, "scanner"> = {}) {
    this.#settings = settings;
    this.#options = { ...options, scanner: new LineScanner() };
  }

  /** The number of characters kept. */
  get chars(): number {
    return [...this.#contexts.values()].reduce((sum, context) => sum + context.chars, 0);
  }

  /** Whether `settle` must be called before this row can be decided on. */
  isUnsure(row: Row): boolean {
    return this.#isUnsure && contextOf(row) === MAIN;
  }

  /** Whether `settle` will learn the past of the main conversation: then it needs the log as well. */
  get learnsPast(): boolean {
    return !this.#isLearned || this.#pause.isOver;
  }

  /** What the main conversation holds now. `log`: see `learnsPast`; undefined if it cannot be read. */
  settle(list: unknown, log?: string): void {
    const messages = messagesOf(list);
    this.#isUnsure = false;
    this.#isUnexplained = isUnexplained(messages);
    const listed = idsIn(messages);
    this.#untold = [...this.#told.values()].filter(({ id }) => listed.has(id) && !wasTold(id, messages));
    if (this.#pause.isOver) this.#releaseMain();
    const main = this.#context(MAIN);
    if (this.#isLearned) {
      this.#cleared = [...this.#cleared, ...main.keepOnly(listed)];
      return;
    }
    this.#isLearned = true;
    // A resumed session has the explanation in its history.
    if (messages.some(({ calls }) => calls.some(({ text }) => text !== undefined && mentionsHints(text)))) {
      this.#explained.add(MAIN);
    }
    const isKnown = log !== undefined && this.#pause.isIn(log);
    if (isKnown || this.#pause.isOver) this.#pause.end();
    // Results that were cleared before are still listed in full.
    const { named, possible } = clearedIn(log ?? "");
    main.learn(messages, this.#cwd, new Set([...named, ...possible]));
    const lost = main.cleared(named);
    this.#cleared = [...this.#cleared, ...lost];
    for (const one of lost) if (wasTold(one.id, messages)) this.#told.set(one.id, one);
    const isQuoted = main.giveUp(isKnown ? possible : undefined);
    this.#isCut = !isKnown && isQuoted;
  }

  /** A request is sent. */
  ask(request: Agent, cwd: string | undefined, now = 0): void {
    this.#cwd = cwd ?? this.#cwd;
    const id = contextOf(request);
    this.#context(id).ask();
    if (id === MAIN) this.#pause.ask();
    this.#notePause(id, now);
    if (this.#pause.isOver) this.#isUnsure = true;
  }

  /** After a long pause, the next request may clear anything. */
  #notePause(id: string, now: number): void {
    if (!isLongPause(now - (this.#activeAt.get(id) ?? now))) return;
    this.#activeAt.set(id, now);
    const isQuoted = this.#context(id).giveUp();
    if (id !== MAIN) return;
    this.#pause.begin();
    this.#isCut ||= isQuoted;
  }

  /** A request was answered, with its usage. */
  answered(request: Agent, result: unknown, now = 0): void {
    const usage = membersOf(membersOf(result)["usage"]);
    const counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map(key => usage[key]);
    const input = counts.reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 0), 0);
    const id = contextOf(request);
    this.#context(id).measure(input);
    // The request failed, or was interrupted.
    if (membersOf(result)["stopReason"] === null) return;
    if (id === MAIN) this.#pause.answered();
    this.#activeAt.set(id, now);
  }

  /** What a tool returned, in its own shape, before its row comes. */
  returned({ tool_use_id }: Readonly<Record<string, unknown>>, answer: unknown): void {
    const { type } = membersOf(membersOf(answer)["result"]);
    if (type === "file_unchanged" && typeof tool_use_id === "string") this.#unchanged.add(tool_use_id);
  }

  /** A row without results. */
  take(row: Row): void {
    const context = this.#context(contextOf(row));
    if (row.door === "response") {
      const blocks = blocksIn(row);
      if (contextOf(row) === MAIN) this.#pause.take(blocks.flatMap(({ id }) => (typeof id === "string" ? id : [])));
      return context.takeAnswer(blocks, this.#cwd);
    }
    context.takeOther();
    if (row.door === "compaction" && membersOf(row.message)["name"] === "compact_boundary") this.#endCompaction(row);
    if (row.door === "attachment") context.takeAttachment(row.message);
    const isReminder = row.door === "attachment" || row.door === "hook-context";
    // Dropped results stay in the list of messages.
    if (row.door === "attachment" && membersOf(row.message)["name"] === "tool_results_cut") {
      if (context.giveUp() && contextOf(row) === MAIN) this.#isCut = true;
    }
    // After a rewind comes a new prompt or a command.
    else if (!isReminder && contextOf(row) === MAIN) this.#isUnsure = true;
  }

  /** Whether the log of the main conversation is needed: see `learnCut`. */
  get needsLog(): boolean {
    return this.#isCut;
  }

  /** Which results of the main conversation were cut. */
  learnCut(log: string): void {
    this.#isCut = false;
    this.#cleared = [...this.#cleared, ...this.#context(MAIN).cleared(clearedIn(log).named)];
  }

  /**
   * What to tell the main conversation's model with its next prompt, once; undefined if nothing. The conversation must
   * have been settled just now: a rewind may have removed what the model was told.
   */
  notice(): PromptNotice | undefined {
    if (this.#isUnexplained) this.#explained.delete(MAIN);
    this.#isUnexplained = false;
    for (const { id } of this.#untold) this.#told.delete(id);
    const [cleared, wasExplained] = [[...this.#untold, ...this.#cleared], this.#explained.has(MAIN)];
    // The first of several is the one that may have a text.
    const isFirst = ({ id }: LostText, at: number) => cleared.findIndex(lost => lost.id === id) === at;
    const news = cleared.filter(isFirst).filter(({ id }) => !this.#told.has(id));
    const lost = lostTextsNotice(news, "cleared");
    const text = lost === "" ? this.explain({}) : [this.explainAgain({}), lost].filter(Boolean).join("\n");
    this.#cleared = this.#untold = [];
    for (const one of news) this.#told.set(one.id, one);
    if (text === undefined) return undefined;
    return {
      text,
      takeBack: () => {
        this.#cleared = [...cleared, ...this.#cleared];
        for (const { id } of news) this.#told.delete(id);
        if (!wasExplained) this.#explained.delete(MAIN);
      },
    };
  }

  /** The row with hints; undefined if it stays unchanged. */
  replace(row: Row, now = 0): Replacement | undefined {
    this.#notePause(contextOf(row), now);
    const context = this.#context(contextOf(row));
    const answers: Answer[] = [];
    const content = blocksIn(row).map(block => {
      const answer = block["type"] === "tool_result" ? this.#answer(context, block) : undefined;
      if (answer === undefined) return block;
      answers.push(answer);
      const isList = Array.isArray(block["content"]);
      return { ...block, content: isList ? [{ type: "text", text: answer.text }] : answer.text };
    });
    if (answers.length === 0) return undefined;
    return { message: { ...membersOf(row.message), content }, answers, context: contextOf(row) };
  }

  /** Whether a conversation still holds what a replacement's hints name, unchanged. `list`: its messages. */
  holds({ answers, context: id }: Replacement, list: unknown): boolean {
    const context = this.#context(id);
    // Released in the meantime.
    if (!answers.every(answer => context.knows(answer.id))) return false;
    const calls = new Map(messagesOf(list).flatMap(({ calls }) => calls.map(call => [call.id, call.text])));
    // Not every version has a subagent's messages. They cannot be rewound, and compactions are reported to the mod.
    if (id !== MAIN && ![...calls.keys()].some(call => context.knows(call))) return true;
    const isHeld = (name: string) => {
      const [known, text] = [context.textOf(name), calls.get(name)];
      // A reminder may follow.
      return calls.has(name) && (known === undefined || text === undefined || text.startsWith(known));
    };
    return answers.every(({ names }) => names.every(isHeld));
  }

  /** The row stays unchanged after all. */
  withdraw({ answers, context }: Replacement): void {
    for (const answer of answers) this.#context(context).withdraw(answer);
    if (context === MAIN) this.#isUnsure = true;
  }

  /** The result of a compaction does not always come first: without it, nothing is assumed to be left. */
  #endCompaction(row: Row): void {
    if (!this.#compacted.delete(contextOf(row))) this.#context(contextOf(row)).compact(new Set());
  }

  /** A context was compacted to this list. Returns what to tell the model; "" if nothing. */
  compacted(compaction: Agent, list: unknown): string {
    const id = contextOf(compaction);
    this.#compacted.add(id);
    // It is told what the compaction leaves behind.
    if (id === MAIN) this.#forgetNotices();
    const lost = lostTextsNotice(this.#context(id).compact(idsIn(messagesOf(list))), "compacted");
    // In the main conversation, a session start follows, which explains hints again.
    return [id === MAIN ? "" : this.explainAgain(compaction), lost].filter(Boolean).join("\n");
  }

  #forgetNotices(): void {
    this.#cleared = this.#untold = [];
    this.#told.clear();
  }

  /** Another conversation begins, or is resumed. `answeredAt`: when its last request was answered; undefined if none. */
  forget(answeredAt?: number): void {
    this.#reset();
    this.#explained.clear();
    this.#forgetNotices();
    this.#activeAt.clear();
    if (answeredAt !== undefined) this.#activeAt.set(MAIN, answeredAt);
    this.#pause.end();
  }

  /** Changed settings apply from here on: the contents of the conversation are learned again under them. */
  applySettings(settings: DedupSettings, isControl = false): void {
    this.#isControl = isControl;
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    const isNews = settings.runs && !this.#settings.runs;
    this.#settings = settings;
    this.#reset();
    if (isNews) this.#explained.clear();
  }

  #reset(): void {
    for (const id of [...this.#contexts.keys()]) this.#release(id);
    this.#isUnsure = true;
    this.#isLearned = false;
    this.#isCut = false;
  }

  /** The explanation of hints that each context's model gets once; undefined if it has it. */
  explain(agent: Agent): string | undefined {
    return this.#explained.has(contextOf(agent)) ? undefined : this.explainAgain(agent);
  }

  /** Undefined if there are no hints to explain. */
  explainAgain(agent: Agent): string | undefined {
    if (this.#isControl && !this.#explained.has(contextOf(agent))) return undefined;
    this.#explained.add(contextOf(agent));
    return this.#settings.runs ? SPAN_EXPLANATION : EXPLANATION;
  }

  /** Why a call is refused; undefined if it may run. */
  refusal(call: Readonly<Record<string, unknown>>): string | undefined {
    // Arguments are next to Claude Code's own members, none of which ever looks like a hint: everything is searched.
    const { tool, ...input } = call;
    const contexts = [...this.#contexts.values()];
    const isKnown = (id: string) => this.#earlier.has(id) || contexts.some(context => context.knows(id));
    return refusalOf(stringOf(tool) ?? "", input, ids => [...ids].find(isKnown));
  }

  #answer(context: ModContext, block: Members): Answer | undefined {
    return context.answer(block, { isStub: this.#isStub(block), isSilent: this.#isControl });
  }

  #isStub(block: Members): boolean {
    const id = stringOf(block["tool_use_id"]);
    return id !== undefined && this.#unchanged.delete(id);
  }

  #context(id: string): ModContext {
    const known = this.#contexts.get(id);
    const context = known ?? new ModContext(id, this.#settings, this.#options);
    this.#contexts.delete(id);
    this.#contexts.set(id, context);
    if (known === undefined) this.#releaseAgents();
    return context;
  }

  /**
   * Subagents may continue after they have answered, so it is unknown which are done. One that continues after it was
   * released starts over, without hints to what it had before.
   */
  #releaseAgents(): void {
    const agents = [...this.#contexts.keys()].filter(id => id !== MAIN);
    for (const id of agents.slice(0, -MAX_AGENTS)) {
      this.#release(id);
      this.#compacted.delete(id);
      this.#activeAt.delete(id);
    }
  }

  #releaseMain(): void {
    this.#release(MAIN);
    this.#isLearned = false;
    this.#isCut = false;
  }

  #release(context: string): void {
    for (const call of this.#contexts.get(context)?.known ?? []) this.#earlier.add(call);
    this.#contexts.delete(context);
  }
}

/** Hardly any session runs more at once. Each keeps what it was shown: typically 1 MB, in Claude Code's own process. */
const MAX_AGENTS = 16;

/** The calls that have results. */
function idsIn(messages: readonly KnownMessage[]): Set<string> {
  return new Set(messages.flatMap(({ calls }) => calls.map(({ id }) => id)));
}

/** False if the list does not have it either way. */
function isUnexplained(messages: readonly KnownMessage[]): boolean {
  return messages.every(({ added }) => added !== undefined && !added.some(isExplained));
}

/** True if the list cannot say. */
function wasTold(id: string, messages: readonly KnownMessage[]): boolean {
  return messages.some(({ added }) => added === undefined || added.some(text => isNotice(text, id)));
}

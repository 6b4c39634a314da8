/** One model's context as the mod sees it grow, row by row: the engine's own replay decides on each result. */

import type { Decision } from "../dedup/decision.js";
import { type Digest, digest } from "../dedup/digest.js";
import { emissionOf, emittedBy } from "../dedup/emission.js";
import { HintedReads } from "../dedup/hintedReads.js";
import { renderNearHint } from "../dedup/hints.js";
import type { LostText } from "../dedup/lostTexts.js";
import { nearDelta } from "../dedup/near.js";
import { type QuotedLines, Reasks, wholeOf } from "../dedup/reasks.js";
import { ContextReplay } from "../dedup/replay.js";
import { expandedText } from "../dedup/runs/expand.js";
import type { LineScanner } from "../dedup/runs/lines.js";
import { areTrue } from "../dedup/runs/proof.js";
import { namedIn } from "../dedup/runs/runHints.js";
import type { DedupSettings } from "../dedup/settings.js";
import { type Call, readCall, UNKNOWN_CALL } from "../log/calls.js";
import type { CallFact, Place } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";
import { hash64 } from "../log/lineIndex.js";
import { bodyOf, type Members, membersOf, stringOf } from "../log/record.js";
import { Texts } from "./contextTexts.js";
import type { KnownMessage } from "./modEvents.js";
import { lostTo, type Quote, shortened, sourcesOf } from "./quotes.js";

/** What replaces a result. */
export interface Answer {
  readonly id: string;
  readonly text: string;
  /** The calls that its hints name. */
  readonly names: readonly string[];
  readonly body: string;
}

export interface AnswerOptions {
  /** It is Claude Code's own stub for a re-read. */
  readonly isStub?: boolean;
  /** Add the result, but leave it unchanged. */
  readonly isSilent?: boolean;
}

export interface ContextOptions {
  readonly scanner: LineScanner;
  /** Whether asking again brings the text; false only for comparison with a replay, which provides no texts. */
  readonly honorsReasks?: boolean | undefined;
}

export class ModContext {
  readonly #id: string;
  readonly #settings: DedupSettings;
  readonly #scanner: LineScanner | undefined;
  readonly #replay: ContextReplay;
  readonly #calls = new Map<string, Call>();
  readonly #results = new Set<string>();
  readonly #texts = new Texts();
  readonly #reasks = new Reasks();
  /** The original results of Reads that were answered with hints. */
  readonly #hintedReads = new HintedReads<string>();
  /** What hints from before the mod was loaded name: a compaction may have removed the call. */
  readonly #named = new Set<string>();
  /** What hints refer to in results that were given up because any of them may have been cut. */
  #quotes: readonly Quote[] = [];
  /** The lengths of the results that the model is answered with in its next request. */
  readonly #message = new Map<string, number>();
  readonly #honorsReasks: boolean;
  /** Rows so far, used as log line numbers. */
  #line = 0;
  #requests = 0;
  #isAnswerAwaited = true;
  #decision: Decision | undefined;

  constructor(id: string, settings: DedupSettings, { scanner, honorsReasks = true }: ContextOptions) {
    this.#id = id;
    this.#honorsReasks = honorsReasks;
    this.#settings = settings;
    this.#scanner = settings.runs ? scanner : undefined;
    const sink = {
      event: () => {},
      decided: (decision: Decision) => {
        this.#decision = decision;
      },
    };
    this.#replay = new ContextReplay({ ...settings, door: "mod" }, sink, { withoutReasons: true });
  }

  /** Whether a call was ever made here: a hint may outlive what it names. */
  knows(id: string): boolean {
    return this.#calls.has(id) || this.#named.has(id);
  }

  /** All known calls. */
  get known(): readonly string[] {
    return [...this.#calls.keys(), ...this.#named];
  }

  /** The number of characters kept. */
  get chars(): number {
    return this.#texts.chars;
  }

  textOf(id: string): string | undefined {
    return this.#texts.textOf(id, undefined);
  }

  /** A request is sent: the next row of an answer belongs to it. */
  ask(): void {
    this.#isAnswerAwaited = true;
  }

  /** The newest request's total input. */
  measure(input: number): void {
    if (input <= 0) return;
    this.#replay.take({ ...this.#request, continued: true, input });
  }

  /** A row of the model's answer. */
  takeAnswer(blocks: readonly Members[], cwd: string | undefined): void {
    this.#line++;
    if (this.#isAnswerAwaited) {
      this.#isAnswerAwaited = false;
      this.#requests++;
      this.#endMessage();
      this.#replay.take(this.#request);
    }
    for (const block of blocks) this.#takeCall(block, cwd);
  }

  /**
   * If the results of one message are very long in total, Claude Code may send only the beginning of some, and does not
   * say which. Reads are never cut short.
   */
  #endMessage(): void {
    const chars = [...this.#message.values()].reduce((sum, length) => sum + length, 0);
    if (chars > MAX_MESSAGE_CHARS) this.giveUp(new Set(this.#message.keys()));
    this.#message.clear();
  }

  #addLength(id: string, text: string): void {
    if (this.#calls.get(id)?.tool !== "Read") this.#message.set(id, text.length);
  }

  /** A row other than the model's calls and results. */
  takeOther(): void {
    this.#line++;
  }

  /** What Claude Code added to the conversation: see `HintedReads`. */
  takeAttachment(message: unknown): void {
    this.#hintedReads.attached(message);
  }

  /** What replaces a tool result; undefined if it stays unchanged. */
  answer(block: Members, { isStub = false, isSilent = false }: AnswerOptions = {}): Answer | undefined {
    this.#line++;
    const id = stringOf(block["tool_use_id"]);
    if (id === undefined || this.#results.has(id)) return undefined;
    const body = bodyOf(block["content"]);
    // The tool's own response is not always available.
    const isUnchanged = body !== null && (isStub || STUB.test(body));
    const text = isUnchanged && this.#honorsReasks ? this.#restored(id) : undefined;
    if (body !== null && text !== undefined) {
      this.#results.add(id);
      this.#texts.addResult(id, text);
      this.#replay.fallback.answered({ id, ...(this.#calls.get(id) ?? UNKNOWN_CALL) });
      return { id, text, names: [], body };
    }
    const isError = block["is_error"] === true;
    const result = this.#takeResult(id, body, isError, isStub);
    this.#noteEdit(id, isError);
    if (body === null) return undefined;
    const answer = this.#answerTo(id, body, result, isSilent);
    const emitted = answer?.text ?? body;
    this.#texts.addResult(id, emitted);
    this.#addLength(id, emitted);
    const read = this.#readOf(id);
    if (read !== undefined && answer !== undefined) this.#hintedReads.keep(read.path, read.range, body);
    else if (read !== undefined && !isUnchanged) this.#hintedReads.forget(read.path, read.range);
    return answer;
  }

  /** The answer was not used after all: the model got the full text. */
  withdraw({ id, body }: Answer): void {
    this.#texts.addResult(id, body);
    this.#replay.fallback.takeBack(id);
    this.#giveUp(id);
  }

  /** The model only has these calls left. Returns the lost texts that hints in them refer to. */
  keepOnly(ids: ReadonlySet<string>): LostText[] {
    // A pending call need not be listed.
    const gone = new Set(this.#texts.ids.filter(id => !ids.has(id) && this.#results.has(id)));
    const held = gone.size === 0 ? [] : this.#heldQuotes().filter(({ source }) => gone.has(source.id));
    const lost = [...this.#quotes.filter(({ source }) => !ids.has(source.id)), ...held];
    this.#quotes = this.#quotes.filter(({ holder, source }) => ids.has(holder) && ids.has(source.id));
    this.#drop([...gone]);
    return sourcesOf(lost.filter(({ holder }) => ids.has(holder)));
  }

  /** These results have been cleared. Returns those that hints in other results refer to. */
  cleared(ids: ReadonlySet<string>): LostText[] {
    const lost = lostTo(ids, [...this.#quotes, ...this.#heldQuotes()]);
    this.#quotes = this.#quotes.filter(quote => !ids.has(quote.holder) && !lost.includes(quote));
    this.#dropAll(ids);
    return sourcesOf(lost);
  }

  /** The context was compacted to these results. Returns the lost texts that hints in them refer to. */
  compact(ids: ReadonlySet<string>): LostText[] {
    const kept = [...this.#quotes, ...this.#heldQuotes()].filter(({ holder }) => ids.has(holder));
    this.#quotes = this.#quotes.filter(({ holder, source }) => ids.has(holder) && ids.has(source.id));
    for (const id of this.#texts.ids) if (!ids.has(id)) this.#texts.drop(id);
    this.#reasks.clear();
    this.#hintedReads.clear();
    this.#line++;
    const unknown = { trigger: undefined, preTokens: undefined, postTokens: undefined };
    // A result's uuid is its call's id here, see below.
    this.#replay.take({ fact: "boundary", ...this.#place, preserved: [...ids], ...unknown });
    return sourcesOf(kept.filter(({ source }) => !ids.has(source.id)));
  }

  /**
   * The model may not have these results, but their hints. Returns whether any hints are in results that were given up:
   * then `cleared` should say which of them refer to nothing.
   */
  giveUp(ids: ReadonlySet<string> = this.#results): boolean {
    this.#quotes = [...this.#quotes, ...this.#heldQuotes().flatMap(one => (ids.has(one.holder) ? shortened(one) : []))];
    this.#dropAll(ids);
    return this.#quotes.length > 0;
  }

  #dropAll(ids: ReadonlySet<string>): void {
    this.#drop(this.#texts.ids.filter(id => ids.has(id)));
  }

  #drop(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#texts.drop(id);
    this.#replay.take({ fact: "clear", ...this.#place, ids, by: "cut" });
  }

  /** No hint may refer to this result. */
  #giveUp(id: string): void {
    this.#replay.take({ fact: "clear", ...this.#place, ids: [id], by: "cut" });
  }

  /** What the hints in all known texts refer to. */
  #heldQuotes(): Quote[] {
    return this.#texts.ids.flatMap(holder =>
      namedIn(this.#texts.textOf(holder, undefined) ?? "").map(({ id, input }) => {
        const { tool, target } = this.#calls.get(id) ?? UNKNOWN_CALL;
        return { holder, input, source: { id, tool, target, text: this.#texts.textOf(id, input) } };
      }),
    );
  }

  /** Adds what was there before the mod was loaded. `cleared`: results that are listed, but that the model lacks. */
  learn(messages: readonly KnownMessage[], cwd: string | undefined, cleared: ReadonlySet<string> = new Set()): void {
    let isAnswer = false;
    for (const { calls, added, ...message } of messages) {
      // The blocks of one answer are listed one by one.
      if (message.isAnswer && !isAnswer) this.ask();
      isAnswer = message.isAnswer;
      this.takeAttachment(added);
      if (calls.length === 0) continue;
      const blocks = calls.map(({ id, tool: name, input }) => ({ type: "tool_use", id, name, input }));
      this.takeAnswer(blocks, cwd);
      for (const { id, text, isError } of calls) {
        if (text === undefined || this.#results.has(id)) continue;
        this.#line++;
        const { hints } = this.#takeResult(id, text, isError);
        this.#noteEdit(id, isError);
        this.#texts.addResult(id, text);
        this.#addLength(id, text);
        this.#learnHints(id, text, hints);
        // Given without hints, although there would be some now: its lines are not where a hint would say.
        if (cleared.has(id) || (this.#decision?.runs?.length ?? 0) > 0) this.#giveUp(id);
      }
    }
    if (!isAnswer) this.ask();
    // Files may have been read that this list does not mention.
    if (messages.some(({ added }) => added === undefined)) this.#hintedReads.clear();
  }

  #learnHints(id: string, text: string, hints: Digest["hints"]): void {
    for (const hint of hints) this.#named.add(hint.id);
    const read = this.#readOf(id);
    if (read === undefined || STUB.test(text)) return;
    const whole = hints.length > 0 ? expandedText(text, this.#textOf) : undefined;
    if (whole === undefined) this.#hintedReads.forget(read.path, read.range);
    else this.#hintedReads.keep(read.path, read.range, whole);
  }

  /** A stub tells the model that it has the text; if it only has hints for it, it gets the text now. */
  #restored(id: string): string | undefined {
    const read = this.#readOf(id);
    if (read === undefined) return undefined;
    const text = this.#hintedReads.find(read.path, read.range);
    this.#hintedReads.forget(read.path, read.range);
    return text;
  }

  /** What a Read asks for; undefined for any other call. */
  #readOf(id: string): (Pick<Call, "range"> & { readonly path: string }) | undefined {
    const { tool, path, range } = this.#calls.get(id) ?? UNKNOWN_CALL;
    return tool === "Read" && path !== undefined ? { path, range } : undefined;
  }

  #noteEdit(id: string, isError: boolean): void {
    const { kind, path } = this.#calls.get(id) ?? UNKNOWN_CALL;
    if (kind === "mutate" && path !== undefined && !isError) this.#hintedReads.edited(path);
  }

  #takeCall(block: Members, cwd: string | undefined): void {
    const found = readCall(block, cwd, { callOffset: -1, context: this.#id, callLine: this.#line });
    if (found === undefined || this.#calls.has(found.id)) return;
    const { id, call } = found;
    this.#calls.set(id, call);
    const strings = Object.entries(membersOf(block["input"])).filter(
      (member): member is [string, string] => typeof member[1] === "string",
    );
    this.#texts.addCall(id, strings);
    const { tool, target, callLine } = call;
    const fact: CallFact = { fact: "call", ...this.#place, id, tool, target, uuid: id, callLine, strings };
    this.#replay.take(digest(fact, false, fingerprintOf, this.#scanner));
  }

  #takeResult(id: string, body: string | null, error: boolean, native = false): Digest {
    this.#results.add(id);
    const { tool, kind, path, target, range, callOffset, callLine } = this.#calls.get(id) ?? UNKNOWN_CALL;
    const call = { tool, kind, path, target, range, callOffset, callLine };
    // Rows have no place in a file, and a call has one result: its id serves as the row's uuid.
    const fact = { fact: "result" as const, ...this.#place, id, uuid: id, ...call, body, error, native };
    const result = digest(fact, this.#settings.nearRef, fingerprintOf, this.#scanner);
    if (result.fact !== "result") throw new Error("a result is digested as one");
    this.#decision = undefined;
    this.#replay.take(result);
    return result;
  }

  #answerTo(id: string, body: string, result: Digest, isSilent: boolean): Answer | undefined {
    const { hint, runs = [], event } = this.#decision ?? {};
    const ref = event !== undefined && "ref" in event ? event.ref : undefined;
    const isWhole = hint !== undefined && ref !== undefined;
    if (!isWhole && runs.length === 0) return undefined;
    const quoted: readonly QuotedLines[] = isWhole ? [wholeOf(ref)] : runs.map(run => run.hint);
    const fingerprint = result.fingerprint ?? "";
    const isAsked = this.#honorsReasks && this.#reasks.isAskedAgain(fingerprint, quoted, this.#requests);
    const isSound = isWhole ? this.#isTrue(hint, ref, body) : areTrue(runs, body, this.#textOf);
    if (isAsked || isSilent || !isSound) {
      // Given in full: from now on, hints point here.
      this.#giveUp(id);
      if (isAsked || isSilent) this.#replay.renew(result);
      return undefined;
    }
    this.#reasks.quote(quoted, this.#requests);
    if (this.#honorsReasks) this.#replay.fallback.hint(result);
    const emission = this.#decision && emissionOf(this.#decision);
    if (emission === undefined) return undefined;
    const text = emittedBy(body, emission);
    return { id, text, names: [...new Set(quoted.map(one => one.id))], body };
  }

  #isTrue(hint: string, ref: string, body: string): boolean {
    const held = this.#texts.textOf(ref, undefined);
    if (held === undefined || held === body) return held !== undefined;
    const delta = this.#settings.nearRef ? nearDelta(held, body) : undefined;
    return delta !== undefined && renderNearHint(ref, delta) === hint;
  }

  readonly #textOf = (id: string, input: string | undefined): string | undefined => this.#texts.textOf(id, input);

  get #place(): Place {
    return { line: this.#line, offset: 0, at: null };
  }

  get #request() {
    const unknown = { model: "", input: 0, written5m: 0, written1h: 0, cacheRead: 0, output: 0 };
    return { fact: "request" as const, ...this.#place, continued: false, ...unknown };
  }
}

/** Less than the 200,000 that Claude Code allows, which it may count in another way. */
const MAX_MESSAGE_CHARS = 150_000;

/** Claude Code's own words for a file that it does not return again. */
const STUB = /^(?:Wasted call . file unchanged|File unchanged since last read)/;

/** Without Node's SHA-256. Texts with equal fingerprints are compared in full. */
export function fingerprintOf(text: LogText): string {
  const [high, low] = hash64(text.toString());
  return `${text.length}.${high}.${low}`;
}

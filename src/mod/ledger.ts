/**
 * What happened to the main conversation's results: the facts that its log holds, derived from its rows and replayed
 * only on demand. The figures match a report of the log, minus anything before the mod was loaded.
 */
import { digest, type ReplayFact } from "../dedup/digest.js";
import { ContextReplay } from "../dedup/replay.js";
import { LineScanner } from "../dedup/runs/lines.js";
import { hintsIn } from "../dedup/runs/runHints.js";
import type { DedupSettings } from "../dedup/settings.js";
import { type ContextUse, contextUse } from "../inspect/contextUse.js";
import { packRequests } from "../inspect/cost.js";
import { addRow, emptyFigures, rounded } from "../inspect/figures.js";
import { Calibrator, calibrate, calibrationsOf } from "../log/calibration.js";
import { type Call, readCall, UNKNOWN_CALL } from "../log/calls.js";
import { EXPLANATION, SPAN_EXPLANATION } from "../log/explanation.js";
import type { Place } from "../log/facts.js";
import { bodyOf, type Members, membersOf, stringOf } from "../log/record.js";
import { cacheSecondsIn, readUsage } from "../log/usage.js";
import { ContextRecorder } from "../pipeline/contextRecorder.js";
import type { PaneBasis } from "../words/paneTexts.js";
import { fingerprintOf } from "./modContext.js";
import { blocksIn, contextOf, MAIN, messagesOf, type Row } from "./modEvents.js";

interface Replayed {
  readonly recorder: ContextRecorder;
  readonly replay: ContextReplay;
  /** The number of facts replayed. */
  taken: number;
}

/** Seconds. */
const SHORTEST_CACHE = 300;

export class Ledger {
  readonly #scanner = new LineScanner();
  #settings: DedupSettings;
  #facts: ReplayFact[] = [];
  #replayed: Replayed | undefined;
  #calls = new Map<string, Call>();
  /** The row of each result. */
  #results = new Map<string, number>();
  #calibrator = new Calibrator();
  /** Rows so far, used as log line numbers. */
  #line = 0;
  #model = "";
  /** A request was sent, and no row of its answer has come yet; its usage comes last. */
  #isAnswerAwaited = true;
  #isUsageAwaited = false;
  /** The sizes of results that came before the usage of their own request. */
  #early: (number | null)[] = [];
  #isLearned = false;
  #isResumed = false;
  #isCompacted = false;
  /** How long prompts are cached: only the log has that. */
  #cacheSeconds: number | undefined;
  /** Calls that Claude Code itself answered with a stub. */
  readonly #unchanged = new Set<string>();

  constructor(settings: DedupSettings) {
    this.#settings = { ...settings, door: "mod" };
  }

  /** Changed settings apply to everything. */
  applySettings(settings: DedupSettings): void {
    const changed: DedupSettings = { ...settings, door: "mod" };
    if (JSON.stringify(changed) === JSON.stringify(this.#settings)) return;
    this.#settings = changed;
    this.#replayed = undefined;
  }

  /** Another conversation begins, or is resumed. */
  forget(): void {
    this.#facts = [];
    this.#replayed = undefined;
    this.#calls = new Map();
    this.#results = new Map();
    this.#calibrator = new Calibrator();
    this.#line = 0;
    this.#isLearned = false;
    this.#cacheSeconds = undefined;
  }

  /** What the conversation holds now: at first everything is new, later something may be gone. */
  settle(list: unknown, cwd: string | undefined): void {
    const messages = messagesOf(list);
    if (!this.#isLearned) {
      this.#isLearned = true;
      this.#isResumed = messages.some(({ calls }) => calls.length > 0);
      const isHinted = messages.some(({ calls }) =>
        calls.some(({ text }) => text !== undefined && hintsIn(text).length > 0),
      );
      // Hints were explained before they were given.
      if (isHinted) this.explained(this.#settings.runs ? SPAN_EXPLANATION : EXPLANATION);
      let isAnswer = false;
      for (const message of messages) {
        if (message.isAnswer && !isAnswer) this.#isAnswerAwaited = true;
        isAnswer = message.isAnswer;
        const calls = message.calls.filter(({ id }) => !this.#calls.has(id));
        if (calls.length === 0) continue;
        this.#line++;
        this.#takeAnswer(
          calls.map(({ id, tool: name, input }) => ({ type: "tool_use", id, name, input })),
          cwd,
          null,
        );
        for (const { id, text, isError } of calls) {
          this.#line++;
          if (text !== undefined) this.#takeResult(id, text, isError, null);
        }
      }
      this.#isAnswerAwaited = true;
      this.#calibrator.spoil();
      return;
    }
    const kept = new Set(messages.flatMap(({ calls }) => calls.map(({ id }) => id)));
    const gone = [...this.#results.keys()].filter(id => !kept.has(id));
    if (gone.length === 0) return;
    const lineOf = (id: string) => this.#results.get(id) ?? 0;
    const toLine = Math.max(0, ...[...this.#results.keys()].filter(id => kept.has(id)).map(lineOf));
    const place = this.#place(null);
    // A rewind removes the end; cleared results may be anywhere.
    if (gone.every(id => lineOf(id) > toLine)) this.#facts.push({ fact: "rewind", ...place, toLine });
    else this.#facts.push({ fact: "clear", ...place, ids: gone, by: "cut" });
    for (const id of gone) this.#results.delete(id);
    this.#calibrator.spoil();
  }

  /** A request is sent. */
  ask(request: Row & { readonly model?: unknown }): void {
    if (contextOf(request) !== MAIN) return;
    this.#model = stringOf(request.model) ?? this.#model;
    this.#isAnswerAwaited = true;
    this.#isUsageAwaited = true;
  }

  /** A request was answered, with its usage. `now` in milliseconds. */
  answered(request: Row, result: unknown, now: number): void {
    if (contextOf(request) !== MAIN) return;
    const usage = readUsage(membersOf(result)["usage"]);
    this.#isUsageAwaited = false;
    if (usage.input > 0) {
      this.#facts.push({ fact: "request", ...this.#place(now), continued: true, model: this.#model, ...usage });
      this.#calibrator.request(this.#model, usage.input, usage.output);
    }
    for (const chars of this.#early) this.#calibrator.result(chars);
    this.#early = [];
  }

  /** What a tool returned, in its own shape, before its row comes. */
  returned({ tool_use_id }: Members, answer: unknown): void {
    const { type } = membersOf(membersOf(answer)["result"]);
    if (type === "file_unchanged" && typeof tool_use_id === "string") this.#unchanged.add(tool_use_id);
  }

  /** A row as the conversation keeps it. */
  take(row: Row, cwd: string | undefined, now: number): void {
    if (contextOf(row) !== MAIN) return;
    this.#line++;
    if (row.door === "response") return this.#takeAnswer(blocksIn(row), cwd, now);
    if (row.door !== "tool-result") return this.#takeOther(row);
    for (const block of blocksIn(row)) {
      const id = stringOf(block["tool_use_id"]);
      if (block["type"] !== "tool_result" || id === undefined || this.#results.has(id)) continue;
      this.#takeResult(id, bodyOf(block["content"]), block["is_error"] === true, now);
    }
  }

  /** The conversation was compacted to this list. */
  compacted(compaction: Row, list: unknown): void {
    if (contextOf(compaction) !== MAIN) return;
    this.#compact(messagesOf(list).flatMap(({ calls }) => calls.map(({ id }) => id)));
    this.#isCompacted = true;
  }

  /** Hints were explained to the model. */
  explained(text: string): void {
    this.#facts.push({ fact: "explanation", ...this.#place(null), chars: text.length });
  }

  get isCacheKnown(): boolean {
    return this.#cacheSeconds !== undefined;
  }

  /** The session's log so far: it shows how long prompts are cached. */
  read(log: string): void {
    this.#cacheSeconds = cacheSecondsIn(log);
  }

  /** Everything to show, as of now. */
  basis(isOn: boolean): PaneBasis {
    const { recorder } = this.#caughtUp();
    const { rows, tools, targets, partitionRequests, marks, model, models } = recorder;
    const calibration = calibrate(model, calibrationsOf(this.#calibrator.samples), { everywhere: new Map() });
    const figures = emptyFigures();
    for (let row = 0; row < rows.length; row++) addRow(figures, rows, row, calibration.charsPerToken, 0);
    return {
      figures: rounded(figures),
      calibration,
      use: this.#cached(
        contextUse({ requests: packRequests(recorder.requestCosts), partitionRequests, marks, models }),
      ),
      isCacheKnown: this.isCacheKnown,
      capacity: this.#settings.capacity,
      rows,
      tools,
      targets,
      sources: new Map(recorder.sources.map(({ row, sources }) => [row, sources])),
      isOn,
      isResumed: this.#isResumed,
    };
  }

  /** A mod gets the number of cached tokens, but not for how long; the shorter time is assumed. */
  #cached(use: ContextUse | undefined): ContextUse | undefined {
    if (use?.cachedUntil === undefined || this.#cacheSeconds === undefined) return use;
    return { ...use, cachedUntil: use.cachedUntil - SHORTEST_CACHE + this.#cacheSeconds };
  }

  #caughtUp(): Replayed {
    this.#replayed ??= this.#fresh();
    const { replay } = this.#replayed;
    for (const fact of this.#facts.slice(this.#replayed.taken)) replay.take(fact);
    this.#replayed.taken = this.#facts.length;
    return this.#replayed;
  }

  #fresh(): Replayed {
    const recorder = new ContextRecorder(MAIN, { keepEvents: false, keepDetails: true });
    return { recorder, replay: new ContextReplay(this.#settings, recorder), taken: 0 };
  }

  #takeAnswer(blocks: readonly Members[], cwd: string | undefined, now: number | null): void {
    const place = this.#place(now);
    if (this.#isAnswerAwaited) {
      this.#isAnswerAwaited = false;
      const unknown = { input: 0, written5m: 0, written1h: 0, cacheRead: 0, output: 0 };
      this.#facts.push({ fact: "request", ...place, continued: false, model: this.#model, ...unknown });
    }
    for (const block of blocks) {
      const found = readCall(block, cwd, { callOffset: -1, context: MAIN, callLine: this.#line });
      if (found === undefined || this.#calls.has(found.id)) continue;
      const { id, call } = found;
      this.#calls.set(id, call);
      const { tool, target, callLine } = call;
      const strings = Object.entries(membersOf(block["input"])).filter(
        (member): member is [string, string] => typeof member[1] === "string",
      );
      const fact = { fact: "call" as const, ...place, id, tool, target, uuid: id, callLine, strings };
      this.#facts.push(digest(fact, false, fingerprintOf, this.#scanner));
    }
  }

  #takeResult(id: string, body: string | null, error: boolean, now: number | null): void {
    this.#results.set(id, this.#line);
    const chars = body === null ? null : body.length;
    if (this.#isUsageAwaited) this.#early.push(chars);
    else this.#calibrator.result(chars);
    const { context: _, ...call } = this.#calls.get(id) ?? UNKNOWN_CALL;
    const native = this.#unchanged.delete(id);
    const fact = { fact: "result" as const, ...this.#place(now), id, uuid: id, ...call, body, error, native };
    this.#facts.push(digest(fact, this.#settings.nearRef, fingerprintOf, this.#scanner));
  }

  #takeOther(row: Row): void {
    this.#calibrator.spoil();
    if (row.door === "compaction" && membersOf(row.message)["name"] === "compact_boundary") {
      // The result of a compaction does not always come first.
      if (!this.#isCompacted) this.#compact([]);
      this.#isCompacted = false;
    }
    if (row.door === "attachment" && membersOf(row.message)["name"] === "tool_results_cut") {
      this.#facts.push({ fact: "clear", ...this.#place(null), ids: "all", by: "cut" });
    }
  }

  #compact(preserved: readonly string[]): void {
    const unknown = { trigger: undefined, preTokens: undefined, postTokens: undefined };
    this.#facts.push({ fact: "boundary", ...this.#place(null), preserved, ...unknown });
    this.#results = new Map([...this.#results].filter(([id]) => preserved.includes(id)));
    this.#calibrator.spoil();
  }

  #place(now: number | null): Place {
    return { line: this.#line, offset: 0, at: now === null ? null : new Date(now).toISOString() };
  }
}

import { digest, type ReplayFact } from "../dedup/digest.js";
import { type DedupEvent, isResultEvent } from "../dedup/events.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { mayBeNear } from "../dedup/near.js";
import { ContextReplay, type Decision, type ReplaySink } from "../dedup/replay.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { Run } from "../dedup/span/matcher.js";
import type { ComparedContext } from "../inspect/contextComparison.js";
import type { LogData } from "../inspect/logData.js";
import type { SpanStrategy, StrategyOptions } from "../inspect/strategies.js";
import type { Bytes } from "../log/bytes.js";
import type { Sample } from "../log/calibration.js";
import type { BoundaryFact, Fact, RequestFact } from "../log/facts.js";
import type { LogHeader } from "../log/header.js";
import { agentOfFile } from "../log/layout.js";
import { LogReader, type SavedReader } from "../log/reader.js";
import { ContextModel, type ContextModelOptions } from "./contextModel.js";
import { StrategyModel } from "./strategyModel.js";

export interface ReplayOptions extends ContextModelOptions {
  readonly settings: DedupSettings;
  /** Keep what a later replay needs: see `save`. */
  readonly keepFacts: boolean;
  /** Leave out the sweep over capacities. */
  readonly withoutSweep?: boolean;
  /** Also tell what every strategy would save. That needs the texts: the log is read from its start. */
  readonly strategies?: StrategyOptions | undefined;
}

/** Hears of every event as it happens, with the result's subject where it is about one. */
export type EventListener = (context: string, event: DedupEvent, target: string) => void;

/** What a log said so far and how to go on: enough for a replay under other settings without the bytes. */
export interface SavedLog {
  readonly reader: SavedReader;
  /** In file order, each with the id of its context. */
  readonly facts: readonly (readonly [context: string, fact: ReplayFact])[];
}

/** Reads and replays one log file as its bytes come in, in pieces of any size. */
export class LogModel {
  readonly path: string;
  #options: ReplayOptions;
  readonly #reader: LogReader;
  readonly #contexts = new Map<string, ContextState>();
  readonly #facts: [string, ReplayFact][] | undefined;
  /** Set by who wants to hear of events from now on. */
  onEvent: EventListener | undefined;

  /** `saved`: go on where an earlier model of the same log stopped. */
  constructor(path: string, options: ReplayOptions, saved?: SavedLog) {
    this.path = path;
    this.#options = options;
    const withTexts = options.strategies !== undefined;
    const past = withTexts ? undefined : saved;
    this.#reader = new LogReader((context, fact) => this.#read(context.id, fact), {
      agentOfFile: agentOfFile(path),
      resume: past?.reader,
      tellCalls: withTexts,
    });
    this.#facts = options.keepFacts ? [] : undefined;
    for (const [context, fact] of past?.facts ?? []) this.#take(context, fact);
  }

  push(chunk: Bytes): void {
    this.#reader.push(chunk);
  }

  /** Forgets the bytes of an unfinished line: the file was cut back to its last whole one. */
  dropUnfinished(): void {
    this.#reader.dropUnfinished();
  }

  /** All bytes before this position are understood. */
  get consumed(): number {
    return this.#reader.consumed;
  }

  /** The contexts by id, in order of first appearance. */
  get contexts(): ContextModel[] {
    return [...this.#reader.contexts.keys()].map(id => this.#contextOf(id).model);
  }

  get samples(): Sample[] {
    return this.#reader.samples;
  }

  get header(): Readonly<LogHeader> {
    return this.#reader.header;
  }

  /** Finished lines so far, bad ones included. */
  get lines(): number {
    return this.#reader.lines;
  }

  data(): LogData {
    const { header, lines, samples, contexts } = this.#reader;
    const ownFile = agentOfFile(this.path) === undefined ? undefined : this.path;
    return {
      path: this.path,
      sessionId: header.sessionId,
      project: header.project,
      title: header.title,
      firstAt: header.firstAt,
      lastAt: header.lastAt,
      models: [...header.models],
      versions: [...header.versions],
      lines,
      badLines: header.badLines,
      overlongLines: header.overlongLines,
      failedLines: header.failedLines,
      failure: header.failure,
      leftOutLines: header.leftOutLines,
      samples,
      contexts: [...contexts.keys()].map(id => {
        const { model, strategies } = this.#contextOf(id);
        return model.data(ownFile, strategies?.rows.cells());
      }),
    };
  }

  /** Undefined unless facts were kept. */
  save(): SavedLog | undefined {
    if (this.#facts === undefined) return undefined;
    const { strategies, settings } = this.#options;
    // Only near-references need the texts.
    const holdsMore = strategies !== undefined && !settings.nearRef;
    const facts = holdsMore ? this.#facts.map(([context, fact]) => [context, withoutText(fact)] as const) : this.#facts;
    return { reader: this.#reader.state, facts };
  }

  /**
   * Compares the strategies under other settings: only what was kept of the texts is needed, and what runs of lines
   * save stays as it is. So do rows, marks and events: they tell of the settings under which each line was read. For
   * models that keep their facts and compare strategies.
   */
  compareUnder(settings: DedupSettings): void {
    this.#options = { ...this.#options, settings };
    for (const [id, { model, sink, strategies }] of this.#contexts) {
      sink.isSilent = true;
      this.#contexts.set(id, this.#contextWith(model, sink, strategies?.under(settings)));
    }
    for (const [id, fact] of this.#facts ?? []) {
      const { replay, strategies } = this.#contextOf(id);
      strategies?.retake(fact);
      replay.take(fact);
    }
    for (const { sink } of this.#contexts.values()) sink.isSilent = false;
  }

  /** Undefined where there is no such context, or its strategies are not compared. */
  compared(context: string): ComparedContext | undefined {
    const { model, strategies } = this.#contexts.get(context) ?? {};
    return model && strategies && { model, strategies: strategies.rows };
  }

  /** The runs of lines that a strategy replaces in a row's text. */
  runsOf(context: string, row: number, strategy: SpanStrategy): readonly Run[] {
    return this.#contexts.get(context)?.strategies?.runsOf(row, strategy) ?? [];
  }

  #read(context: string, fact: Fact): void {
    const { settings, strategies } = this.#options;
    if (strategies === undefined) return this.#take(context, digest(fact, settings.nearRef, fingerprint));
    this.#contextOf(context).strategies?.take(fact);
    if (fact.fact === "call") return;
    const mayRefer = fact.fact === "result" && fact.body !== null && mayBeNear(fact.body);
    this.#take(context, digest(fact, mayRefer, fingerprint));
  }

  #take(context: string, fact: ReplayFact): void {
    this.#facts?.push([context, fact]);
    this.#contextOf(context).replay.take(fact);
  }

  #contextOf(id: string): ContextState {
    return this.#contexts.get(id) ?? this.#newContext(id);
  }

  #newContext(id: string): ContextState {
    const { settings, strategies, keepDetails } = this.#options;
    const model = new ContextModel(id, this.#options);
    const sink = new Announcer(model, (event, target) => this.onEvent?.(id, event, target));
    const all = strategies && new StrategyModel(settings, { ...strategies, keepRuns: keepDetails });
    const created = this.#contextWith(model, sink, all);
    this.#contexts.set(id, created);
    return created;
  }

  #contextWith(model: ContextModel, sink: Announcer, strategies: StrategyModel | undefined): ContextState {
    const { settings, withoutSweep } = this.#options;
    const replay = new ContextReplay(settings, sink, { sweep: withoutSweep !== true, others: strategies?.caches });
    return { model, sink, replay, strategies };
  }
}

interface ContextState {
  readonly model: ContextModel;
  readonly sink: Announcer;
  readonly replay: ContextReplay;
  readonly strategies: StrategyModel | undefined;
}

function withoutText(fact: ReplayFact): ReplayFact {
  return fact.fact === "result" && fact.body !== undefined ? { ...fact, body: undefined } : fact;
}

/** Passes everything on to the model, and tells each event once its subject is known. */
class Announcer implements ReplaySink {
  /** What is replayed once more has been told. Written twice at once: no compiler may take it for a constant. */
  isSilent = true;
  readonly #model: ContextModel;
  readonly #tell: (event: DedupEvent, target: string) => void;

  constructor(model: ContextModel, tell: (event: DedupEvent, target: string) => void) {
    this.isSilent = false;
    this.#model = model;
    this.#tell = tell;
  }

  event(event: DedupEvent): void {
    if (this.isSilent) return;
    this.#model.event(event);
    if (!isResultEvent(event)) this.#tell(event, "");
  }

  decided(decision: Decision): void {
    if (this.isSilent) return;
    this.#model.decided(decision);
    this.#tell(decision.event, decision.result.target);
  }

  settled(): void {
    if (!this.isSilent) this.#model.settled();
  }

  request(request: RequestFact, partition: number): void {
    if (!this.isSilent) this.#model.request(request, partition);
  }

  boundary(fact: BoundaryFact): void {
    if (!this.isSilent) this.#model.boundary(fact);
  }
}

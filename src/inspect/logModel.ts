import { digest, type ReplayFact } from "../dedup/digest.js";
import { type DedupEvent, isResultEvent } from "../dedup/events.js";
import { ContextReplay, type Decision, type ReplaySink } from "../dedup/replay.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { Bytes } from "../log/bytes.js";
import type { Sample } from "../log/calibration.js";
import type { BoundaryFact, RequestFact } from "../log/facts.js";
import { agentOfFile, type LogFile } from "../log/layout.js";
import { type LogHeader, LogReader, type SavedReader } from "../log/reader.js";
import { type ContextData, ContextModel, type ContextModelOptions } from "./contextModel.js";

/** Everything one log file gave: plain data that can change threads. */
export interface LogData extends LogFile {
  readonly project: string | undefined;
  readonly title: string | undefined;
  readonly firstAt: string | undefined;
  readonly lastAt: string | undefined;
  readonly models: readonly string[];
  readonly versions: readonly string[];
  readonly lines: number;
  readonly badLines: number;
  readonly overlongLines: number;
  readonly samples: readonly Sample[];
  readonly contexts: readonly ContextData[];
}

export interface ReplayOptions extends ContextModelOptions {
  readonly settings: DedupSettings;
  /** Keep what a later replay needs: see `save`. */
  readonly keepFacts: boolean;
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
  readonly #options: ReplayOptions;
  readonly #reader: LogReader;
  readonly #contexts = new Map<string, { model: ContextModel; replay: ContextReplay }>();
  readonly #facts: [string, ReplayFact][] | undefined;
  /** Set by who wants to hear of events from now on. */
  onEvent: EventListener | undefined;

  /** `saved`: go on where an earlier model of the same log stopped. */
  constructor(path: string, options: ReplayOptions, saved?: SavedLog) {
    this.path = path;
    this.#options = options;
    this.#reader = new LogReader((context, fact) => this.#take(context.id, digest(fact, options.settings.nearRef)), {
      agentOfFile: agentOfFile(path),
      resume: saved?.reader,
    });
    this.#facts = options.keepFacts ? [] : undefined;
    for (const [context, fact] of saved?.facts ?? []) this.#take(context, fact);
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
      samples,
      contexts: [...contexts.keys()].map(id => this.#contextOf(id).model.data(ownFile)),
    };
  }

  /** Undefined unless facts were kept. */
  save(): SavedLog | undefined {
    return this.#facts && { reader: this.#reader.state, facts: this.#facts };
  }

  #take(context: string, fact: ReplayFact): void {
    this.#facts?.push([context, fact]);
    this.#contextOf(context).replay.take(fact);
  }

  #contextOf(id: string): { model: ContextModel; replay: ContextReplay } {
    const known = this.#contexts.get(id);
    if (known !== undefined) return known;
    const model = new ContextModel(id, this.#options);
    const sink = new Announcer(model, (event, target) => this.onEvent?.(id, event, target));
    const created = { model, replay: new ContextReplay(this.#options.settings, sink, { sweep: true }) };
    this.#contexts.set(id, created);
    return created;
  }
}

/** Passes everything on to the model, and tells each event once its subject is known. */
class Announcer implements ReplaySink {
  readonly #model: ContextModel;
  readonly #tell: (event: DedupEvent, target: string) => void;

  constructor(model: ContextModel, tell: (event: DedupEvent, target: string) => void) {
    this.#model = model;
    this.#tell = tell;
  }

  event(event: DedupEvent): void {
    this.#model.event(event);
    if (!isResultEvent(event)) this.#tell(event, "");
  }

  decided(decision: Decision): void {
    this.#model.decided(decision);
    this.#tell(decision.event, decision.result.target);
  }

  settled(): void {
    this.#model.settled();
  }

  request(request: RequestFact, partition: number): void {
    this.#model.request(request, partition);
  }

  boundary(fact: BoundaryFact): void {
    this.#model.boundary(fact);
  }
}

import type { Decision, ReplaySink } from "../dedup/decision.js";
import { digest, type ReplayFact } from "../dedup/digest.js";
import type { Emission } from "../dedup/emission.js";
import { type DedupEvent, isResultEvent } from "../dedup/events.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { mayBeNear } from "../dedup/near.js";
import { ContextReplay } from "../dedup/replay.js";
import { LineScanner } from "../dedup/runs/lines.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { ComparedContext } from "../inspect/contextComparison.js";
import type { LogData } from "../inspect/logData.js";
import type { RunStrategy } from "../inspect/strategies.js";
import { arePacked, type PackedFacts, unpackFacts } from "../kernel/packedFacts.js";
import type { Bytes } from "../log/bytes.js";
import type { Sample } from "../log/calibration.js";
import type { AnswerFact, BoundaryFact, Fact, RequestFact } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";
import type { LogHeader } from "../log/logHeader.js";
import { LogReader, type SavedReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { fastestParser } from "../scanner/scanner.js";
import { ContextRecorder, type RecorderOptions } from "./contextRecorder.js";
import { logDataOf } from "./logDataOf.js";
import { PassRecorder } from "./passRecorder.js";
import { QuickReplay, type ShownContext, type ShownLog } from "./quickReplay.js";
import { StrategyRecorder } from "./strategyReplays.js";

export interface PipelineOptions extends RecorderOptions {
  readonly settings: DedupSettings;
  /** Keep what a later replay needs, for `save`. */
  readonly keepFacts: boolean;
  /** Skip the capacity sweep. */
  readonly withoutSweep?: boolean;
  /** Also replay every strategy. Near-references need the texts, so the log is read from its start. */
  readonly strategies?: boolean | undefined;
  /** Also measure other systems' passes. That needs the messages, so the log is read from its start. */
  readonly passes?: boolean | undefined;
  /**
   * Kept facts need not include what settings hooks can replace, which takes an eighth of a panel's first reading: for that
   * door, the log is read again.
   */
  readonly withoutHooks?: boolean;
  /** Rows and marks are shown before anything else is needed: the rest is replayed later, or when the log grows. */
  readonly isShownFirst?: boolean;
}

/** Called for every event as it happens; `target` is what the call was about, or "" for events without a call. */
export type EventListener = (context: string, event: DedupEvent, target: string) => void;

/** What was read from a log, and how to continue: enough to replay it under other settings without the bytes. */
export interface SavedLog {
  readonly reader: SavedReader;
  /** In file order, each with the id of its context; only unpacked ones may hold texts. */
  readonly facts: PackedFacts | readonly (readonly [context: string, fact: ReplayFact])[];
  /** Whether they include what settings hooks can replace. */
  readonly forHooks: boolean;
  /** What is shown first, if it has just been replayed under the settings that the log continues with. */
  readonly shown?: ShownLog | undefined;
}

/** Takes one log through all stages as its bytes come in: lines, facts, decisions, rows. */
export class LogPipeline {
  readonly path: string;
  #options: PipelineOptions;
  /** What an earlier pipeline read; undefined once this one continues. */
  #past: SavedLog | undefined;
  /** Created when there is something to read: until then, the state to continue from need not exist. */
  #reader: LogReader | undefined;
  readonly #contexts = new Map<string, ContextState>();
  readonly #facts: [string, ReplayFact][] | undefined;
  /** Whether all facts, or those being read, include what settings hooks can replace. */
  readonly #forHooks: boolean;
  readonly #readsForHooks: boolean;
  /** Until more than rows and marks is needed. */
  #quick: QuickReplay | undefined;
  readonly #scanner = new LineScanner();
  readonly #passes: PassRecorder | undefined;
  onEvent: EventListener | undefined;

  /** `saved`: continue where an earlier pipeline for the same log stopped. */
  constructor(path: string, options: PipelineOptions, saved?: SavedLog) {
    this.path = path;
    this.#options = options;
    const past = usableFacts(options, saved);
    this.#passes = options.passes ? new PassRecorder(agentOfFile(path)) : undefined;
    this.#past = past;
    this.#facts = options.keepFacts ? [] : undefined;
    this.#readsForHooks = readsForHooks(options, past);
    this.#forHooks = past?.forHooks ?? this.#readsForHooks;
    this.#quick = QuickReplay.of(options, past);
    if (this.#quick !== undefined) return;
    for (const [context, fact] of past ? factsOf(past) : []) this.#take(context, fact);
  }

  push(chunk: Bytes): void {
    if (this.#quick?.isFinished) this.#replayWhole();
    this.#resumed().push(chunk);
    // Not while a line is read: an error would be blamed on that line.
    this.#quickly(quick => quick.replay());
    this.#passes?.push(chunk);
  }

  /** Discards the bytes of an unfinished line: the file was truncated to its last whole line. */
  dropUnfinished(): void {
    this.#reader?.dropUnfinished();
    this.#passes?.dropUnfinished();
  }

  /** All bytes before this offset belong to lines that were processed. */
  get consumed(): number {
    return this.#log.consumed;
  }

  #resumed(): LogReader {
    this.#reader ??= new LogReader((context, fact) => this.#read(context.id, fact), {
      agentOfFile: agentOfFile(this.path),
      resume: this.#past?.reader,
      withCalls: true,
      parser: fastestParser(),
    });
    this.#past = undefined;
    return this.#reader;
  }

  /** What is known about the log. */
  get #log(): ShownLog["log"] {
    return this.#past?.shown?.log ?? this.#resumed();
  }

  /** Everything available was pushed: completes the replay of what is shown first. */
  finish(): void {
    this.#quickly(quick => quick.finish());
  }

  /** The contexts by id, in order of first appearance. */
  get contexts(): ShownContext[] {
    this.finish();
    const quick = this.#quick;
    return [...this.#log.contexts.keys()].map(id => quick?.context(id, () => this.#whole(id)) ?? this.#whole(id));
  }

  #whole(id: string): ContextRecorder {
    this.#replayWhole();
    return this.#contextOf(id).recorder;
  }

  get samples(): readonly Sample[] {
    return this.#log.samples;
  }

  get header(): Readonly<LogHeader> {
    return this.#log.header;
  }

  /** Finished lines so far, bad ones included. */
  get lines(): number {
    return this.#log.lines;
  }

  data(): LogData {
    this.finish();
    const quick = this.#quick;
    const partitions = this.#passes?.partitions();
    return logDataOf(this.path, this.#log, (id, file) => {
      if (quick !== undefined) return { ...quick.figures(id), ...(file !== undefined && { file }) };
      const { recorder, strategies } = this.#contextOf(id);
      const data = recorder.data(file, strategies);
      return partitions ? { ...data, passes: partitions.get(id) ?? [] } : data;
    });
  }

  /** Undefined unless facts are kept. */
  save(): SavedLog | undefined {
    if (this.#facts === undefined) return undefined;
    this.finish();
    const forHooks = this.#forHooks;
    const reader = this.#past?.reader ?? this.#resumed().state;
    if (this.#quick !== undefined) return { reader, facts: this.#quick.facts(), forHooks };
    const { strategies, settings } = this.#options;
    // Only near-references need the texts.
    const holdsMore = strategies === true && !settings.nearRef;
    const facts = holdsMore ? this.#facts.map(([context, fact]) => [context, withoutText(fact)] as const) : this.#facts;
    return { reader, facts, forHooks };
  }

  /**
   * Compares the strategies under other settings, from the facts alone. Rows, marks and events stay unchanged: they
   * belong to the settings under which each line was read. Only for pipelines that keep facts and compare strategies.
   */
  compareUnder(settings: DedupSettings): void {
    this.#options = { ...this.#options, settings };
    for (const [id, { recorder, relay }] of this.#contexts) {
      relay.isMuted = true;
      this.#contexts.set(id, this.#contextWith(recorder, relay));
    }
    for (const [id, fact] of this.#facts ?? []) this.#replay(id, fact);
    for (const { relay } of this.#contexts.values()) relay.isMuted = false;
  }

  /** Undefined if there is no such context, or strategies are not compared. */
  compared(context: string): ComparedContext | undefined {
    const { recorder, strategies } = this.#contexts.get(context) ?? {};
    return recorder && strategies && { model: recorder, strategies: strategies.rows, sizes: strategies.sizes.cells() };
  }

  /** What a strategy replaces a row's text with; undefined if it stays unchanged. */
  emissionOf(context: string, row: number, strategy: RunStrategy): Emission | undefined {
    return this.#contexts.get(context)?.strategies?.emissionOf(row, strategy);
  }

  #read(context: string, fact: Fact<LogText>): void {
    const { settings, strategies } = this.#options;
    const mayRefer = strategies === true && fact.fact === "result" && fact.body !== null && mayBeNear(fact.body);
    const digested = digest(fact, settings.nearRef || mayRefer, fingerprint, this.#scanner, this.#readsForHooks);
    if (this.#quick === undefined) this.#take(context, digested);
    else this.#quick.add(context, digested);
  }

  /** If the kernel fails, due to memory or another log begun in the meantime, falls back to the facts. */
  #quickly(act: (quick: QuickReplay) => void): void {
    if (this.#quick === undefined) return;
    try {
      act(this.#quick);
    } catch {
      this.#replayWhole();
    }
  }

  #replayWhole(): void {
    const quick = this.#quick;
    if (quick === undefined) return;
    this.#quick = undefined;
    for (const [context, fact] of unpackFacts(quick.facts())) this.#take(context, fact);
  }

  #take(context: string, fact: ReplayFact): void {
    this.#facts?.push([context, fact]);
    this.#replay(context, fact);
  }

  #replay(context: string, fact: ReplayFact): void {
    const { replay, strategies } = this.#contextOf(context);
    if (fact.fact === "result") strategies?.begin();
    replay.take(fact);
  }

  #contextOf(id: string): ContextState {
    return this.#contexts.get(id) ?? this.#newContext(id);
  }

  #newContext(id: string): ContextState {
    const recorder = new ContextRecorder(id, this.#options);
    const relay = new EventRelay(recorder, (event, target) => this.onEvent?.(id, event, target));
    const created = this.#contextWith(recorder, relay);
    this.#contexts.set(id, created);
    return created;
  }

  #contextWith(recorder: ContextRecorder, relay: EventRelay): ContextState {
    const { settings, withoutSweep, keepDetails: keepEmissions } = this.#options;
    const strategies = this.#options.strategies ? new StrategyRecorder(settings, { keepEmissions }) : undefined;
    const replay = new ContextReplay(settings, relay, { sweep: withoutSweep !== true, others: strategies?.ways });
    return { recorder, relay, replay, strategies };
  }
}

/** What a pipeline continues from; undefined if that is not enough, and the log must be read from its start. */
export function usableFacts(options: PipelineOptions, saved: SavedLog | undefined): SavedLog | undefined {
  const { settings, strategies, passes } = options;
  return strategies || passes || (settings.door === "hooks" && !saved?.forHooks) ? undefined : saved;
}

/** Whether to find out what settings hooks can replace: kept facts serve other settings, too. */
export function readsForHooks(options: PipelineOptions, past: SavedLog | undefined): boolean {
  const { settings, keepFacts, withoutHooks } = options;
  return settings.door === "hooks" || (keepFacts && (past?.forHooks ?? !withoutHooks));
}

/** One after another, on demand. */
function factsOf({ facts }: SavedLog): Iterable<readonly [context: string, fact: ReplayFact]> {
  return arePacked(facts) ? unpackFacts(facts) : facts;
}

interface ContextState {
  readonly recorder: ContextRecorder;
  readonly relay: EventRelay;
  readonly replay: ContextReplay;
  readonly strategies: StrategyRecorder | undefined;
}

function withoutText(fact: ReplayFact): ReplayFact {
  return fact.fact === "result" && fact.body !== undefined ? { ...fact, body: undefined } : fact;
}

/** Passes everything on to the recorder, and each event to the listener once its target is known. */
class EventRelay implements ReplaySink {
  /** While the past is replayed again. Assigned twice right away, so that V8 does not treat it as a constant. */
  isMuted = true;
  readonly #recorder: ContextRecorder;
  readonly #notify: (event: DedupEvent, target: string) => void;

  constructor(recorder: ContextRecorder, notify: (event: DedupEvent, target: string) => void) {
    this.isMuted = false;
    this.#recorder = recorder;
    this.#notify = notify;
  }

  event(event: DedupEvent): void {
    if (this.isMuted) return;
    this.#recorder.event(event);
    if (!isResultEvent(event)) this.#notify(event, "");
  }

  decided(decision: Decision): void {
    if (this.isMuted) return;
    this.#recorder.decided(decision);
    this.#notify(decision.event, decision.result.target);
  }

  askedAgain(hinted: string): void {
    if (!this.isMuted) this.#recorder.askedAgain(hinted);
  }

  settled(): void {
    if (!this.isMuted) this.#recorder.settled();
  }

  request(request: RequestFact, partition: number): void {
    if (!this.isMuted) this.#recorder.request(request, partition);
  }

  answer(answer: AnswerFact): void {
    if (!this.isMuted) this.#recorder.answer(answer);
  }

  boundary(fact: BoundaryFact): void {
    if (!this.isMuted) this.#recorder.boundary(fact);
  }
}

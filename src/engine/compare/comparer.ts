/** Compares the ways to save on one session. Reads its logs once for their texts, and from then on what is added. */
import { fstatSync } from "node:fs";
import type { ReplayFollower } from "../../batch/replayLog.js";
import type { PassRates } from "../../dedup/passes/price.js";
import type { DedupSettings } from "../../dedup/settings.js";
import type { Run } from "../../dedup/span/matcher.js";
import { readBytes, withOpenFile } from "../../files/openFile.js";
import { type ComparedContext, compareContext } from "../../inspect/contextComparison.js";
import { measurePartition, type PartitionPasses, projectPartition } from "../../inspect/passFigures.js";
import { priceOf, ratesOf, readShare, withListPrices } from "../../inspect/prices.js";
import { buildReport, withStrategies } from "../../inspect/report.js";
import type { SpanStrategy, Strategy } from "../../inspect/strategies.js";
import { calibrate, calibrationsOf, type Sample } from "../../log/calibration.js";
import { ConversationReader } from "../../log/conversation/conversationReader.js";
import { agentOfFile } from "../../log/sessionFiles.js";
import { LogPipeline } from "../../pipeline/logPipeline.js";
import {
  type ComparedSession,
  type ContextComparison,
  comparisonOf,
  type EmittedRun,
} from "../../protocol/comparison.js";
import type { FigureSettings } from "../../settings/table.js";
import { LogFollower } from "../../tail/follower.js";
import { contextKey } from "../sessionView.js";

/** The line of a text in the log for a line of the emitted text, both from 1: each run became one line. */
function lineBefore(runs: readonly Run[], emitted: number): number {
  let line = emitted;
  for (const { start, end } of runs) if (start + 1 < line) line += end - start - 1;
  return line;
}

/** Keeps one session: nobody switches between two so quickly that keeping both would pay. */
export class Comparer {
  #logs = new Map<string, ComparedLog>();

  compare(session: ComparedSession): ContextComparison {
    const { settings, figures } = session;
    const found = this.#find(session);
    const context = found?.log.compared(found.id);
    if (found === undefined || context === undefined)
      return { ...comparisonOf(buildReport([], settings, () => true, withStrategies(figures))), partitions: [] };
    const charsPerToken = this.#charsPerToken(session, found);
    return compareContext(context, { settings, ...withStrategies(figures), charsPerToken });
  }

  passes(session: ComparedSession): PartitionPasses | null {
    const found = this.#find(session);
    if (found === undefined) return null;
    const price = priceOf(found.log.modelOf(found.id), withListPrices(session.figures.prices));
    // What it would cost from now on, at today's rates.
    const rates = price && ratesOf(price, 0, 0);
    return found.log.passes(found.id, {
      charsPerToken: this.#charsPerToken(session, found),
      readShare: readShare(rates),
    });
  }

  #charsPerToken({ everywhere, figures }: ComparedSession, { log, id }: FoundContext): number {
    const own = calibrationsOf([...this.#logs.values()].flatMap(({ samples }) => samples));
    return calibrate(log.modelOf(id), own, { everywhere, set: figures.charsPerToken }).charsPerToken;
  }

  /** The characters that a strategy saves: pairs of a row and a number, only for rows where it saves any. */
  savings(session: ComparedSession, strategy: Strategy): number[] {
    const found = this.#find(session);
    const rows = found?.log.compared(found.id)?.strategies;
    const pairs: number[] = [];
    for (let row = 0; row < (rows?.length ?? 0); row++) {
      const savedChars = rows?.find(row, strategy)?.savedChars ?? 0;
      if (savedChars > 0) pairs.push(row, savedChars);
    }
    return pairs;
  }

  /** The runs of lines in a result, each with the call that holds its lines and their place in it. */
  runs(session: ComparedSession, row: number, strategy: SpanStrategy): EmittedRun[] {
    const found = this.#find(session);
    if (found === undefined) return [];
    const { log, id } = found;
    const runsOf = (of: number) => log.runsOf(id, of, strategy);
    return runsOf(row).map(run => {
      const { input, from, to } = run.hint;
      const source = log.rowOf(id, run.hint.id);
      const earlier = input === undefined && source >= 0 ? runsOf(source) : [];
      const original = (line: number) => lineBefore(earlier, line);
      return {
        run,
        hint: { row: source < 0 ? null : source, input: input ?? null, from: original(from), to: original(to) },
      };
    });
  }

  #find(session: ComparedSession): FoundContext | undefined {
    const before = this.#logs;
    this.#logs = new Map();
    for (const file of session.files) {
      const known = before.get(file);
      const log = known?.fits(session.figures) ? known : new ComparedLog(file, session);
      log.update(session.settings);
      this.#logs.set(file, log);
    }
    for (const [file, log] of this.#logs) {
      const id = log.contexts.find(context => contextKey(file, context) === session.context);
      if (id !== undefined) return { log, id };
    }
    return undefined;
  }
}

interface FoundContext {
  readonly log: ComparedLog;
  readonly id: string;
}

class ComparedLog {
  readonly #follower: ReplayFollower;
  readonly #spanMinBytes: number;
  #settings: DedupSettings;
  #conversations: ConversationReader;
  #conversationsRead = 0;

  constructor(path: string, { settings, figures }: ComparedSession) {
    this.#settings = settings;
    const { strategies } = withStrategies(figures);
    this.#spanMinBytes = strategies.spanMinBytes;
    const options = { strategies, keepEvents: false, keepDetails: true, keepFacts: true, withoutSweep: true };
    this.#follower = new LogFollower(path, log => new LogPipeline(path, { ...options, settings: this.#settings }, log));
    this.#conversations = new ConversationReader({ agentOfFile: agentOfFile(path) });
  }

  fits({ spanMinBytes }: FigureSettings): boolean {
    return this.#spanMinBytes === spanMinBytes;
  }

  get contexts(): string[] {
    return this.#follower.sink.contexts.map(({ id }) => id);
  }

  update(settings: DedupSettings): void {
    if (JSON.stringify(settings) !== JSON.stringify(this.#settings)) this.#follower.sink.compareUnder(settings);
    this.#settings = settings;
    if (this.#follower.update() !== "restarted") return;
    this.#conversations = new ConversationReader({ agentOfFile: agentOfFile(this.#follower.path) });
    this.#conversationsRead = 0;
  }

  compared(context: string): ComparedContext | undefined {
    return this.#follower.sink.compared(context);
  }

  get samples(): readonly Sample[] {
    return this.#follower.sink.samples;
  }

  modelOf(context: string): string {
    return this.#follower.sink.contexts.find(({ id }) => id === context)?.model ?? "";
  }

  rowOf(context: string, id: string): number {
    return this.#follower.sink.contexts.find(one => one.id === context)?.ids.indexOf(id) ?? -1;
  }

  runsOf(context: string, row: number, strategy: SpanStrategy): readonly Run[] {
    return this.#follower.sink.runsOf(context, row, strategy);
  }

  passes(context: string, rates: PassRates): PartitionPasses | null {
    this.#readConversations();
    const live = this.#conversations.contexts.get(context)?.live();
    const measured = live && measurePartition(live, context !== "main");
    return measured ? projectPartition(measured, rates) : null;
  }

  #readConversations(): void {
    withOpenFile(this.#follower.path, file => {
      this.#conversationsRead = readBytes(file, this.#conversationsRead, fstatSync(file).size, bytes =>
        this.#conversations.push(bytes),
      );
    });
  }
}

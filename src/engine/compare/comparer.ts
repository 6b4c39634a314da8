/** Compares the strategies on one session. Reads its logs once for their texts, and then only what is added. */
import { fstatSync } from "node:fs";
import type { ReplayFollower } from "../../batch/replayLog.js";
import type { Emission } from "../../dedup/emission.js";
import type { PassRates } from "../../dedup/passes/price.js";
import type { DedupSettings } from "../../dedup/settings.js";
import { readBytes, withOpenFile } from "../../files/openFile.js";
import { type ComparedContext, compareContext } from "../../inspect/contextComparison.js";
import { modelAtEnd } from "../../inspect/cost.js";
import { measurePartition, type PartitionPasses, projectPartition } from "../../inspect/passFigures.js";
import { currentRates, readShare, withListPrices } from "../../inspect/prices.js";
import { buildReport } from "../../inspect/report.js";
import type { RunStrategy, Strategy } from "../../inspect/strategies.js";
import { calibrate, calibrationsOf, type Sample } from "../../log/calibration.js";
import { ConversationReader } from "../../log/conversation/conversationReader.js";
import { agentOfFile } from "../../log/sessionFiles.js";
import { LogPipeline } from "../../pipeline/logPipeline.js";
import {
  type ComparedSession,
  type ContextComparison,
  comparisonOf,
  type PlacedEmission,
} from "../../protocol/comparison.js";
import { LogFollower } from "../../tail/follower.js";
import { contextKey } from "../sessionView.js";
import { placed } from "../texts/emissions.js";

/** Keeps one session: nobody switches between two fast enough for keeping both to pay off. */
export class Comparer {
  #logs = new Map<string, ComparedLog>();

  compare(session: ComparedSession): ContextComparison {
    const { settings, figures } = session;
    const found = this.#find(session);
    const context = found?.log.compared(found.id);
    if (found === undefined || context === undefined)
      return {
        ...comparisonOf(buildReport([], settings, () => true, { strategies: true, ...figures })),
        partitions: [],
      };
    const charsPerToken = this.#charsPerToken(session, found);
    return compareContext(context, { settings, prices: figures.prices, charsPerToken });
  }

  passes(session: ComparedSession): PartitionPasses | null {
    const found = this.#find(session);
    if (found === undefined) return null;
    const rates = currentRates(found.log.newestModelOf(found.id), withListPrices(session.figures.prices));
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

  /** What a strategy replaces a result with; null if it stays unchanged. */
  emission(session: ComparedSession, row: number, strategy: RunStrategy): PlacedEmission | null {
    const found = this.#find(session);
    if (found === undefined) return null;
    const { log, id } = found;
    const emissionOf = (of: number) => log.emissionOf(id, of, strategy);
    const emission = emissionOf(row);
    return emission === undefined ? null : placed(emission, { rowOf: call => log.rowOf(id, call), emissionOf });
  }

  #find(session: ComparedSession): FoundContext | undefined {
    const before = this.#logs;
    this.#logs = new Map();
    for (const file of session.files) {
      const known = before.get(file);
      const log = known ?? new ComparedLog(file, session);
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
  #settings: DedupSettings;
  #conversations: ConversationReader;
  #conversationsRead = 0;

  constructor(path: string, { settings }: ComparedSession) {
    this.#settings = settings;
    const options = { strategies: true, keepEvents: false, keepDetails: true, keepFacts: true, withoutSweep: true };
    this.#follower = new LogFollower(path, log => new LogPipeline(path, { ...options, settings: this.#settings }, log));
    this.#conversations = new ConversationReader({ agentOfFile: agentOfFile(path) });
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
    return this.#find(context)?.model ?? "";
  }

  newestModelOf(context: string): string | undefined {
    const found = this.#find(context);
    return found && modelAtEnd(found);
  }

  rowOf(context: string, id: string): number {
    return this.#find(context)?.ids.indexOf(id) ?? -1;
  }

  emissionOf(context: string, row: number, strategy: RunStrategy): Emission | undefined {
    return this.#follower.sink.emissionOf(context, row, strategy);
  }

  passes(context: string, rates: PassRates): PartitionPasses | null {
    this.#readConversations();
    const live = this.#conversations.contexts.get(context)?.live();
    const measured = live && measurePartition(live, context !== "main");
    return measured ? projectPartition(measured, rates) : null;
  }

  #find(context: string) {
    return this.#follower.sink.contexts.find(({ id }) => id === context);
  }

  #readConversations(): void {
    withOpenFile(this.#follower.path, file => {
      this.#conversationsRead = readBytes(file, this.#conversationsRead, fstatSync(file).size, bytes =>
        this.#conversations.push(bytes),
      );
    });
  }
}

/** Everything that compares ways to save, for all pages: on threads of their own, so that no picture waits for it. */
import { emittedText } from "../../dedup/span/replay.js";
import type { SpanStrategy } from "../../inspect/strategies.js";
import type { Ratios } from "../../log/calibration.js";
import { type AllSessions, NO_SESSIONS_COMPARED } from "../../protocol/comparison.js";
import type { Ask, ComparedTexts, EmittedText } from "../../protocol/messages.js";
import { strings } from "../../words/strings.js";
import { fill } from "../../words/text.js";
import type { EngineConfig } from "../engineMessages.js";
import type { SessionView } from "../sessionView.js";
import type { ComparedSession, EmittedRun } from "./comparer.js";
import { ComparisonThread } from "./comparisonThread.js";

export interface ComparisonWorld {
  readonly config: EngineConfig;
  filesOf(session: string): readonly string[];
  ratios(): Ratios;
  open(session: string): SessionView;
  /** The comparison over all sessions is another one now. */
  allChanged(): void;
}

export interface Looked {
  readonly session: string;
  readonly context: string;
}

/** What is asked of this class. */
export type ComparisonAsk = Extract<Ask, { method: "strategies" | "passes" | "savings" | "emitted" | "compareAll" }>;

export function isComparison(ask: Ask): ask is ComparisonAsk {
  return ["strategies", "passes", "savings", "emitted", "compareAll"].includes(ask.method);
}

export class Comparisons {
  readonly #world: ComparisonWorld;
  readonly #thread = new ComparisonThread();
  /** Each time a new one: what an older one still has to say is of no use. */
  #threadOfAll: ComparisonThread | undefined;
  #all = NO_SESSIONS_COMPARED;

  constructor(world: ComparisonWorld) {
    this.#world = world;
  }

  get all(): AllSessions {
    return this.#all;
  }

  async answer(ask: ComparisonAsk, looked: Looked, mostChars: number): Promise<unknown> {
    if (ask.method === "compareAll") return this.#compareAll(ask.on);
    const session = this.#session(looked);
    if (ask.method === "strategies") return this.#thread.ask({ name: "compare", session });
    if (ask.method === "passes") return this.#thread.ask({ name: "passes", session });
    if (ask.method === "savings") return this.#thread.ask({ name: "savings", session, strategy: ask.strategy });
    return this.#emitted(looked, ask.row, ask.strategy, mostChars);
  }

  /** A result as it is in the log, and as the model would be given it. */
  async compareEmitted(looked: Looked, row: number, strategy: SpanStrategy): Promise<ComparedTexts> {
    const { body, emitted } = await this.#runs(looked, row, strategy);
    const { call, callWithHints } = strings.compare;
    const number = row + 1;
    return {
      left: { title: fill(call, { number }), text: body },
      right: { title: fill(callWithHints, { number }), text: emitted },
    };
  }

  /** Settings or logs are other ones: what was made is void. */
  forget(): void {
    this.#threadOfAll?.stop();
    this.#threadOfAll = undefined;
    this.#tell(NO_SESSIONS_COMPARED);
  }

  /** The threads and the texts that they hold are given up; the next question has a new one. */
  stop(reason?: string): void {
    this.#thread.stop(reason);
    this.#threadOfAll?.stop();
  }

  async #emitted(looked: Looked, row: number, strategy: SpanStrategy, mostChars: number): Promise<EmittedText> {
    const { emitted, runs } = await this.#runs(looked, row, strategy);
    let shorter = 0;
    const hints = runs.map(({ run: { start, end }, hint }) => {
      const line = start - shorter;
      shorter += end - start - 1;
      return { line, ...hint };
    });
    return { text: emitted.slice(0, mostChars), cut: emitted.length > mostChars, hints };
  }

  async #runs(looked: Looked, row: number, strategy: SpanStrategy) {
    const body = this.#world.open(looked.session).result(looked.context, row);
    if (body === null) throw new Error("this result is not plain text");
    const session = this.#session(looked);
    const runs = (await this.#thread.ask({ name: "runs", session, row, strategy })) as EmittedRun[];
    const emitted = emittedText(
      body,
      runs.map(({ run }) => run),
    );
    return { body, emitted, runs };
  }

  #session({ session, context }: Looked): ComparedSession {
    const { settings, figures } = this.#world.config;
    const { everywhere } = this.#world.ratios();
    return { files: this.#world.filesOf(session), context, settings, figures, everywhere };
  }

  #compareAll(on: boolean): void {
    this.#threadOfAll?.stop();
    this.#threadOfAll = undefined;
    if (!on) return this.#tell({ ...this.#all, progress: null });
    const starting = { filesDone: 0, files: 0, bytesDone: 0, bytes: 0, secondsLeft: null };
    this.#tell({ ...this.#all, progress: starting, problem: null });
    const thread = new ComparisonThread();
    this.#threadOfAll = thread;
    const tell = (change: Partial<AllSessions>) => {
      if (this.#threadOfAll === thread) this.#tell({ ...this.#all, ...change });
    };
    thread
      .ask({ name: "all", config: this.#world.config }, progress => tell({ progress }))
      .then(report => tell({ progress: null, report: report as AllSessions["report"] }))
      .catch((error: Error) => tell({ progress: null, problem: error.message }))
      .finally(() => thread.stop());
  }

  #tell(all: AllSessions): void {
    if (all === this.#all) return;
    this.#all = all;
    this.#world.allChanged();
  }
}

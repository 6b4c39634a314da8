import { digest } from "../dedup/digest.js";
import { ContextReplay } from "../dedup/replay.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { Bytes } from "../log/bytes.js";
import type { Sample } from "../log/calibration.js";
import type { Fact } from "../log/facts.js";
import { agentOfFile, type LogFile } from "../log/layout.js";
import { type LogContext, LogReader } from "../log/reader.js";
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
}

/** Reads and replays one log file as its bytes come in, in pieces of any size. */
export class LogModel {
  readonly path: string;
  readonly #options: ReplayOptions;
  readonly #reader: LogReader;
  readonly #contexts = new Map<string, { model: ContextModel; replay: ContextReplay }>();

  constructor(path: string, options: ReplayOptions) {
    this.path = path;
    this.#options = options;
    const agent = agentOfFile(path);
    this.#reader = new LogReader((context, fact) => this.#take(context, fact), {
      ...(agent !== undefined && { agentOfFile: agent }),
    });
  }

  push(chunk: Bytes): void {
    this.#reader.push(chunk);
  }

  data(): LogData {
    const { header } = this.#reader;
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
      lines: this.#reader.lines,
      badLines: header.badLines,
      overlongLines: header.overlongLines,
      samples: this.#reader.samples,
      contexts: [...this.#reader.contexts.values()].map(context => this.#context(context).model.data(ownFile)),
    };
  }

  #take(context: LogContext, fact: Fact): void {
    this.#context(context).replay.take(digest(fact, this.#options.settings.nearRef));
  }

  #context(context: LogContext): { model: ContextModel; replay: ContextReplay } {
    const known = this.#contexts.get(context.id);
    if (known !== undefined) return known;
    const model = new ContextModel(context.id, this.#options);
    const created = { model, replay: new ContextReplay(this.#options.settings, model, { sweep: true }) };
    this.#contexts.set(context.id, created);
    return created;
  }
}

/** Logs for programs: the stages of a report, on bytes or texts, without files, caches or threads. */
import type { DedupEvent } from "../dedup/events.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../dedup/settings.js";
import type { Figures } from "../inspect/figures.js";
import type { LogData } from "../inspect/logData.js";
import { buildReport, type Report } from "../inspect/report.js";
import { asBytes } from "../log/bytes.js";
import { ConversationReader as Conversations } from "../log/conversation/conversationReader.js";
import type { LiveList } from "../log/conversation/message.js";
import { type Fact, withStrings } from "../log/facts.js";
import type { LogHeader } from "../log/logHeader.js";
import { LogReader as Reader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { LogPipeline } from "../pipeline/logPipeline.js";
import type { PriceTable } from "../settings/shapes.js";

/** A piece of a log, cut anywhere; a string must not be cut inside a character. */
export type LogChunk = Uint8Array | string;

/** The log's origin: subagents' own files are recognized by their names. */
export interface LogSource {
  readonly path?: string;
}

/** Turns a log into facts, line by line. A last line without a newline is still being written, so it waits. */
export class LogReader {
  readonly #reader: Reader;

  /** `context` is `main`, or the id of a subagent. `withCalls`: also emits calls with their inputs as facts. */
  constructor(
    sink: (context: string, fact: Fact) => void,
    { path = "", withCalls = false }: LogSource & { readonly withCalls?: boolean } = {},
  ) {
    this.#reader = new Reader(({ id }, fact) => sink(id, withStrings(fact)), {
      agentOfFile: agentOfFile(path),
      withCalls,
    });
  }

  push(chunk: LogChunk): void {
    this.#reader.push(asBytes(chunk));
  }

  /** Finished lines so far, bad ones included. */
  get lines(): number {
    return this.#reader.lines;
  }

  /** The log's own metadata. */
  get header(): Readonly<LogHeader> {
    return this.#reader.header;
  }
}

/** Rebuilds the messages that each model has at the end of a log, which the passes work on. */
export class ConversationReader {
  readonly #conversations: Conversations;

  constructor({ path = "" }: LogSource = {}) {
    this.#conversations = new Conversations({ agentOfFile: agentOfFile(path) });
  }

  push(chunk: LogChunk): void {
    this.#conversations.push(asBytes(chunk));
  }

  /** `main`, and the ids of subagents. */
  get contexts(): readonly string[] {
    return [...this.#conversations.contexts.keys()];
  }

  live(context = "main"): LiveList {
    return this.#conversations.contexts.get(context)?.live() ?? { messages: [], requests: [], shrunk: false };
  }
}

/** An event, its place, and what the call was about ("" for events without a call). */
export type LoggedEvent = DedupEvent & { readonly file: string; readonly context: string; readonly target: string };

export interface ReplaySettings {
  /** Missing ones get their defaults. */
  readonly settings?: Partial<DedupSettings>;
  /** Also compare all strategies, which takes longer. */
  readonly strategies?: boolean;
  /** Also measure other systems' passes and add them to the report. */
  readonly passes?: boolean;
  /** Called for every event as it happens. */
  readonly onEvent?: (event: LoggedEvent) => void;
}

export interface ReportSettings {
  /** Overrides the ratio measured in the logs. */
  readonly charsPerToken?: number;
  /** Take precedence over the list prices. */
  readonly prices?: PriceTable;
}

/** Receives one log for a replay. */
export interface LogSink {
  push(chunk: LogChunk): void;
  /** The log is complete: only the figures are kept. */
  end(): void;
}

/** Replays any number of logs under the same settings, exactly as the command `report` does. */
export class Replay {
  readonly #settings: DedupSettings;
  readonly #options: ReplaySettings;
  readonly #logs: (() => LogData)[] = [];

  constructor(options: ReplaySettings = {}) {
    this.#options = options;
    this.#settings = { ...DEFAULT_SETTINGS, ...options.settings };
  }

  /** The path names the log, and determines the session of a subagent's log. */
  log(path: string): LogSink {
    const { strategies, passes, onEvent } = this.#options;
    const settings = this.#settings;
    const kept = { keepEvents: false, keepDetails: false, keepFacts: false };
    const log = new LogPipeline(path, { settings, strategies, passes, ...kept });
    if (onEvent) log.onEvent = (context, event, target) => onEvent({ ...event, file: path, context, target });
    const index = this.#logs.push(() => log.data()) - 1;
    return {
      push: chunk => log.push(asBytes(chunk)),
      end: () => {
        const data = log.data();
        this.#logs[index] = () => data;
      },
    };
  }

  /** What `report --json` prints, for everything so far. */
  report(options: ReportSettings = {}): Report {
    const { strategies, passes } = this.#options;
    const logs = this.#logs.map(data => data());
    return buildReport(logs, this.#settings, () => true, { ...options, strategies, passes });
  }
}

export interface ReplayedLog {
  readonly events: readonly LoggedEvent[];
  /** Over all contexts. */
  readonly figures: Figures;
  readonly report: Report;
}

/** A whole log in, its events and figures out. */
export function replayLog(
  log: LogChunk | Iterable<LogChunk>,
  { path = "log.jsonl", ...options }: Omit<ReplaySettings, "onEvent"> & ReportSettings & LogSource = {},
): ReplayedLog {
  const events: LoggedEvent[] = [];
  const replay = new Replay({ ...options, onEvent: event => events.push(event) });
  const sink = replay.log(path);
  const isWhole = typeof log === "string" || log instanceof Uint8Array;
  for (const chunk of isWhole ? [log] : log) sink.push(chunk);
  const report = replay.report(options);
  return { events, figures: report.totals, report };
}

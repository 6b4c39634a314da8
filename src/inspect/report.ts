import type { DedupEvent } from "../dedup/events.js";
import type { DedupSettings } from "../dedup/settings.js";
import { type Calibration, type Calibrations, calibrate, calibrationsOf } from "../log/calibration.js";
import { groupSessions } from "../log/layout.js";
import type { ContextData } from "./contextModel.js";
import { CopyFilter } from "./copies.js";
import { addFigures, addRow, emptyFigures, type Figures, rounded } from "./figures.js";
import type { LogData } from "./logModel.js";
import { ResultRows, ROW_WIDTH } from "./rows.js";
import { type Advice, addSweepRow, advise, emptySweep, type SweepPoint } from "./sweepFigures.js";

/** The object of `report --json`; its shape is a contract (see the README). */
export interface Report {
  readonly schema: 1;
  readonly settings: DedupSettings;
  readonly sessions: readonly SessionReport[];
  readonly projects: readonly ({ readonly project: string; readonly sessions: number } & Figures)[];
  readonly tools: readonly ({ readonly tool: string } & Figures)[];
  readonly sweep: readonly SweepPoint[];
  readonly advice: Advice;
  /** How far off the token estimates are: the contexts' median errors, weighted by their tokens. */
  readonly estimate: { readonly samples: number; readonly medianAbsError: number | null };
  readonly totals: Figures & { readonly sessions: number; readonly copiedResults: number };
}

export interface SessionReport {
  readonly file: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly badLines: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly models: readonly string[];
  readonly versions: readonly string[];
  readonly calibration: Calibration;
  readonly contexts: readonly ContextReport[];
}

export interface ContextReport {
  readonly id: string;
  /** A subagent's own file, to which the line numbers of its events refer. */
  readonly file?: string;
  readonly model: string;
  readonly requests: number;
  readonly partitions: readonly ({ readonly index: number } & Figures)[];
  readonly events?: readonly DedupEvent[];
}

/** Which sessions to show. Everything is replayed all the same: a hidden session may calibrate a shown one. */
export type SessionFilter = (session: { project: string | undefined; lastAt: string | undefined }) => boolean;

export function buildReport(logs: readonly LogData[], settings: DedupSettings, shows: SessionFilter): Report {
  return new ReportBuilder(logs, settings).build(shows);
}

class ReportBuilder {
  readonly #logs: readonly LogData[];
  readonly #settings: DedupSettings;
  readonly #everywhere: Calibrations;
  readonly #samples: number;
  readonly #copies = new CopyFilter();
  readonly #totals = emptyFigures();
  readonly #projects = new Map<string, Figures & { sessions: number }>();
  readonly #tools = new Map<string, Figures>();
  readonly #sweep = emptySweep();
  readonly #band = { tokens: 0, error: 0 };
  #copiedResults = 0;

  constructor(logs: readonly LogData[], settings: DedupSettings) {
    this.#logs = logs;
    this.#settings = settings;
    const samples = logs.flatMap(log => log.samples);
    this.#samples = samples.length;
    this.#everywhere = calibrationsOf(samples);
  }

  build(shows: SessionFilter): Report {
    const sessions: SessionReport[] = [];
    for (const { main, agents } of groupSessions(this.#logs)) {
      const session = this.#session(main, agents, shows);
      if (session !== undefined) sessions.push(session);
    }
    return {
      schema: 1,
      settings: this.#settings,
      sessions,
      projects: byTokens(
        [...this.#projects].map(([project, { sessions: count, ...figures }]) => ({
          project,
          sessions: count,
          ...rounded(figures),
        })),
      ),
      tools: byTokens([...this.#tools].map(([tool, figures]) => ({ tool, ...rounded(figures) }))),
      sweep: this.#sweep.map(point => ({ ...point, savedTokens: Math.round(point.savedTokens) })),
      advice: advise(this.#sweep),
      estimate: this.#estimate(),
      totals: { sessions: sessions.length, ...rounded(this.#totals), copiedResults: this.#copiedResults },
    };
  }

  #session(main: LogData, agents: readonly LogData[], shows: SessionFilter): SessionReport | undefined {
    const logs = [main, ...agents];
    const project = logs.find(log => log.project !== undefined)?.project;
    const lastAt = latest(logs.map(log => log.lastAt));
    if (!shows({ project, lastAt })) return undefined;
    const ofProject = this.#ofProject(project ?? "");
    ofProject.sessions++;
    const own = calibrationsOf(logs.flatMap(log => log.samples));
    const calibrationOf = (model: string) => calibrate(model, own, this.#everywhere);
    const contexts = logs.flatMap(log => log.contexts);
    return {
      file: main.path,
      sessionId: main.sessionId ?? main.path.replace(/^.*[\\/]|\.jsonl$/g, ""),
      project: project ?? null,
      badLines: logs.reduce((sum, log) => sum + log.badLines, 0),
      firstAt: earliest(logs.map(log => log.firstAt)) ?? null,
      lastAt: lastAt ?? null,
      models: [...new Set(logs.flatMap(log => log.models))],
      versions: [...new Set(logs.flatMap(log => log.versions))],
      calibration: calibrationOf(contexts[0]?.model ?? ""),
      contexts: contexts.map(context => this.#context(context, calibrationOf(context.model), ofProject)),
    };
  }

  #context(context: ContextData, calibration: Calibration, ofProject: Figures): ContextReport {
    const { charsPerToken, medianAbsError } = calibration;
    const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
    const partitions = context.partitionRequests.map(emptyFigures);
    const copied = new Set<number>();
    for (let row = 0; row < rows.length; row++) {
      const partition = rows.get(row, "partition");
      const laterRequests = (context.partitionRequests[partition] ?? 0) - rows.get(row, "request");
      const add = (to: Figures) => addRow(to, rows, row, charsPerToken, laterRequests);
      add(partitions[partition] ?? emptyFigures());
      if (!this.#copies.isFirst(rows, row)) {
        copied.add(row);
        continue;
      }
      add(this.#ofTool(context.tools[rows.get(row, "tool")] ?? ""));
      add(ofProject);
      add(this.#totals);
    }
    this.#copiedResults += copied.size;
    if (medianAbsError !== null) {
      const tokens = partitions.reduce((sum, figures) => sum + figures.tokens, 0);
      this.#band.tokens += tokens;
      this.#band.error += tokens * medianAbsError;
    }
    for (const hit of context.sweep) if (!copied.has(hit.row)) addSweepRow(this.#sweep, hit, charsPerToken);
    return {
      id: context.id,
      ...(context.file !== undefined && { file: context.file }),
      model: context.model,
      requests: context.requests,
      partitions: partitions.map((figures, index) => ({ index, ...rounded(figures) })),
      ...(context.events && { events: context.events }),
    };
  }

  #estimate(): Report["estimate"] {
    const { tokens, error } = this.#band;
    return { samples: this.#samples, medianAbsError: tokens === 0 ? null : error / tokens };
  }

  #ofTool(tool: string): Figures {
    const known = this.#tools.get(tool) ?? emptyFigures();
    this.#tools.set(tool, known);
    return known;
  }

  #ofProject(project: string): Figures & { sessions: number } {
    const known = this.#projects.get(project) ?? { sessions: 0, ...emptyFigures() };
    this.#projects.set(project, known);
    return known;
  }
}

/** A session's figures over all its contexts. */
export function sessionFigures(session: SessionReport): Figures {
  const sum = emptyFigures();
  for (const context of session.contexts) for (const partition of context.partitions) addFigures(sum, partition);
  return sum;
}

function byTokens<T extends Figures>(figures: T[]): T[] {
  return figures.sort((left, right) => right.tokens - left.tokens);
}

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).reduce<string | undefined>((a, b) => (a && a > b ? a : b), undefined);
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).reduce<string | undefined>((a, b) => (a && a < b ? a : b), undefined);
}

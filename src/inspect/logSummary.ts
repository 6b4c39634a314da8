/** What the list of sessions needs of each log. */
import { ratiosOf, type SampleRatios } from "../log/calibration.js";
import type { LogFile } from "../log/sessionFiles.js";
import { addRow, emptyFigures, type Figures } from "./figures.js";
import type { LogData } from "./logData.js";
import { ResultRows, ROW_WIDTH } from "./rows.js";

export interface LogSummary extends LogFile {
  readonly project: string;
  readonly title: string;
  readonly lastAt: string;
  readonly ratios: SampleRatios;
  /** In characters, until the session's calibration is known. */
  readonly byModel: ReadonlyMap<string, Figures>;
}

export function summaryOf(data: LogData): LogSummary {
  const byModel = new Map<string, Figures>();
  for (const context of data.contexts) {
    const figures = byModel.get(context.model) ?? emptyFigures();
    byModel.set(context.model, figures);
    const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
    // A ratio of 1 keeps them in characters.
    for (let row = 0; row < rows.length; row++) addRow(figures, rows, row, 1, 0);
  }
  return {
    path: data.path,
    sessionId: data.sessionId,
    project: data.project ?? "",
    title: data.title ?? "",
    lastAt: data.lastAt ?? "",
    // A history may have a million samples.
    ratios: ratiosOf(data.samples),
    byModel,
  };
}

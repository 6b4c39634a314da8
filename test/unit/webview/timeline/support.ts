import type { Mark } from "../../../../src/inspect/logData.js";
import { type Outcome, outcomeCode } from "../../../../src/inspect/outcomes.js";
import { ResultRows } from "../../../../src/inspect/rows.js";
import type { View } from "../../../../webview/timeline/layout/scale.js";
import { type Scene, sceneOf } from "../../../../webview/timeline/layout/scene.js";
import { layoutOf } from "../../../../webview/timeline/layout/timelineLayout.js";
import { axisOf } from "../../../../webview/timeline/model/axis.js";
import { Levels } from "../../../../webview/timeline/model/levels.js";
import { TimelineModel } from "../../../../webview/timeline/model/timelineModel.js";
import type { AxisName, TimelineInput } from "../../../../webview/timeline/types.js";
import { packedRow } from "../../../support/rows.js";

/** What a test specifies about a result; everything else is zero. */
export interface Result {
  readonly tool?: string;
  readonly outcome?: Outcome;
  readonly at?: number;
  readonly partition?: number;
  readonly chars?: number;
  readonly saved?: number;
  /** Rows. */
  readonly ref?: number;
  readonly cause?: number;
  readonly evicted?: number;
  readonly invalidations?: number;
}

export const TOOLS = ["Read", "Grep", "Bash", "Edit", "mcp__ci__run", "Agent", "TodoWrite"];

export function addResults(rows: ResultRows, results: readonly Result[]): ResultRows {
  for (const result of results) {
    const cells = packedRow({
      line: rows.length + 1,
      at: result.at ?? 0,
      partition: result.partition ?? 0,
      outcome: outcomeCode(result.outcome ?? "miss:new"),
      bytes: result.chars ?? 400,
      chars: result.chars ?? 400,
      savedChars: result.saved ?? 0,
      tool: Math.max(0, TOOLS.indexOf(result.tool ?? "Read")),
      ref: (result.ref ?? -1) + 1,
      cause: (result.cause ?? -1) + 1,
      evicted: (result.evicted ?? -1) + 1,
      invalidations: result.invalidations ?? 0,
    });
    rows.append(cells);
  }
  return rows;
}

export function inputOf(results: readonly Result[], marks: readonly Mark[] = [], version = 1): TimelineInput {
  const partitions = Math.max(1, ...results.map(result => (result.partition ?? 0) + 1));
  return {
    rows: addResults(new ResultRows(), results),
    tools: TOOLS,
    targets: results.map((_, row) => `file${row}`),
    marks,
    partitionRequests: Array.from({ length: partitions }, () => 1),
    requests: [],
    sources: new Map(),
    charsPerToken: 4,
    version,
  };
}

export function modelOf(results: readonly Result[], marks: readonly Mark[] = []): TimelineModel {
  const input = inputOf(results, marks);
  const model = new TimelineModel(input.rows);
  model.grow(input);
  return model;
}

export function mark(kind: Mark["kind"], position: number, more: Partial<Mark> = {}): Mark {
  return { kind, position, line: position, at: null, partition: 0, dropped: [], ...more };
}

export interface SceneOptions {
  readonly axis?: AxisName;
  readonly view?: View;
  readonly width?: number;
  readonly height?: number;
  readonly passes?: (row: number) => boolean;
}

export function sceneFor(model: TimelineModel, options: SceneOptions = {}): Scene {
  const axis = axisOf(model, options.axis ?? "order");
  const passes = options.passes ?? (() => true);
  const layout = layoutOf(options.width ?? 1000, options.height ?? 300, model.lanes);
  const view = options.view ?? { from: axis.start, to: axis.end };
  return sceneOf({ model, axis, levels: new Levels(model, axis, passes), passes }, layout, view);
}

/** `count` results, round robin over the tools, every tenth a hit on the one ten before. */
export function manyResults(count: number): Result[] {
  return Array.from({ length: count }, (_, row) => ({
    tool: TOOLS[row % TOOLS.length] ?? "Read",
    at: 1000 + row * 3,
    ...(row % 10 === 9 && { outcome: "hit" as const, ref: Math.max(0, row - 10), saved: 300 }),
  }));
}

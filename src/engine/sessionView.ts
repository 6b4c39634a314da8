/** The session that a panel looks at: followed live, with everything that its picture needs. */

import { keepFollowed, recallFacts } from "../batch/replayLog.js";
import type { LogCache } from "../cache/logCache.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { LogData } from "../inspect/logData.js";
import { isHit, kindAt } from "../inspect/outcomes.js";
import { type Calibration, calibrate, calibrationsOf, type Ratios } from "../log/calibration.js";
import { agentOfFile } from "../log/layout.js";
import type { ContextModel } from "../pipeline/contextModel.js";
import type { ReplayOptions } from "../pipeline/logModel.js";
import type { CallDetails, ContextDelta, ContextItem, ContextState } from "../protocol/messages.js";
import { LogFollower } from "../tail/follower.js";
import type { ContextStretch } from "./engineMessages.js";
import { inputMember, inputText, resultText } from "./texts/callTexts.js";
import { stretchAround } from "./texts/stretches.js";

export class SessionView {
  readonly key: string;
  readonly #cache: LogCache | undefined;
  #settings: DedupSettings;
  #followers = new Map<string, LogFollower>();

  constructor(key: string, files: readonly string[], settings: DedupSettings, cache: LogCache | undefined) {
    this.key = key;
    this.#settings = settings;
    this.#cache = cache;
    for (const file of files) this.follow(file);
  }

  /** Takes up a file of the session: at first all of them, later a new subagent's. */
  follow(file: string): void {
    if (this.#followers.has(file)) return;
    const options = this.#options();
    const saved = this.#cache === undefined ? undefined : recallFacts(file, options, this.#cache);
    const follower = new LogFollower(file, options, saved);
    follower.look();
    this.#followers.set(file, follower);
  }

  has(file: string): boolean {
    return this.#followers.has(file);
  }

  /** What was learnt of a file, for the list and for the next time. */
  keep(file: string): LogData | undefined {
    const follower = this.#followers.get(file);
    if (follower === undefined || this.#cache === undefined) return follower?.model.data();
    return keepFollowed(follower, this.#options(), this.#cache);
  }

  data(file: string): LogData | undefined {
    return this.#followers.get(file)?.model.data();
  }

  /** Looks at a file again; "restarted" where everything sent of it before is void. */
  look(file: string): ReturnType<LogFollower["look"]> {
    return this.#followers.get(file)?.look() ?? "absent";
  }

  /** What went wrong at the last look at a file. */
  problem(file: string): string | undefined {
    return this.#followers.get(file)?.problem;
  }

  /** Replays everything under other settings, without reading the files again. */
  change(settings: DedupSettings): void {
    this.#settings = settings;
    const saved = [...this.#followers].map(([file, follower]) => [file, follower.saved] as const);
    this.#followers = new Map();
    for (const [file, state] of saved) {
      const follower = new LogFollower(file, this.#options(), settings.nearRef ? undefined : state);
      follower.look();
      this.#followers.set(file, follower);
    }
  }

  get contexts(): ContextItem[] {
    return this.#all().map(({ key, model }) => ({ key, id: model.id, results: model.rows.length }));
  }

  state(key: string, ratios: Ratios): ContextState | null {
    const found = this.#find(key);
    if (found === undefined) return null;
    const { model, follower } = found;
    return {
      rows: model.rows.cells(),
      tools: model.tools,
      files: model.files,
      targets: model.targets,
      ids: model.ids,
      marks: model.marks,
      partitionRequests: model.partitionRequests,
      sweep: model.sweep,
      calibration: this.#calibration(model, ratios),
      model: model.model,
      ...damageOf(follower),
    };
  }

  /** What has come since the page had this much. */
  delta(key: string, have: Have, ratios: Ratios): ContextDelta | undefined {
    const found = this.#find(key);
    if (found === undefined) return undefined;
    const { model, follower } = found;
    return {
      fromRow: have.rows,
      rows: Array.from(model.rows.cells(have.rows)),
      tools: model.tools,
      files: model.files,
      targets: model.targets.slice(have.rows),
      ids: model.ids.slice(have.rows),
      marks: model.marks.slice(have.marks),
      partitionRequests: model.partitionRequests,
      sweep: model.sweep.slice(have.sweep),
      calibration: this.#calibration(model, ratios),
      ...damageOf(follower),
    };
  }

  have(key: string): Have {
    const model = this.#find(key)?.model;
    return { rows: model?.rows.length ?? 0, marks: model?.marks.length ?? 0, sweep: model?.sweep.length ?? 0 };
  }

  /** How many results there are in all contexts. */
  get results(): number {
    return this.#all().reduce((sum, { model }) => sum + model.rows.length, 0);
  }

  /** What one document of the transcript is about. */
  stretch(key: string, row: number, ratios: Ratios): ContextStretch | undefined {
    const found = this.#find(key);
    if (found === undefined) return undefined;
    const { model, follower } = found;
    return {
      ...stretchAround(row, model),
      file: follower.path,
      title: this.#followers.get(this.key)?.model.header.title ?? "",
      contextId: model.id,
      capacity: this.#settings.capacity,
      charsPerToken: this.#calibration(model, ratios).charsPerToken,
    };
  }

  /** Tokens saved by hints in the whole session, for the status bar. */
  savedTokens(ratios: Ratios): number {
    let tokens = 0;
    for (const { model } of this.#all()) {
      const { charsPerToken } = this.#calibration(model, ratios);
      for (let row = 0; row < model.rows.length; row++) {
        if (isHit(kindAt(model.rows, row))) tokens += model.rows.get(row, "savedChars") / charsPerToken;
      }
    }
    return Math.round(tokens);
  }

  /** Where a result stands in its file. */
  place(key: string, row: number): { file: string; line: number; offset: number; id: string } | undefined {
    const found = this.#find(key);
    const id = found?.model.ids[row];
    if (found === undefined || id === undefined) return undefined;
    const { model, follower } = found;
    return { file: follower.path, line: model.rows.get(row, "line"), offset: model.offsets[row] ?? 0, id };
  }

  /** The row to set beside this one: what it refers to, or for a changed re-read the newest earlier one of its kind. */
  counterpart(key: string, row: number): number | undefined {
    const model = this.#find(key)?.model;
    if (model === undefined) return undefined;
    const ref = (model.rows.get(row, "ref") || model.rows.get(row, "earlier")) - 1;
    if (ref >= 0) return ref;
    for (let earlier = row - 1; earlier >= 0; earlier--) {
      const sameTool = model.rows.get(earlier, "tool") === model.rows.get(row, "tool");
      if (sameTool && model.targets[earlier] === model.targets[row]) return earlier;
    }
    return undefined;
  }

  /** The whole text of a result; null where it is not only text. */
  result(key: string, row: number): string | null {
    const place = this.place(key, row);
    return place === undefined ? null : resultText(place.file, place.offset, place.id);
  }

  /** Some lines, from 1, of a result or of a member of its call's input. */
  lines(key: string, row: number, input: string | null, from: number, to: number): string | null {
    const found = this.#find(key);
    const place = this.place(key, row);
    if (found === undefined || place === undefined) return null;
    const offset = found.model.callOffsets[row] ?? -1;
    const text = input === null ? this.result(key, row) : inputMember(place.file, offset, place.id, input);
    return text === null
      ? null
      : text
          .split("\n")
          .slice(from - 1, to)
          .join("\n");
  }

  details(key: string, row: number, mostChars: number): CallDetails | undefined {
    const found = this.#find(key);
    const place = this.place(key, row);
    if (found === undefined || place === undefined) return undefined;
    const { model } = found;
    const input = inputText(place.file, model.callOffsets[row] ?? -1, place.id);
    const result = resultText(place.file, place.offset, place.id) ?? "";
    return {
      id: place.id,
      tool: model.tools[model.rows.get(row, "tool")] ?? "",
      input: input.slice(0, mostChars),
      result: result.slice(0, mostChars),
      cut: input.length > mostChars || result.length > mostChars,
      hint: model.hints.get(row) ?? null,
    };
  }

  /** Everything that the transcript says of a call in the log's own words. */
  textsOf(key: string, row: number): string[] {
    const details = this.details(key, row, Number.POSITIVE_INFINITY);
    const target = this.#find(key)?.model.targets[row] ?? "";
    return details === undefined ? [] : [details.tool, target, details.input, details.result];
  }

  #calibration(model: ContextModel, ratios: Ratios): Calibration {
    const samples = [...this.#followers.values()].flatMap(follower => follower.model.samples);
    return calibrate(model.model, calibrationsOf(samples), ratios);
  }

  #all(): { key: string; model: ContextModel; follower: LogFollower }[] {
    return [...this.#followers.values()].flatMap(follower =>
      follower.model.contexts.map(model => ({ key: contextKey(follower.path, model.id), model, follower })),
    );
  }

  #find(key: string) {
    return this.#all().find(context => context.key === key);
  }

  #options(): ReplayOptions {
    return { settings: this.#settings, keepEvents: false, keepDetails: true, keepFacts: true };
  }
}

function damageOf({ model: { header } }: LogFollower): Pick<ContextState, "badLines" | "leftOutLines"> {
  const { badLines, leftOutLines } = header;
  return { badLines, ...(leftOutLines > 0 && { leftOutLines }) };
}

/** How much of a context a page has. */
export interface Have {
  readonly rows: number;
  readonly marks: number;
  readonly sweep: number;
}

/** Inline contexts are known by their id, those with a file of their own by that file. */
export function contextKey(file: string, id: string): string {
  return agentOfFile(file) === undefined ? id : file;
}

/** An open session: its files are followed live, with everything that is shown of it. */

import {
  followLog,
  type ReplayFollower,
  readForFollower,
  recallFollower,
  rememberFollowed,
} from "../batch/replayLog.js";
import type { LogCache } from "../cache/logCache.js";
import type { DedupSettings } from "../dedup/settings.js";
import { readSmallFile } from "../files/openFile.js";
import { type ContextUse, contextUse, type LiveFigures } from "../inspect/contextUse.js";
import { type Cost, CostPlaces, CostSum, countRequests, packRequests, UNSENT } from "../inspect/cost.js";
import { addRow, emptyFigures, rounded } from "../inspect/figures.js";
import type { LogData } from "../inspect/logData.js";
import { kindAt, wouldSave } from "../inspect/outcomes.js";
import { pricesOf, withListPrices } from "../inspect/prices.js";
import { type Calibration, calibrate, calibrationsOf, type Ratios } from "../log/calibration.js";
import { agentMetaFile, agentOfFile } from "../log/sessionFiles.js";
import { titleLine } from "../log/tools.js";
import type { PipelineOptions } from "../pipeline/logPipeline.js";
import type { ShownContext } from "../pipeline/quickReplay.js";
import type { PlacedEmission } from "../protocol/comparison.js";
import type { ContextDelta, ContextItem, ContextState } from "../protocol/messages.js";
import type { CallDetails, ContextStretch } from "../protocol/requests.js";
import type { PriceTable } from "../settings/shapes.js";
import type { FollowResult } from "../tail/follower.js";
import { inputMember, inputText, resultText } from "./texts/callTexts.js";
import { placed } from "./texts/emissions.js";
import { stretchAround } from "./texts/stretches.js";

export class SessionView {
  readonly key: string;
  readonly #cache: LogCache | undefined;
  #settings: DedupSettings;
  #followers = new Map<string, ReplayFollower>();
  /** By a subagent's log: its task, from the file next to the log. */
  readonly #tasks = new Map<string, string>();

  constructor(key: string, files: readonly string[], settings: DedupSettings, cache: LogCache | undefined) {
    this.key = key;
    this.#settings = settings;
    this.#cache = cache;
    for (const file of files) this.follow(file);
  }

  /** Starts following a file of the session, for example that of a new subagent. */
  follow(file: string): void {
    if (this.#followers.has(file)) return;
    const options = this.#options();
    const recalled = this.#cache && recallFollower(file, options, this.#cache);
    const follower = followLog(file, options, recalled ?? readForFollower(file, options));
    follower.update();
    follower.sink.finish();
    this.#followers.set(file, follower);
    if (agentOfFile(file) !== undefined) this.#tasks.set(file, taskFromMeta(file));
  }

  has(file: string): boolean {
    return this.#followers.has(file);
  }

  /** The data of a file, which is also written to the cache: nobody waits for that. */
  keep(file: string): LogData | undefined {
    const follower = this.#followers.get(file);
    follower?.settle();
    if (follower === undefined || this.#cache === undefined) return follower?.sink.data();
    return rememberFollowed(follower, this.#options(), this.#cache);
  }

  data(file: string): LogData | undefined {
    return this.#followers.get(file)?.sink.data();
  }

  /** Reads what was added to a file; "restarted" means that everything sent before is stale. */
  update(file: string): FollowResult {
    return this.#followers.get(file)?.update() ?? "absent";
  }

  /** What went wrong when a file was last read. */
  problem(file: string): string | undefined {
    return this.#followers.get(file)?.problem;
  }

  /** Replays everything under new settings, without reading the files again. */
  change(settings: DedupSettings): void {
    this.#settings = settings;
    const saved = [...this.#followers].map(([file, follower]) => [file, follower.saved] as const);
    this.#followers = new Map();
    for (const [file, state] of saved) {
      const follower = followLog(file, this.#options(), settings.nearRef ? undefined : state);
      follower.update();
      follower.sink.finish();
      this.#followers.set(file, follower);
    }
  }

  get contexts(): ContextItem[] {
    return this.#all().map(context => ({
      key: context.key,
      id: context.model.id,
      task: this.#taskOf(context),
      results: context.model.rows.length,
    }));
  }

  /** What a subagent was started for: in its own words or its parent's, or else the start of its prompt. */
  #taskOf({ model: { id }, follower: { path, sink } }: OpenContext): string {
    if (id === "main") return "";
    const isOwnFile = agentOfFile(path) !== undefined;
    const task = this.#tasks.get(path) || this.#followers.get(this.key)?.sink.header.agents.get(id);
    return task || (isOwnFile ? sink.header.title : sink.header.agents.get(id)) || "";
  }

  state(key: string, ratios: Ratios, prices?: PriceTable): ContextState | null {
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
      requests: packRequests(model.requestCosts),
      sweep: model.sweep,
      sources: model.sources,
      ...this.#basis(model, ratios, prices),
      models: model.models,
      ...damageOf(follower),
    };
  }

  /** What was added since a page had this much. */
  delta(key: string, known: ContextCounts, ratios: Ratios, prices?: PriceTable): ContextDelta | undefined {
    const found = this.#find(key);
    if (found === undefined) return undefined;
    const { model, follower } = found;
    const fromRequest = Math.max(0, known.requests - 1);
    return {
      fromRow: known.rows,
      fromRequest,
      rows: Array.from(model.rows.cells(known.rows)),
      tools: model.tools,
      files: model.files,
      targets: model.targets.slice(known.rows),
      ids: model.ids.slice(known.rows),
      marks: model.marks.slice(known.marks),
      partitionRequests: model.partitionRequests,
      requests: Array.from(packRequests(model.requestCosts, fromRequest)),
      sweep: model.sweep.slice(known.sweep),
      sources: model.sources.filter(({ row }) => row >= known.rows),
      ...this.#basis(model, ratios, prices),
      models: model.models,
      ...damageOf(follower),
    };
  }

  charsPerToken(key: string, ratios: Ratios): number | undefined {
    const found = this.#find(key);
    return found && this.#calibration(found.model, ratios).charsPerToken;
  }

  counts(key: string): ContextCounts {
    const model = this.#find(key)?.model;
    return {
      rows: model?.rows.length ?? 0,
      marks: model?.marks.length ?? 0,
      requests: countRequests(model?.requestCosts ?? []),
      sweep: model?.sweep.length ?? 0,
    };
  }

  /** The number of results in all contexts. */
  get results(): number {
    return this.#all().reduce((sum, { model }) => sum + model.rows.length, 0);
  }

  /** What the transcript document with this row shows. */
  stretch(key: string, row: number, ratios: Ratios): ContextStretch | undefined {
    const found = this.#find(key);
    if (found === undefined) return undefined;
    const { model, follower } = found;
    return {
      ...stretchAround(row, model),
      file: follower.path,
      title: this.#followers.get(this.key)?.sink.header.title ?? "",
      contextName: this.#taskOf(found) || model.id,
      capacity: this.#settings.capacity,
      charsPerToken: this.#calibration(model, ratios).charsPerToken,
    };
  }

  /** The figures of the whole session, and how full its main context is, for the status bar. */
  live(ratios: Ratios): LiveFigures {
    const sum = emptyFigures();
    for (const { model } of this.#all()) {
      const { charsPerToken } = this.#calibration(model, ratios);
      for (let row = 0; row < model.rows.length; row++) addRow(sum, model.rows, row, charsPerToken, 0);
    }
    const main = this.#all()[0]?.model;
    const use = main && useOf(main);
    const { tokens, savedTokens, realisedTokens } = rounded(sum);
    return { tokens, savedTokens, realisedTokens, use };
  }

  /** The place of a result in its file. */
  place(key: string, row: number): { file: string; line: number; offset: number; id: string } | undefined {
    const found = this.#find(key);
    const id = found?.model.ids[row];
    if (found === undefined || id === undefined) return undefined;
    const { model, follower } = found;
    return { file: follower.path, line: model.rows.get(row, "line"), offset: model.offsets[row] ?? 0, id };
  }

  /** The row to compare this one with: what it refers to or, for a changed re-read, the last call of the same kind. */
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

  /** The whole text of a result; null if it is not only text. Throws an Error if it cannot be read. */
  result(key: string, row: number): string | null {
    const place = this.place(key, row);
    return place === undefined ? null : resultText(place.file, place.offset, place.id);
  }

  /** Some lines, counted from 1, of a result or of a member of its call's input. */
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

  details(key: string, row: number, maxChars: number): CallDetails | undefined {
    const texts = this.#texts(key, row);
    if (texts === undefined) return undefined;
    const { model, id, tool, input } = texts;
    const result = this.result(key, row);
    return {
      id,
      tool,
      input: input.slice(0, maxChars),
      result: result?.slice(0, maxChars) ?? null,
      cut: input.length > maxChars || (result?.length ?? 0) > maxChars,
      hint: hintAt(model, row),
    };
  }

  #texts(key: string, row: number) {
    const found = this.#find(key);
    const place = this.place(key, row);
    if (found === undefined || place === undefined) return undefined;
    const { model } = found;
    const { file, id } = place;
    return {
      model,
      id,
      tool: model.tools[model.rows.get(row, "tool")] ?? "",
      target: model.targets[row] ?? "",
      input: inputText(file, model.callOffsets[row] ?? -1, id),
    };
  }

  /** What the current strategy replaces a result with; null if it stays unchanged. */
  emission(key: string, row: number): PlacedEmission | null {
    const model = this.#find(key)?.model;
    const emission = model?.emissions.get(row);
    if (model === undefined || emission === undefined) return null;
    return placed(emission, { rowOf: id => model.ids.indexOf(id), emissionOf: of => model.emissions.get(of) });
  }

  /** The texts of a call for a search, which skips those that cannot be read. */
  textsOf(key: string, row: number): string[] {
    const texts = this.#texts(key, row);
    if (texts === undefined) return [];
    const known = [texts.tool, texts.target, texts.input];
    try {
      return [...known, this.result(key, row) ?? ""];
    } catch {
      return known;
    }
  }

  #basis(model: ShownContext, ratios: Ratios, prices?: PriceTable): Pick<ContextState, "calibration" | "worth"> {
    const calibration = this.#calibration(model, ratios);
    return { calibration, worth: worthOf(model, calibration.charsPerToken, prices) };
  }

  #calibration(model: ShownContext, ratios: Ratios): Calibration {
    const samples = [...this.#followers.values()].flatMap(follower => follower.sink.samples);
    return calibrate(model.model, calibrationsOf(samples), ratios);
  }

  #all(): OpenContext[] {
    return [...this.#followers.values()].flatMap(follower =>
      follower.sink.contexts.map(model => ({ key: contextKey(follower.path, model.id), model, follower })),
    );
  }

  #find(key: string): OpenContext | undefined {
    return this.#all().find(context => context.key === key);
  }

  #options(): PipelineOptions {
    return {
      settings: this.#settings,
      keepEvents: false,
      keepDetails: true,
      keepFacts: true,
      isShownFirst: true,
      withoutHooks: true,
    };
  }
}

function worthOf(model: ShownContext, charsPerToken: number, own: PriceTable | undefined): Cost {
  const prices = pricesOf(model.models, withListPrices(own));
  const places = model.requestCosts.map(requests => new CostPlaces(requests, prices));
  const sum = new CostSum();
  for (let row = 0; row < model.rows.length; row++) {
    if (!wouldSave(kindAt(model.rows, row))) continue;
    const place = places[model.rows.get(row, "partition")]?.at(model.rows.get(row, "request")) ?? UNSENT;
    sum.add(model.rows.get(row, "savedChars") / charsPerToken, place);
  }
  return sum.cost;
}

/** Uses only what is shown first: anything else would have to be replayed for it. */
function useOf({ requestCosts, partitionRequests, marks, models }: ShownContext): ContextUse | undefined {
  return contextUse({ requests: packRequests(requestCosts), partitionRequests, marks, models });
}

/** The single hint for a whole result. */
function hintAt(model: ShownContext, row: number): string | null {
  const kind = kindAt(model.rows, row);
  if (kind !== "hit" && kind !== "nearHit") return null;
  const emission = model.emissions.get(row);
  return emission !== undefined && "hint" in emission ? emission.hint : null;
}

interface OpenContext {
  readonly key: string;
  readonly model: ShownContext;
  readonly follower: ReplayFollower;
}

/** Real ones have a few hundred bytes. */
const MAX_META_BYTES = 64 * 1024;

function taskFromMeta(log: string): string {
  try {
    const meta: unknown = JSON.parse(readSmallFile(agentMetaFile(log), { maxBytes: MAX_META_BYTES }).toString());
    const { description }: { readonly description?: unknown } = { ...(meta as object) };
    return typeof description === "string" ? titleLine(description) : "";
  } catch {
    // Older versions write none, and nothing depends on it.
    return "";
  }
}

function damageOf({ sink: { header } }: ReplayFollower): Pick<ContextState, "badLines" | "leftOutLines"> {
  const { badLines, leftOutLines } = header;
  return { badLines, ...(leftOutLines > 0 && { leftOutLines }) };
}

/** How much a context has, or how much of it a page has. */
export interface ContextCounts {
  readonly rows: number;
  readonly marks: number;
  readonly requests: number;
  readonly sweep: number;
}

/** A context inside the main log is identified by its id, one with its own file by that file. */
export function contextKey(file: string, id: string): string {
  return agentOfFile(file) === undefined ? id : file;
}

/** Runs the same log through the JavaScript replay and through the kernel: nothing may differ. */
import type { DedupSettings } from "../../src/dedup/settings.js";
import type { LogData } from "../../src/inspect/logData.js";
import { asBytes } from "../../src/log/bytes.js";
import { FiguresPipeline } from "../../src/pipeline/figuresPipeline.js";
import { LogPipeline, type PipelineOptions, type SavedLog } from "../../src/pipeline/logPipeline.js";

const FIGURES = { keepEvents: false, keepDetails: false };

type More = Pick<PipelineOptions, "strategies" | "passes">;

/** The JavaScript replay's result for a log. */
export function byReplay(path: string, content: Uint8Array, settings: DedupSettings, more: More = {}): LogData {
  const log = new LogPipeline(path, { ...FIGURES, ...more, settings, keepFacts: false });
  log.push(asBytes(content));
  return log.data();
}

/** A log as a panel opens it; `quickly`: with the kernel. */
export function opened(path: string, settings: DedupSettings, quickly: boolean, saved?: SavedLog): LogPipeline {
  const options = { settings, keepEvents: false, keepDetails: true, keepFacts: true, isShownFirst: quickly };
  return new LogPipeline(path, options, saved);
}

/** The kernel's result for it, in pieces of this many bytes. */
export function byKernel(
  path: string,
  content: Uint8Array,
  settings: DedupSettings,
  pieceBytes = content.length,
  more: More = {},
): LogData {
  return read(path, content, { ...FIGURES, ...more, settings, keepFacts: false }, pieceBytes).data();
}

/** The facts of a log as stored in the cache. */
export function packedFactsOf(path: string, content: Uint8Array, settings: DedupSettings): SavedLog {
  const saved = read(path, content, { ...FIGURES, settings, keepFacts: true }, content.length).save();
  if (saved === undefined) throw new Error("facts were not kept");
  return saved;
}

/** The kernel's result for packed facts, under any settings. */
export function byKernelFrom(path: string, saved: SavedLog, settings: DedupSettings): LogData {
  return new FiguresPipeline(path, { ...FIGURES, settings, keepFacts: false }, saved).data();
}

/** The same for a log that has grown by this much. */
export function resumedByKernel(
  path: string,
  saved: SavedLog | undefined,
  rest: Uint8Array,
  settings: DedupSettings,
): LogData {
  const log = new FiguresPipeline(path, { ...FIGURES, settings, keepFacts: true }, saved);
  log.push(asBytes(rest));
  return log.data();
}

/** The JavaScript replay's result for packed facts. */
export function byReplayFrom(path: string, saved: SavedLog, settings: DedupSettings): LogData {
  return new LogPipeline(path, { ...FIGURES, settings, keepFacts: false }, saved).data();
}

function read(path: string, content: Uint8Array, options: PipelineOptions, pieceBytes: number): FiguresPipeline {
  const log = new FiguresPipeline(path, options);
  for (let from = 0; from < content.length; from += pieceBytes) {
    log.push(asBytes(content.subarray(from, from + pieceBytes)));
  }
  return log;
}

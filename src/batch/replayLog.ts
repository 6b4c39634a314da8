import { fstatSync } from "node:fs";
import type { LogCache, RecalledLog } from "../cache/logCache.js";
import { hasOnlyGrown, identify } from "../files/identity.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import { isSettled, stampOf } from "../files/stamp.js";
import type { LogData } from "../inspect/logData.js";
import { KernelFailure } from "../kernel/kernel.js";
import type { Bytes } from "../log/bytes.js";
import { FiguresPipeline, figuresOf, isForFigures } from "../pipeline/figuresPipeline.js";
import { LogPipeline, type PipelineOptions, type SavedLog } from "../pipeline/logPipeline.js";
import { isForPicture } from "../pipeline/quickReplay.js";
import type { FoundLog } from "../tail/discover.js";
import { LogFollower, type SavedFollower } from "../tail/follower.js";

export interface RecallOptions {
  /** Undefined: neither read nor write it. */
  readonly cache: LogCache | undefined;
  /**
   * Also remember figures made from facts alone, for callers that will request them under these settings again and
   * again. Otherwise, making them again takes less time than writing them.
   */
  readonly keepFigures?: boolean | undefined;
  /** The log as just found by a search: if it is unchanged since it was read, it is not even opened. */
  readonly found?: FoundLog | undefined;
  /** For larger logs, only figures are remembered. */
  readonly maxFactsBytes?: number;
}

/** While a log is read, the facts to remember take a third of its bytes. */
const MAX_FACTS_BYTES = 256 * 1024 * 1024;

/** Either of the ways from bytes to data. */
type Pipeline = new (
  path: string,
  options: PipelineOptions,
  saved?: SavedLog,
) => Pick<LogPipeline, "push" | "consumed" | "data" | "save"> & Pick<Partial<FiguresPipeline>, "room">;

/** Replays one log, or recalls it from the cache: only reads bytes that were never read. */
export function replayLog(
  path: string,
  options: PipelineOptions,
  recalling: RecallOptions,
  advance: (bytes: number) => void,
): LogData {
  const known = knownFigures(path, options, recalling);
  if (known !== undefined) {
    advance(recalling.found?.bytes ?? 0);
    return known;
  }
  return withOpenFile(path, (file, { size }) => {
    const opened = { file, path, size };
    if (!isForFigures(options)) return replayFile(opened, options, recalling, advance, LogPipeline);
    try {
      return replayFile(opened, options, recalling, advance, FiguresPipeline);
    } catch (error) {
      if (!(error instanceof KernelFailure)) throw error;
      return replayFile(opened, options, recalling, () => {}, LogPipeline);
    }
  });
}

function knownFigures(
  path: string,
  options: PipelineOptions,
  { cache, keepFigures, found }: RecallOptions,
): LogData | undefined {
  if (found?.stamp === undefined || keepFigures || needsTexts(options) || !isForFigures(options)) return undefined;
  try {
    const known = cache?.recallFacts(path, found.stamp, options);
    return known && figuresOf(path, options, known);
  } catch {
    // Reading the log itself will show the problem.
    return undefined;
  }
}

function replayFile(
  { file, path, size: opened }: { readonly file: number; readonly path: string; readonly size: number },
  options: PipelineOptions,
  { cache, keepFigures = false, maxFactsBytes = MAX_FACTS_BYTES }: RecallOptions,
  advance: (bytes: number) => void,
  Pipeline: Pipeline,
): LogData {
  const now = Date.now();
  const stats = cache && fstatSync(file, { bigint: true });
  const size = stats ? Number(stats.size) : opened;
  const known = cache?.recall(file, path, options);
  const facts = needsTexts(options) ? undefined : known;
  const recalled = known?.data ?? (facts && fromFacts(path, options, facts, Pipeline));
  if (known !== undefined && recalled !== undefined) {
    if (keepFigures && known.data === undefined) {
      cache?.rememberFigures(path, { identity: known.identity, options, data: recalled });
    }
    advance(size);
    return recalled;
  }
  const keepFacts = options.keepFacts || (size <= maxFactsBytes && (cache?.serves(options) ?? false));
  const log = new Pipeline(path, { ...options, keepFacts }, facts?.resumable());
  const identity = cache && identify(file, size);
  advance(log.consumed);
  const push = (bytes: Bytes) => {
    // Bytes in the pipeline's own room may be gone afterwards: its memory can grow.
    const { length } = bytes;
    log.push(bytes);
    advance(length);
  };
  readBytes(file, log.consumed, size, push, () => log.room);
  const data = log.data();
  const saved = log.save();
  // A log that was rewritten while it was read is neither the old one nor the new one.
  if (identity !== undefined && hasOnlyGrown(file, identity)) {
    const stamp = stats && isSettled(stats, now) ? stampOf(stats) : undefined;
    if (saved !== undefined) cache?.remember(path, { identity, options, data, facts: saved, stamp });
    else cache?.rememberFigures(path, { identity, options, data });
  }
  return data;
}

/** Strategies and passes compare or rebuild texts, which only the log has. */
export function needsTexts({ strategies, passes }: PipelineOptions): boolean {
  return strategies === true || passes === true;
}

function fromFacts(
  path: string,
  options: PipelineOptions,
  recalled: RecalledLog,
  Pipeline: Pipeline,
): LogData | undefined {
  if (!recalled.isUnchanged()) return undefined;
  if (Pipeline === FiguresPipeline) return recalled.known && figuresOf(path, options, recalled.known);
  const saved = recalled.resumable();
  return saved && new Pipeline(path, { ...options, keepFacts: false }, saved).data();
}

/** Follows a log and replays it as it grows. */
export type ReplayFollower = LogFollower<SavedLog, LogPipeline>;

export function followLog(path: string, options: PipelineOptions, saved?: SavedFollower<SavedLog>): ReplayFollower {
  return new LogFollower(path, log => new LogPipeline(path, options, log), saved);
}

/** What the cache has for a follower to continue from; undefined if nothing, or nothing trustworthy. */
export function recallFollower(
  path: string,
  options: PipelineOptions,
  cache: LogCache,
): SavedFollower<SavedLog> | undefined {
  try {
    return withOpenFile(path, file => {
      const log = cache.recall(file, path, options)?.resumable();
      // Up to the end of the last whole line: the follower checks that the file is unchanged up to there.
      return log && { log, identity: identify(file, log.reader.offset) };
    });
  } catch {
    return undefined;
  }
}

/**
 * Reads a log for a follower in the fastest way, which only works for whole logs: the follower continues from there.
 * Undefined if that is not possible, or the file changes meanwhile: then the follower reads it itself.
 */
export function readForFollower(path: string, options: PipelineOptions): SavedFollower<SavedLog> | undefined {
  // Skips what the picture does not show.
  const withoutSweep = options.withoutSweep === true || !isForPicture(options);
  const reading = { ...options, keepEvents: false, keepDetails: false, withoutSweep };
  if (!options.isShownFirst || needsTexts(options) || !isForFigures(reading)) return undefined;
  try {
    return withOpenFile(path, file => readFile(file, new FiguresPipeline(path, reading)));
  } catch {
    return undefined;
  }
}

function readFile(file: number, pipeline: FiguresPipeline): SavedFollower<SavedLog> | undefined {
  const before = identify(file);
  const push = (bytes: Bytes) => pipeline.push(bytes);
  readBytes(file, 0, before.size, push, () => pipeline.room);
  const log = pipeline.save();
  if (log === undefined || !hasOnlyGrown(file, before)) return undefined;
  return { log, identity: identify(file, pipeline.consumed) };
}

/** Caches what a follower has read, as if the log had been read for the cache; skips what is already there. */
export function rememberFollowed(
  { path, sink, saved }: ReplayFollower,
  options: PipelineOptions,
  cache: LogCache,
): LogData {
  const data = sink.data();
  if (saved === undefined) return data;
  const { log: facts, identity } = saved;
  if (!cache.remembers(path, identity, options)) cache.remember(path, { identity, options, data, facts });
  return data;
}

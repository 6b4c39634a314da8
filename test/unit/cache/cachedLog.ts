/** A log that is read with a cache of its own, for the tests of what is remembered. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import type { LogData } from "../../../src/inspect/logData.js";
import type { PipelineOptions } from "../../../src/pipeline/logPipeline.js";
import { Chance, LineSource } from "../../support/liveLog.js";

interface CachedLog {
  /** Where more lines come from. */
  readonly source: LineSource;
  readonly cache: LogCache;
  readonly path: string;
}

/** Before there is one. */
export const NO_LOG: CachedLog = { source: new LineSource(new Chance(0)), cache: new LogCache(""), path: "" };

/** A log with 300 lines, and an empty cache. */
export function cachedLog(folder: string): CachedLog {
  const source = new LineSource(new Chance(4));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, source.take(300));
  return { source, cache: new LogCache(join(folder, "cache")), path };
}

/** For figures alone. */
export function optionsOf(settings: Partial<DedupSettings> = {}): PipelineOptions {
  return { settings: { ...DEFAULT_SETTINGS, ...settings }, keepEvents: false, keepDetails: false, keepFacts: false };
}

/** What a reading gave, how many bytes it recalled, and how many it took from the log. */
export function readLog(
  path: string,
  options: PipelineOptions,
  cache: LogCache | undefined,
): { data: LogData; recalled: number; taken: number } {
  const steps: number[] = [];
  const data = replayLog(path, options, { cache }, bytes => steps.push(bytes));
  const [recalled = 0, ...taken] = steps;
  return { data, recalled, taken: taken.reduce((sum, bytes) => sum + bytes, 0) };
}

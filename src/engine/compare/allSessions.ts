import { availableParallelism } from "node:os";
import { join } from "node:path";
import { replayAll } from "../../batch/replayPool.js";
import { LogCache } from "../../cache/logCache.js";
import { dataFolder } from "../../files/folders.js";
import { readSmallFile } from "../../files/openFile.js";
import type { LogData } from "../../inspect/logData.js";
import { buildReport, type Report } from "../../inspect/report.js";
import { type TrialReport, trialReport } from "../../inspect/trialReport.js";
import { isOfSession } from "../../log/sessionFiles.js";
import type { PipelineOptions } from "../../pipeline/logPipeline.js";
import type { ComparedLogs } from "../../protocol/comparison.js";
import type { Progress } from "../../protocol/messages.js";
import { LIVE_SETTINGS_FILE, parseLiveSettings, type Trial } from "../../settings/liveSettings.js";
import { type FoundLog, findLogs } from "../../tail/discover.js";
import { ReadingProgress } from "../library/readingProgress.js";

const MAX_THREADS = 4;

interface ReadingOptions {
  advanced?(progress: Progress): void;
  /** Aborting makes it fail. */
  readonly signal?: AbortSignal;
  /** Also compare the groups of a trial of live hints, if there is or was one. */
  readonly withTrial?: boolean;
  /** Use the sample if there are no logs of the user's own; otherwise it never counts. */
  readonly sampleMayStandIn?: boolean;
}

/** What `report --strategies --json` prints for the same logs and settings. The logs are read on other threads. */
export async function reportOfAll(
  { roots, sample, settings, figures, useCache }: ComparedLogs,
  reading: ReadingOptions = {},
): Promise<Report> {
  const { logs: found } = findLogs(roots);
  const own = withoutSample(found, sample);
  const logs = own.length === 0 && reading.sampleMayStandIn ? found : own;
  const options = { settings, strategies: true, keepEvents: false, keepDetails: false, keepFacts: false };
  const data = await readOnThreads(logs, options, useCache, reading);
  const trial = reading.withTrial ? knownTrial() : undefined;
  return buildReport(data, settings, () => true, { strategies: true, ...figures, trial });
}

/** What a trial of live hints shows so far; null if there was none. */
export async function trialOfAll({ roots, sample, settings, useCache }: ComparedLogs): Promise<TrialReport | null> {
  const trial = knownTrial();
  if (trial === null) return null;
  const logs = withoutSample(findLogs(roots).logs, sample);
  const options = { settings, keepEvents: false, keepDetails: false, keepFacts: false };
  return trialReport(await readOnThreads(logs, options, useCache), trial, () => true);
}

function withoutSample(logs: readonly FoundLog[], sample: string | undefined): FoundLog[] {
  return logs.filter(({ path }) => sample === undefined || !isOfSession(sample, path));
}

/** Larger than the file with the settings of live hints ever is. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

function knownTrial(): Trial | null {
  try {
    const file = readSmallFile(join(dataFolder(), LIVE_SETTINGS_FILE), { maxBytes: MAX_SETTINGS_BYTES });
    return parseLiveSettings(file.toString("utf8")).trial ?? null;
  } catch {
    // Live hints were never on, or the folder of their settings is unknown.
    return null;
  }
}

/** Some logs with everything that a timeline shows. */
export function detailsOf(
  files: ReadonlySet<string>,
  { settings, useCache }: ComparedLogs,
  signal: AbortSignal,
): Promise<LogData[]> {
  const { logs } = findLogs([...files]);
  const options = { settings, keepEvents: false, keepDetails: true, keepFacts: false, withoutSweep: true };
  return readOnThreads(logs, options, useCache, { signal });
}

async function readOnThreads(
  logs: readonly FoundLog[],
  options: PipelineOptions,
  useCache: boolean,
  { advanced, signal }: ReadingOptions = {},
): Promise<LogData[]> {
  const data: (LogData | undefined)[] = [];
  const progress = new ReadingProgress(logs);
  await replayAll(
    { logs, options, cacheFolder: useCache ? LogCache.ofUser()?.folder : undefined },
    {
      advance: bytes => progress.advance(bytes),
      // The page lists logs that cannot be read.
      done: replayed => {
        if (replayed.data !== undefined) data[replayed.index] = replayed.data;
        progress.fileDone();
        advanced?.(progress.now);
      },
    },
    {
      threads: Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1)),
      callerWorks: false,
      ...(signal && { signal }),
    },
  );
  signal?.throwIfAborted();
  return data.filter(log => log !== undefined);
}

import { availableParallelism } from "node:os";
import { replayAll } from "../../batch/replayPool.js";
import { LogCache } from "../../cache/logCache.js";
import type { LogData } from "../../inspect/logData.js";
import { buildReport, type Report } from "../../inspect/report.js";
import type { ComparedLogs } from "../../protocol/comparison.js";
import type { Progress } from "../../protocol/messages.js";
import { findLogs } from "../../tail/discover.js";
import { ReadingProgress } from "../library/readingProgress.js";

const MAX_THREADS = 4;

/** What `report --strategies --json` prints for the same logs and settings. The logs are read on other threads. */
export async function reportOfAll(
  { roots, sample, settings, figures, useCache }: ComparedLogs,
  advanced: (progress: Progress) => void = () => {},
): Promise<Report> {
  const logs = findLogs(roots).logs.filter(({ path }) => path !== sample);
  const data: (LogData | undefined)[] = [];
  const options = { settings, strategies: true, keepEvents: false, keepDetails: false, keepFacts: false };
  const progress = new ReadingProgress(logs);
  await replayAll(
    { logs, options, cacheFolder: useCache ? LogCache.ofUser()?.folder : undefined },
    {
      advance: bytes => progress.advance(bytes),
      // The page lists logs that cannot be read.
      done: replayed => {
        if (replayed.data !== undefined) data[replayed.index] = replayed.data;
        progress.fileDone();
        advanced(progress.now);
      },
    },
    { threads: Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1)), callerWorks: false },
  );
  return buildReport(
    data.filter(log => log !== undefined),
    settings,
    () => true,
    { strategies: true, ...figures },
  );
}

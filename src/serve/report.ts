import { availableParallelism } from "node:os";
import type { LogData } from "../inspect/logModel.js";
import { buildReport, type Report } from "../inspect/report.js";
import type { EngineConfig } from "../panel/engineMessages.js";
import { findLogs } from "../tail/discover.js";
import { LogCache } from "../tail/logCache.js";
import { replayAll } from "../tail/replayPool.js";

const MOST_THREADS = 4;

/** What `dedup-inspector report --json` would print for the same logs and settings; read on other threads. */
export async function makeReport({ roots, settings, useCache }: EngineConfig): Promise<Report> {
  const { logs } = findLogs(roots);
  const data: (LogData | undefined)[] = [];
  const options = { settings, keepEvents: false, keepDetails: false, keepFacts: false };
  await replayAll(
    { logs, options, cacheFolder: useCache ? new LogCache().folder : undefined },
    {
      advance: () => {},
      // A log that cannot be read is named on the page already.
      done: replayed => {
        if (replayed.data !== undefined) data[replayed.index] = replayed.data;
      },
    },
    { threads: Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)), callerWorks: false },
  );
  return buildReport(
    data.filter(log => log !== undefined),
    settings,
    () => true,
  );
}

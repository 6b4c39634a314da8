import { availableParallelism } from "node:os";
import { replayAll } from "../../batch/replayPool.js";
import { LogCache } from "../../cache/logCache.js";
import type { LogData } from "../../inspect/logData.js";
import { buildReport, type Report, withStrategies } from "../../inspect/report.js";
import type { Progress } from "../../protocol/messages.js";
import { findLogs } from "../../tail/discover.js";
import type { EngineConfig } from "../engineMessages.js";
import { ReadingProgress } from "../library/readingProgress.js";

const MOST_THREADS = 4;

/** What `report --strategies --json` prints for the same logs and settings; read on other threads. */
export async function reportOfAll(
  {
    roots,
    sample,
    settings,
    figures,
    useCache,
  }: Pick<EngineConfig, "roots" | "sample" | "settings" | "figures" | "useCache">,
  advanced: (progress: Progress) => void = () => {},
): Promise<Report> {
  const { logs: found } = findLogs(roots);
  // The sample stands in for the user's own logs where there are none, and is never added to them.
  const own = found.filter(({ path }) => path !== sample);
  const logs = own.length > 0 ? own : found;
  const data: (LogData | undefined)[] = [];
  const reporting = withStrategies(figures);
  const options = {
    settings,
    strategies: reporting.strategies,
    keepEvents: false,
    keepDetails: false,
    keepFacts: false,
  };
  const progress = new ReadingProgress(logs);
  await replayAll(
    { logs, options, cacheFolder: useCache ? LogCache.ofUser()?.folder : undefined },
    {
      advance: bytes => progress.advance(bytes),
      // A log that cannot be read is named on the page already.
      done: replayed => {
        if (replayed.data !== undefined) data[replayed.index] = replayed.data;
        progress.fileDone();
        advanced(progress.now);
      },
    },
    { threads: Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)), callerWorks: false },
  );
  return buildReport(
    data.filter(log => log !== undefined),
    settings,
    () => true,
    reporting,
  );
}

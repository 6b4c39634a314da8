import { replayAll } from "../batch/replayPool.js";
import type { LogCache } from "../cache/logCache.js";
import type { LogData } from "../inspect/logData.js";
import type { PipelineOptions } from "../pipeline/logPipeline.js";
import type { FoundLog } from "../tail/discover.js";
import { Progress } from "./progress.js";
import type { Terminal } from "./terminal.js";

/** Replays logs, with progress on a terminal; in the logs' order, without those that failed or came after `signal`. */
export async function replayLogs(
  logs: readonly FoundLog[],
  options: PipelineOptions,
  cache: LogCache | undefined,
  tell?: Terminal["progress"],
  signal?: AbortSignal,
): Promise<{ data: LogData[]; problems: string[] }> {
  const data: (LogData | undefined)[] = [];
  const problems: string[] = [];
  const progress = new Progress({ files: logs.length, bytes: logs.reduce((sum, log) => sum + log.bytes, 0) }, tell);
  await replayAll(
    { logs, options, cacheFolder: cache?.folder },
    {
      advance: bytes => progress.advance(bytes),
      done: replayed => {
        if (replayed.data !== undefined) data[replayed.index] = replayed.data;
        if (replayed.problem !== undefined) problems.push(replayed.problem);
        progress.fileDone();
      },
    },
    { cache, ...(signal && { signal }) },
  );
  progress.end();
  cache?.tidy();
  return { data: data.filter(one => one !== undefined), problems };
}

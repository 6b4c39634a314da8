import { type LogData, LogModel, type ReplayOptions } from "../inspect/logModel.js";
import { type FoundLog, problemOf } from "../tail/discover.js";
import { readLog } from "../tail/readLog.js";
import type { Progress } from "./progress.js";

/** Reads and replays logs; one that cannot be read is told to `problem` and left out. */
export function replayLogs(
  logs: readonly FoundLog[],
  options: ReplayOptions,
  progress: Progress,
  problem: (line: string) => void,
): LogData[] {
  const data: LogData[] = [];
  for (const log of logs) {
    const model = new LogModel(log.path, options);
    try {
      readLog(log.path, bytes => {
        model.push(bytes);
        progress.advance(bytes.length);
      });
      data.push(model.data());
    } catch (error) {
      problem(`${problemOf(error)}: ${log.path}`);
    }
    progress.fileDone();
  }
  return data;
}

import type { ContextData, LogData } from "../inspect/logData.js";
import type { LogReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";

/** What a log gave: what its reader knows, and the data of each context. `file`: the subagent's own. */
export function logDataOf(
  path: string,
  { header, lines, samples, contexts }: LogReader,
  contextData: (id: string, file: string | undefined) => ContextData,
): LogData {
  const ownFile = agentOfFile(path) === undefined ? undefined : path;
  return {
    path,
    sessionId: header.sessionId,
    project: header.project,
    title: header.title,
    isTitled: header.isTitled,
    firstAt: header.firstAt,
    lastAt: header.lastAt,
    prompts: header.prompts,
    interruptions: header.interruptions,
    models: [...header.models],
    versions: [...header.versions],
    lines,
    badLines: header.badLines,
    overlongLines: header.overlongLines,
    failedLines: header.failedLines,
    failure: header.failure,
    leftOutLines: header.leftOutLines,
    samples,
    contexts: [...contexts.keys()].map(id => contextData(id, ownFile)),
  };
}

import type { ContextData, LogData } from "../inspect/logData.js";
import type { Sample } from "../log/calibration.js";
import type { LogHeader } from "../log/logHeader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { withUpperDrive } from "../log/tools.js";

/** What a reader knows about a log. */
export interface ReadLog {
  readonly header: LogHeader;
  readonly lines: number;
  readonly samples: readonly Sample[];
  readonly contexts: Pick<ReadonlyMap<string, unknown>, "keys">;
}

/** The data of a log: what its reader knows, and the data of each context. `file`: the subagent's own. */
export function logDataOf(
  path: string,
  { header, lines, samples, contexts }: ReadLog,
  contextData: (id: string, file: string | undefined) => ContextData,
): LogData {
  const ownFile = agentOfFile(path) === undefined ? undefined : path;
  return {
    path,
    sessionId: header.sessionId,
    project: header.project && withUpperDrive(header.project),
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

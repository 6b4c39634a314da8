import { LogCache } from "../cache/logCache.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { LogData } from "../inspect/logData.js";
import type { Report, ReportOptions } from "../inspect/report.js";
import type { SessionFilter } from "../inspect/sessionDescription.js";
import { reportOf } from "../sums/report.js";
import type { FoundLog } from "../tail/discover.js";
import { damageOf } from "./damage.js";
import { runs } from "./ranParts.js";
import { replayLogs } from "./replayLogs.js";
import type { Terminal } from "./terminal.js";

interface Reading {
  readonly settings: DedupSettings;
  readonly useCache: boolean;
  readonly terminal: Terminal;
}

interface Making extends Reading {
  readonly shows: SessionFilter;
  readonly options: ReportOptions;
  readonly keepEvents: boolean;
}

export interface Made {
  readonly report: Report;
  /** Messages for the user about damaged logs. */
  readonly warnings: readonly string[];
  /** One line for each log that could not be read. */
  readonly problems: readonly string[];
}

export async function makeReport(logs: readonly FoundLog[], making: Making): Promise<Made> {
  const { settings, shows, options, keepEvents, useCache, terminal } = making;
  const { strategies, passes } = options;
  const cache = useCache ? LogCache.ofUser() : undefined;
  runs(cache?.mayKnow(logs[0]?.path ?? "") ? "replayed" : "read");
  const replaying = { settings, keepEvents, keepDetails: false, keepFacts: false, strategies, passes };
  const { data, problems } = await replayLogs(logs, replaying, cache, terminal.progress);
  const warnings = data.flatMap(log => [...damageOf(log.path, log.lines, log).values()]);
  return { report: reportOf(data, settings, shows, options), warnings, problems };
}

/** Reads some of the logs again, with everything that a timeline shows. */
export async function withDetails(
  logs: readonly FoundLog[],
  files: ReadonlySet<string>,
  { settings, useCache, terminal }: Reading,
): Promise<LogData[]> {
  const wanted = logs.filter(({ path }) => files.has(path));
  const replaying = { settings, keepEvents: false, keepDetails: true, keepFacts: false, withoutSweep: true };
  return (await replayLogs(wanted, replaying, useCache ? LogCache.ofUser() : undefined, terminal.progress)).data;
}

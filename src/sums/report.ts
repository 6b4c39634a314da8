import type { DedupSettings } from "../dedup/settings.js";
import type { LogData } from "../inspect/logData.js";
import { buildReport, type Report, type ReportOptions } from "../inspect/report.js";
import { ROW_WIDTH } from "../inspect/rows.js";
import type { SessionFilter } from "../inspect/sessionDescription.js";
import { SumsFailure } from "./program.js";
import { CompiledSums } from "./sums.js";

/**
 * Same as `buildReport`, but faster. Most reports are done before V8 has optimized the sums in JavaScript, which takes
 * longer than the compiled program needs.
 */
export function reportOf(
  logs: readonly LogData[],
  settings: DedupSettings,
  shows: SessionFilter,
  options: ReportOptions = {},
): Report {
  const contexts = logs.flatMap(log => log.contexts);
  const withWays = options.strategies === true;
  if (contexts.every(({ strategies }) => (strategies !== undefined) === withWays)) {
    try {
      const cells = contexts.reduce((sum, { rows }) => sum + rows.length, 0);
      return buildReport(logs, settings, shows, options, new CompiledSums(settings, cells / ROW_WIDTH, withWays));
    } catch (error) {
      if (!(error instanceof SumsFailure)) throw error;
    }
  }
  return buildReport(logs, settings, shows, options);
}

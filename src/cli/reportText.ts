import type { LogData } from "../inspect/logData.js";
import type { Report } from "../inspect/report.js";
import type { ReportFormat } from "../protocol/reportFormats.js";
import { reportHtml } from "./reportHtml.js";
import { reportJson } from "./reportJson.js";
import { reportMarkdown } from "./reportMarkdown.js";
import { mostSaving } from "./reportTable.js";

/** Reads some of the logs again, with everything that a timeline shows. */
export type ReadDetails = (files: ReadonlySet<string>) => Promise<readonly LogData[]>;

/** A report as a file, in pieces. `areHintsOn`: if so, it does not explain how to turn live hints on. */
export async function reportText(
  report: Report,
  format: ReportFormat,
  limit: number,
  read: ReadDetails,
  areHintsOn: boolean,
): Promise<Iterable<string>> {
  switch (format) {
    case "json":
      return reportJson(report);
    case "markdown":
      return [reportMarkdown(report, limit, areHintsOn)];
    case "html": {
      const files = new Set(mostSaving(report, limit).map(({ session }) => session.file));
      return [reportHtml(report, limit, areHintsOn, await read(files))];
    }
    default:
      return format satisfies never;
  }
}

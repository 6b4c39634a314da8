/** The export formats of a report, in VS Code, the page and the command line. */
export const REPORT_FORMATS = ["html", "markdown", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const EXTENSIONS: Readonly<Record<ReportFormat, readonly [string, ...string[]]>> = {
  html: ["html", "htm"],
  markdown: ["md", "markdown"],
  json: ["json"],
};

/** The extensions of files in a format, the usual one first. */
export function extensionsOf(format: ReportFormat): readonly [string, ...string[]] {
  return EXTENSIONS[format];
}

/** The default file name of a report in this format. */
export function reportFile(format: ReportFormat): string {
  return `dedup-report.${EXTENSIONS[format][0]}`;
}

/** The format for a file name; JSON if its extension is unknown. */
export function formatOfFile(name: string): ReportFormat {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return REPORT_FORMATS.find(format => EXTENSIONS[format].includes(extension)) ?? "json";
}

export function isReportFormat(value: unknown): value is ReportFormat {
  return REPORT_FORMATS.some(format => format === value);
}

/** What the command line reports to a parent process from time to time. */
export interface ToldProgress {
  readonly bytesDone: number;
  readonly bytes: number;
}

/** Undefined if it is something else. */
export function toldProgress(message: unknown): ToldProgress | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { bytesDone, bytes } = message as Readonly<Record<string, unknown>>;
  return typeof bytesDone === "number" && typeof bytes === "number" ? { bytesDone, bytes } : undefined;
}

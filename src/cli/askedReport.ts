/** The parsed request for a `report`, for the program that recalls reports and the one that makes them. */
import { type ReportState, reportState } from "../cache/reportCache.js";
import type { DedupSettings } from "../dedup/settings.js";
import { claudeLogFolders } from "../files/folders.js";
import type { ReportOptions } from "../inspect/report.js";
import { REPORT_FORMATS, type ReportFormat } from "../protocol/reportFormats.js";
import type { Trial } from "../settings/liveSettings.js";
import { FIGURES, REPLAY } from "../settings/table.js";
import { type Discovery, defaultRoots, findLogs } from "../tail/discover.js";
import {
  dateOption,
  type OptionValues,
  onlyWith,
  optionsFor,
  readArguments,
  settingsIn,
  text,
  UsageError,
  wholeNumber,
} from "./options.js";

/** Which sessions reports and exports cover. */
export const SESSION_OPTIONS = {
  ...optionsFor(REPLAY, FIGURES),
  since: { type: "string" },
  project: { type: "string" },
  "no-cache": { type: "boolean" },
} as const;

const OPTIONS = {
  ...SESSION_OPTIONS,
  json: { type: "boolean" },
  markdown: { type: "boolean" },
  html: { type: "boolean" },
  events: { type: "boolean" },
  limit: { type: "string" },
  strategies: { type: "boolean" },
  passes: { type: "boolean" },
  trial: { type: "boolean" },
  gates: { type: "boolean" },
} as const;

/** The default number of rows in a table and of timelines in a document. */
export const SHOWN_ROWS = 10;

/** Plain data, which can be passed between programs. */
export interface AskedReport {
  readonly settings: DedupSettings;
  readonly options: ReportOptions;
  readonly filter: Filter;
  readonly format: ReportFormat | "table";
  readonly limit: number;
  readonly withEvents: boolean;
  readonly withGates: boolean;
  readonly useCache: boolean;
  readonly found: Discovery;
  /** Undefined if the report is neither recalled nor remembered. */
  readonly state: ReportState | undefined;
}

/** `trialOf`: the current or last trial, only needed if the report compares its groups. */
export function askedReport(args: string[], trialOf: () => Trial | null): AskedReport {
  const { values, paths } = readArguments(args, OPTIONS);
  const settings = settingsIn(REPLAY, values);
  const limit = wholeNumber(values, "limit", 1) ?? SHOWN_ROWS;
  const filter = filterOf(values);
  const format = formatOf(values);
  const [strategies, passes] = [values["strategies"] === true, values["passes"] === true];
  const trial = values["trial"] === true ? trialOf() : undefined;
  const options: ReportOptions = { ...settingsIn(FIGURES, values), strategies, passes, trial };
  onlyWith(values, ["events"], format === "json", "--json");
  onlyWith(values, ["limit"], format !== "json", "a table, --markdown or --html");
  onlyWith(values, ["gates"], format === "table", `a table: --${format} always has these lists`);
  // The other ways to save include live hints with runs of lines.
  const hasRuns = settings.runs || strategies;
  onlyWith(values, [REPLAY.spanMinBytes.flag], hasRuns, "runs of lines, which --no-runs turns off");
  const [withEvents, useCache] = [values["events"] === true, values["no-cache"] !== true];
  const since = Date.now();
  const found = findLogs(paths.length > 0 ? paths : namedRoots());
  const state =
    useCache && !withEvents ? reportState(found.logs, [settings, filter, options, paths], since) : undefined;
  const withGates = values["gates"] === true;
  return { settings, options, filter, format, limit, withEvents, withGates, useCache, found, state };
}

function formatOf(values: OptionValues): ReportFormat | "table" {
  const [format = "table", another] = REPORT_FORMATS.filter(name => values[name] === true);
  if (another !== undefined) throw new UsageError(`--${format} and --${another} cannot be used together`);
  return format;
}

/** Claude Code's own folders, if the user named none. */
export function namedRoots(): string[] {
  const roots = defaultRoots();
  if (roots.length === 0) throw new Error(noLogs());
  return roots;
}

/** Where they were searched for, and what to do if they are elsewhere. */
export function noLogs(): string {
  const searched = claudeLogFolders().join(", ");
  const where = searched === "" ? "" : ` in ${searched}`;
  return `no Claude Code logs found${where}: specify a log or a folder, or set CLAUDE_CONFIG_DIR to Claude Code's folder`;
}

/** Which sessions a report or an export covers. */
export interface Filter {
  readonly since: string | undefined;
  /** As `comparableProject` spells it. */
  readonly project: string | undefined;
}

export function filterOf(values: OptionValues): Filter {
  const project = text(values, "project");
  return { since: dateOption(values, "since"), project: project && comparableProject(project) };
}

/** In any case, and with the slashes of any shell. */
export function comparableProject(path: string): string {
  return path.toLowerCase().replaceAll("\\", "/");
}

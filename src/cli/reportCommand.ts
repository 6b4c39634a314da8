import { ReportCache } from "../cache/reportCache.js";
import { chosenSettings } from "../hook/install/ownCopies.js";
import type { ReportOptions, SessionFilter } from "../inspect/report.js";
import { REPORT_FORMATS, type ReportFormat } from "../protocol/reportFormats.js";
import { FIGURES, REPLAY } from "../settings/table.js";
import { defaultRoots, type FoundLog, findLogs } from "../tail/discover.js";
import type { Made } from "./makeReport.js";
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
import { runs } from "./ranParts.js";
import { renderReport } from "./reportTable.js";
import { reportText, SHOWN_ROWS } from "./reportText.js";
import type { Terminal } from "./terminal.js";

const OPTIONS = {
  ...optionsFor(REPLAY, FIGURES),
  json: { type: "boolean" },
  markdown: { type: "boolean" },
  html: { type: "boolean" },
  events: { type: "boolean" },
  since: { type: "string" },
  project: { type: "string" },
  limit: { type: "string" },
  strategies: { type: "boolean" },
  passes: { type: "boolean" },
  trial: { type: "boolean" },
  gates: { type: "boolean" },
  "no-cache": { type: "boolean" },
} as const;

export async function reportCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, OPTIONS);
  const settings = settingsIn(REPLAY, values);
  const limit = wholeNumber(values, "limit", 1) ?? SHOWN_ROWS;
  const filter = filterOf(values);
  const format = formatOf(values);
  const [strategies, passes] = [values["strategies"] === true, values["passes"] === true];
  const trial = values["trial"] === true ? (chosenSettings()?.trial ?? null) : undefined;
  const options: ReportOptions = { ...settingsIn(FIGURES, values), strategies, passes, trial };
  onlyWith(values, ["events"], format === "json", "--json");

  const found = findLogs(paths.length > 0 ? paths : namedRoots());
  for (const line of [...found.problems, ...found.notes]) terminal.say(line);

  const useCache = values["no-cache"] !== true;
  const asked = { settings, useCache, terminal };
  const make = async () =>
    (await making()).makeReport(found.logs, {
      ...asked,
      shows: showing(filter),
      options,
      keepEvents: values["events"] === true,
    });
  const { report, warnings, problems } =
    useCache && values["events"] !== true
      ? await remembered(found.logs, [settings, filter, options], make)
      : await make();
  for (const line of [...problems, ...warnings]) terminal.say(line);

  runs(format);
  if (format === "table") terminal.out(renderReport(report, limit, terminal, values["gates"] === true));
  else {
    const read = async (files: ReadonlySet<string>) => (await making()).withDetails(found.logs, files, asked);
    for (const piece of await reportText(report, format, limit, read)) terminal.out(piece);
  }
  return found.problems.length + problems.length > 0 ? 1 : 0;
}

function formatOf(values: OptionValues): ReportFormat | "table" {
  const [format = "table", another] = REPORT_FORMATS.filter(name => values[name] === true);
  if (another !== undefined) throw new UsageError(`--${format} and --${another} cannot be used together`);
  return format;
}

/** What makes reports is loaded only where one is made: it takes longer than recalling one. */
const making = () => import("./makeReport.js");

/** The same report as the last time, where nothing has changed since; else it is made, and remembered if it is whole. */
async function remembered(logs: readonly FoundLog[], asked: unknown, make: () => Promise<Made>): Promise<Made> {
  const cache = ReportCache.ofUser();
  if (cache === undefined) return make();
  const state = ReportCache.stateOf(logs, asked);
  const known = state && cache.recall(state);
  if (known) {
    runs("recalled");
    return { ...known, problems: [] };
  }
  const { problems, ...made } = await make();
  // What was written meanwhile may be in it or not.
  if (problems.length === 0 && state?.isCurrent()) cache.remember(state, made);
  return { ...made, problems };
}

/** Claude Code's own folders, where the user named nothing. */
export function namedRoots(): string[] {
  const roots = defaultRoots();
  if (roots.length === 0) {
    throw new Error("no Claude Code logs found: specify a log or a folder, or set CLAUDE_CONFIG_DIR");
  }
  return roots;
}

interface Filter {
  readonly since: string | undefined;
  readonly project: string | undefined;
}

export function filterOf(values: OptionValues): Filter {
  return { since: dateOption(values, "since"), project: text(values, "project")?.toLowerCase() };
}

export function showing({ since, project }: Filter): SessionFilter {
  return session =>
    (since === undefined || (session.lastAt !== null && session.lastAt >= since)) &&
    (project === undefined || (session.project ?? "").toLowerCase().includes(project));
}

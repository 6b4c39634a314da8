import type { LogData } from "../inspect/logModel.js";
import { counted } from "../inspect/numbers.js";
import { buildReport, type ReportOptions, type SessionFilter } from "../inspect/report.js";
import { MAX_LINE_BYTES } from "../log/splitter.js";
import { defaultRoots, findLogs } from "../tail/discover.js";
import {
  dateOption,
  ENGINE_OPTIONS,
  engineSettings,
  LOOK_OPTIONS,
  looksOf,
  type OptionValues,
  readArguments,
  text,
  UsageError,
  wholeNumber,
} from "./options.js";
import { replayLogs } from "./replayLogs.js";
import { writeReportJson } from "./reportJson.js";
import { renderReport } from "./reportTable.js";
import type { Terminal } from "./terminal.js";

const OPTIONS = {
  ...ENGINE_OPTIONS,
  ...LOOK_OPTIONS,
  json: { type: "boolean" },
  events: { type: "boolean" },
  since: { type: "string" },
  project: { type: "string" },
  limit: { type: "string" },
  strategies: { type: "boolean" },
  gates: { type: "boolean" },
  "no-cache": { type: "boolean" },
} as const;

export async function reportCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, OPTIONS);
  const settings = engineSettings(values);
  const limit = wholeNumber(values, "limit", 1) ?? 10;
  const shows = sessionFilter(values);
  const json = values["json"] === true;
  const all = looksOf(values);
  const looks: ReportOptions = values["strategies"] === true ? all : { ...all, strategies: undefined };
  if (values["events"] === true && !json) throw new UsageError("--events goes with --json");

  const found = findLogs(paths.length > 0 ? paths : namedRoots());
  for (const line of [...found.problems, ...found.notes]) terminal.say(line);

  const keepEvents = values["events"] === true;
  const options = { settings, keepEvents, keepDetails: false, keepFacts: false, strategies: looks.strategies };
  const { data, problems } = await replayLogs(found.logs, options, values["no-cache"] !== true);
  for (const line of [...problems, ...data.flatMap(damageOf)]) terminal.say(line);

  const report = buildReport(data, settings, shows, looks);
  if (json) writeReportJson(report, terminal);
  else terminal.out(renderReport(report, limit, terminal, values["gates"] === true));
  return found.problems.length + problems.length > 0 ? 1 : 0;
}

/** Claude Code's own folders, where the user named nothing. */
export function namedRoots(): string[] {
  const roots = defaultRoots();
  if (roots.length === 0) {
    throw new Error("no Claude Code logs found: name a log or a folder, or set CLAUDE_CONFIG_DIR");
  }
  return roots;
}

function sessionFilter(values: OptionValues): SessionFilter {
  const since = dateOption(values, "since");
  const project = text(values, "project")?.toLowerCase();
  return session =>
    (since === undefined || (session.lastAt !== undefined && session.lastAt >= since)) &&
    (project === undefined || (session.project ?? "").toLowerCase().includes(project));
}

/** What a person should know about a file that is not as it should be. */
function damageOf(log: LogData): string[] {
  const said: string[] = [];
  if (log.overlongLines > 0) {
    said.push(`${counted(log.overlongLines, "line")} over ${MAX_LINE_BYTES >> 20} MB skipped: ${log.path}`);
  }
  if (log.badLines > 0 && log.badLines === log.lines) said.push(`not a Claude Code log: no line is JSON: ${log.path}`);
  return said;
}

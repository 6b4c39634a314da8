import { isCurrent, type KeptReport, ReportCache } from "../cache/reportCache.js";
import type { SessionFilter } from "../inspect/sessionDescription.js";
import { type AskedReport, askedReport, comparableProject, type Filter } from "./askedReport.js";
import type { Made } from "./makeReport.js";
import { runs } from "./ranParts.js";
import type { Recalled } from "./recallReport.js";
import { reportJson } from "./reportJson.js";
import type { Terminal } from "./terminal.js";

export async function reportCommand(args: string[], terminal: Terminal, recalled: Recalled = {}): Promise<number> {
  if (recalled.rest !== undefined) {
    terminal.out(recalled.rest);
    return 0;
  }
  const trial = args.includes("--trial") ? (await import("./shownReport.js")).trialOfUser() : null;
  const asked = recalled.asked ?? askedReport(args, () => trial);
  const { settings, options, format, useCache, found } = asked;
  for (const line of [...found.problems, ...found.notes]) terminal.say(line);

  const reading = { settings, useCache, terminal };
  const making = { ...reading, shows: showing(asked.filter), options, keepEvents: asked.withEvents };
  const { report, warnings, problems, json } = await remembered(asked, async () =>
    (await reportMaker()).makeReport(found.logs, making),
  );
  for (const line of [...problems, ...warnings]) terminal.say(line);

  runs(format);
  if (format === "json") for (const piece of json ? [json] : reportJson(report)) terminal.out(piece);
  else {
    const read = async (files: ReadonlySet<string>) => (await reportMaker()).withDetails(found.logs, files, reading);
    // Loading what renders text takes longer than rendering it.
    const { shownReport } = await import("./shownReport.js");
    for (const piece of await shownReport(report, asked, terminal, read)) terminal.out(piece);
  }
  return found.problems.length + problems.length > 0 ? 1 : 0;
}

/** Loaded only if a report must be made: that takes longer than recalling one. */
const reportMaker = () => import("./makeReport.js");

/** `json`: as printed, if known: a report of any size can be printed piece by piece. */
type Remembered = Made & Partial<Pick<KeptReport, "json">>;

/** The same report as last time if nothing has changed; otherwise makes it, and remembers it if it is complete. */
async function remembered({ state }: AskedReport, make: () => Promise<Made>): Promise<Remembered> {
  const cache = state && ReportCache.ofUser();
  if (state === undefined || cache === undefined) return make();
  const known = cache.recall(state);
  if (known) {
    runs("recalled");
    return { report: JSON.parse(known.json.toString()), problems: [], ...known };
  }
  const made = await make();
  // It may or may not include what was written meanwhile.
  if (made.problems.length > 0 || !isCurrent(state)) return made;
  const json = cache.remember(state, { pieces: reportJson(made.report), warnings: made.warnings });
  return { ...made, ...(json && { json }) };
}

export function showing({ since, project }: Filter): SessionFilter {
  return session =>
    (since === undefined || (session.lastAt !== null && session.lastAt >= since)) &&
    (project === undefined || comparableProject(session.project ?? "").includes(project));
}

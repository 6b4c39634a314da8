/** A report for display, with advice that depends on the user's live hints. */
import { chosenSettings } from "../hook/install/ownCopies.js";
import { liveHintsPlaces, liveHintsState } from "../hook/install/places.js";
import type { Report } from "../inspect/report.js";
import type { Trial } from "../settings/liveSettings.js";
import type { AskedReport } from "./askedReport.js";
import { renderReport } from "./reportTable.js";
import { type ReadDetails, reportText } from "./reportText.js";
import type { Terminal } from "./terminal.js";

export async function shownReport(
  report: Report,
  { format, limit, withGates }: AskedReport,
  terminal: Terminal,
  read: ReadDetails,
): Promise<Iterable<string>> {
  if (format !== "table") return reportText(report, format, limit, read, areHintsOn());
  return [renderReport(report, limit, terminal, { allGates: withGates, areHintsOn: areHintsOn() })];
}

/** The current or last trial. */
export function trialOfUser(): Trial | null {
  return chosenSettings()?.trial ?? null;
}

/** In this project or everywhere. */
function areHintsOn(): boolean {
  try {
    return liveHintsState(liveHintsPlaces(process.cwd())) !== "off";
  } catch {
    // The current folder is gone, which a report does not need.
    return liveHintsState(liveHintsPlaces()) !== "off";
  }
}

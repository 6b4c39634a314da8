import { MAX_LINE_BYTES } from "../log/lineSplitter.js";
import { type LogHeader, MAX_COMPACTIONS, MAX_CONTEXTS } from "../log/logHeader.js";
import { counted } from "../words/numbers.js";

type Counts = Pick<LogHeader, "badLines" | "overlongLines" | "failedLines" | "failure" | "leftOutLines">;

/** Why lines of a log are in no figure. */
export type Damage = "overlong" | "failed" | "leftOut" | "foreign";

/** What a person should know about a log that is not as it should be, one line for each kind. */
export function damageOf(path: string, lines: number, counts: Counts): Map<Damage, string> {
  const { badLines, overlongLines, failedLines, failure, leftOutLines } = counts;
  const said = new Map<Damage, string>();
  if (overlongLines > 0) {
    said.set("overlong", `${counted(overlongLines, "line")} over ${MAX_LINE_BYTES >> 20} MB skipped: ${path}`);
  }
  if (failedLines > 0) {
    said.set("failed", `${counted(failedLines, "line")} skipped for a fault of this program (${failure}): ${path}`);
  }
  if (leftOutLines > 0) {
    const limits = `more than ${MAX_CONTEXTS} contexts or ${MAX_COMPACTIONS} compactions in one log`;
    said.set("leftOut", `${counted(leftOutLines, "line")} left out, ${limits}: ${path}`);
  }
  if (badLines > 0 && badLines === lines) said.set("foreign", `not a Claude Code log: no line is JSON: ${path}`);
  return said;
}

import { MAX_LINE_BYTES } from "../log/lineSplitter.js";
import { type LogHeader, MAX_COMPACTIONS, MAX_CONTEXTS } from "../log/logHeader.js";
import { strings } from "../words/strings.js";
import { counted } from "../words/text.js";

type Counts = Pick<LogHeader, "badLines" | "overlongLines" | "failedLines" | "failure" | "leftOutLines">;

/** Why lines of a log are missing from all figures. */
export type Damage = "overlong" | "failed" | "leftOut" | "foreign";

/** Messages about a damaged log, one line for each kind of damage. */
export function damageOf(path: string, lines: number, counts: Counts): Map<Damage, string> {
  const { badLines, overlongLines, failedLines, failure, leftOutLines } = counts;
  const messages = new Map<Damage, string>();
  const count = (count: number) => counted(strings.counts.lines, count);
  if (overlongLines > 0) {
    messages.set("overlong", `${count(overlongLines)} over ${MAX_LINE_BYTES >> 20} MB skipped: ${path}`);
  }
  if (failedLines > 0) {
    messages.set("failed", `${count(failedLines)} skipped because of a bug in this program (${failure}): ${path}`);
  }
  if (leftOutLines > 0) {
    const limits = `more than ${MAX_CONTEXTS} contexts or ${MAX_COMPACTIONS} compactions in one log`;
    messages.set("leftOut", `${count(leftOutLines)} left out, ${limits}: ${path}`);
  }
  if (badLines > 0 && badLines === lines) messages.set("foreign", `not a Claude Code log (no line is JSON): ${path}`);
  return messages;
}

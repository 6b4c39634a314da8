/**
 * Recalls a report that was printed as JSON before: a separate program, because the one that makes reports takes longer
 * to load than this takes to answer. Anything out of the ordinary is left to that one.
 */
import { writeSync } from "node:fs";
import { type KeptReport, ReportCache } from "../cache/reportCache.js";
import { type AskedReport, askedReport } from "./askedReport.js";

export interface Recalled {
  /** The parsed request; undefined if the other program must parse it. */
  readonly asked?: AskedReport;
  /** The part of the report that could not be written; undefined if none was recalled. */
  readonly rest?: Uint8Array;
}

export function recallReport(args: string[]): Recalled {
  if (args.includes("--help") || args.includes("-h")) return {};
  try {
    const asked = askedReport(args, () => {
      throw new Error("left to the other program");
    });
    const kept = recalled(asked);
    return { asked, ...(kept && { rest: unwritten(kept.json) }) };
  } catch {
    // The other program reports mistakes.
    return {};
  }
}

function recalled({ format, found, state }: AskedReport): KeptReport | undefined {
  if (format !== "json" || state === undefined || found.problems.length + found.notes.length > 0) return undefined;
  const kept = ReportCache.ofUser()?.recall(state);
  return kept?.warnings.length === 0 ? kept : undefined;
}

/** Standard output may be anything, full, closed, or not ready. Node's own way to write to it takes long to load. */
function unwritten(bytes: Uint8Array): Uint8Array {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(1, bytes, at);
  } catch {
    // The other program tries again, and reports what is wrong.
  }
  return bytes.subarray(at);
}

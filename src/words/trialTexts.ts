/** A trial's figures in words: the same in the page and in a terminal. */
import type { HintShare } from "../inspect/hintShares.js";
import type { TrialReport } from "../inspect/trialReport.js";
import type { Group } from "../trial/assign.js";
import type { MeasureResult } from "../trial/compareGroups.js";
import { grouped, localDate, percent, short } from "./numbers.js";
import { strings } from "./strings.js";
import { counted, fill } from "./text.js";

/** "since 2026-11-17: 41 sessions with hints, 38 sessions without". */
export function trialBasis({ since, until, sessions }: TrialReport): string {
  const { basis, ended, leftOut, none } = strings.trial;
  if (since === null) return none;
  const sizes = {
    hinted: sessions.hinted,
    hints: counted(strings.counts.sessions, sessions.hints),
    control: counted(strings.counts.sessions, sessions.control),
  };
  const begun = localDate(since);
  const what =
    until === null
      ? fill(basis, { since: begun, ...sizes })
      : fill(ended, { since: begun, until: localDate(until), ...sizes });
  return sessions.leftOut === 0 ? what : `${what} · ${counted(leftOut, sessions.leftOut)}`;
}

export function measureFigure({ kind, figures }: MeasureResult, group: Group): string {
  const figure = figures[group];
  if (figure === null) return "–";
  if (kind === "share") return percent(figure, 1);
  return figure < 99.95 ? figure.toFixed(1) : short(figure);
}

/** The difference with its interval, and nothing beyond that. */
export function measureDifference({ kind, difference, interval }: MeasureResult): string {
  if (difference === null || interval === null) return "–";
  const { low, high } = interval;
  return fill(strings.trial.interval[kind], { difference: signed(difference), low: signed(low), high: signed(high) });
}

/** In percent. */
function signed(value: number): string {
  const size = Math.abs(100 * value);
  const digits = size < 9.95 ? size.toFixed(1) : String(Math.round(size));
  return `${Number(digits) === 0 ? "" : value < 0 ? "−" : "+"}${digits}`;
}

export function measureFinding({ finding, moreSessions }: MeasureResult): string {
  const { findings, moreNeeded, neverSeen } = strings.trial;
  if (finding !== "unknown") return findings[finding];
  return moreSessions === undefined ? neverSeen : fill(moreNeeded, { n: grouped(moreSessions) });
}

/** The group of hints that a row is about. */
export function hintShareName({ by, name }: HintShare): string {
  const { kinds, upTo, moreThan } = strings.trial;
  if (typeof name === "number") return name === 0 ? moreThan : fill(upTo, { n: grouped(name) });
  return by === "kind" && (name === "whole" || name === "near" || name === "run") ? kinds[name] : name;
}

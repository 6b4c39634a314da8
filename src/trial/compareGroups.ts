/** What the two groups of a trial show about live hints, and whether they are large enough to show it. */
import { GROUPS, type Group } from "./assign.js";
import { bootstrapInterval, type Drawn, figureOf, type Interval, medianOf, type Part, shareOf } from "./bootstrap.js";

/** The counts of one session of a trial, over all its contexts. */
export interface SessionCounts {
  readonly group: Group;
  readonly prompts: number;
  readonly interrupted: number;
  readonly requests: number;
  /** The input of all requests, cached or not. */
  readonly tokens: number;
  readonly results: number;
  /** Results that repeat what came with the previous request. */
  readonly askedAgain: number;
  readonly edits: number;
  readonly failedEdits: number;
  /** Results of files that repeat what the model has, whether replaced by hints or not. */
  readonly repeatedReads: number;
  /** Those after which the same file was read again without an edit in between. */
  readonly readAgain: number;
  /** Characters that all results would have had, and those that live hints saved. */
  readonly chars: number;
  readonly savedChars: number;
}

const MEASURES = [
  "tokensPerPrompt",
  "requestsPerPrompt",
  "saved",
  "askedAgain",
  "failedEdits",
  "readAgain",
  "interrupted",
] as const;
export type Measure = (typeof MEASURES)[number];

/** Smaller differences do not matter: relative to a median, in points for a share. */
type Rule =
  | { readonly kind: "median"; readonly of: (counts: SessionCounts) => number; readonly tolerance: number }
  | { readonly kind: "share"; readonly of: (counts: SessionCounts) => Part; readonly tolerance: number };

const RULES: Readonly<Record<Measure, Rule>> = {
  tokensPerPrompt: { kind: "median", of: ({ tokens, prompts }) => tokens / prompts, tolerance: 0.1 },
  requestsPerPrompt: { kind: "median", of: ({ requests, prompts }) => requests / prompts, tolerance: 0.1 },
  saved: { kind: "share", of: ({ savedChars, chars }) => [savedChars, chars], tolerance: 0.01 },
  askedAgain: { kind: "share", of: ({ askedAgain, results }) => [askedAgain, results], tolerance: 0.01 },
  failedEdits: { kind: "share", of: ({ failedEdits, edits }) => [failedEdits, edits], tolerance: 0.02 },
  readAgain: { kind: "share", of: ({ readAgain, repeatedReads }) => [readAgain, repeatedReads], tolerance: 0.05 },
  interrupted: { kind: "share", of: ({ interrupted, prompts }) => [interrupted, prompts], tolerance: 0.02 },
};

/** All intervals of a comparison hold at the same time in 95 of 100 trials. */
const ERROR_RATE = 0.05;
/** With fewer sessions in a group, there is no finding. */
const MIN_SESSIONS = 20;
/** Rarer events, in both groups together, are not compared: resampling takes "never seen" for "never". */
const MIN_EVENTS = 10;

/** "more", "less": with hints; "same": any difference is too small to matter; "unknown": too few sessions. */
export type Finding = "more" | "less" | "same" | "unknown";

export interface MeasureResult {
  readonly measure: Measure;
  readonly kind: "median" | "share";
  /** Sessions with such a figure. */
  readonly sessions: Readonly<Record<Group, number>>;
  /** The group's median or share; null if no session has any. */
  readonly figures: Readonly<Record<Group, number | null>>;
  /** With hints versus without: the change relative to the median, or in points for a share. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly finding: Finding;
  /** "unknown": roughly how many more sessions are needed in all; missing for events in too few of them. */
  readonly moreSessions?: number;
}

/** `draws`: per interval; fewer are faster and less exact. */
export function compareGroups(sessions: readonly SessionCounts[], draws?: number): MeasureResult[] {
  return MEASURES.map(measure => compareMeasure(measure, sessions, draws));
}

function compareMeasure(measure: Measure, all: readonly SessionCounts[], draws: number | undefined): MeasureResult {
  const rule = RULES[measure];
  const groups = groupsBy(rule, all);
  const [withHints, control] = [groups.hints, groups.control];
  const figures = { hints: numberOrNull(figureOf(withHints)), control: numberOrNull(figureOf(control)) };
  const compare = COMPARISONS[rule.kind];
  const difference =
    figures.hints === null || figures.control === null ? null : numberOrNull(compare(figures.hints, figures.control));
  const sizes = { hints: withHints.size, control: control.size };
  const isEnough = Math.min(sizes.hints, sizes.control) >= MIN_SESSIONS && eventsIn(rule, all) >= MIN_EVENTS;
  const options = { alpha: ERROR_RATE / MEASURES.length, draws };
  const interval = (isEnough && bootstrapInterval(withHints, control, compare, options)) || null;
  const finding = interval === null ? "unknown" : findingOf(interval, rule.tolerance);
  const result = { measure, kind: rule.kind, sessions: sizes, figures, difference, interval, finding };
  const more = finding === "unknown" ? moreSessions(rule, all, result) : 0;
  return more === 0 ? result : { ...result, moreSessions: more };
}

const COMPARISONS: Readonly<Record<Rule["kind"], (hints: number, control: number) => number>> = {
  median: (hints, control) => hints / control - 1,
  share: (hints, control) => hints - control,
};

function findingOf({ low, high }: Interval, tolerance: number): Finding {
  if (low > 0) return "more";
  if (high < 0) return "less";
  return low >= -tolerance && high <= tolerance ? "same" : "unknown";
}

function groupsBy(rule: Rule, all: readonly SessionCounts[]): Record<Group, Drawn> {
  const drawn = (group: Group) => {
    const own = all.filter(counts => counts.group === group);
    if (rule.kind === "median") return medianOf(own.map(rule.of).filter(Number.isFinite));
    return shareOf(own.map(rule.of).filter(([, whole]) => whole > 0));
  };
  return { hints: drawn("hints"), control: drawn("control") };
}

function eventsIn(rule: Rule, all: readonly SessionCounts[]): number {
  return rule.kind === "median" ? Number.POSITIVE_INFINITY : all.reduce((sum, counts) => sum + rule.of(counts)[0], 0);
}

/** An interval's width shrinks with the square root of the sessions: how many until there is a finding. */
function moreSessions(
  rule: Rule,
  all: readonly SessionCounts[],
  { sessions, difference, interval }: Pick<MeasureResult, "sessions" | "difference" | "interval">,
): number {
  const missing = GROUPS.reduce((sum, group) => sum + Math.max(0, MIN_SESSIONS - sessions[group]), 0);
  const count = sessions.hints + sessions.control;
  const events = eventsIn(rule, all);
  const forEvents = events > 0 && events < MIN_EVENTS ? (count * MIN_EVENTS) / events - count : 0;
  const forInterval = interval === null ? 0 : count * (growthOf(interval, difference ?? 0, rule.tolerance) - 1);
  return Math.ceil(Math.max(interval === null ? 0 : 1, missing, forEvents, forInterval));
}

/** By what factor the sessions must grow until the interval excludes 0, or everything that matters. */
function growthOf({ low, high }: Interval, difference: number, tolerance: number): number {
  const apart = Math.abs(difference);
  const towardsZero = difference < 0 ? high - difference : difference - low;
  // No number of sessions makes equal groups differ.
  const untilDifferent = apart === 0 ? Number.POSITIVE_INFINITY : towardsZero / apart;
  const untilSame = (high - low) / 2 / Math.max(0, tolerance - apart);
  return Math.min(untilDifferent, untilSame) ** 2;
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** What hints are good or bad for, beyond doubt: decides how a trial ends. */
export type Verdict = "keep" | "drop" | "undecided";

/** More of these with hints is harm; less is good. Savings are no reason in themselves: they show in the tokens. */
const HARMFUL: readonly Measure[] = MEASURES.filter(measure => measure !== "saved");

export function verdictOf(results: readonly MeasureResult[]): Verdict {
  const found = (finding: Finding) => results.some(one => HARMFUL.includes(one.measure) && one.finding === finding);
  const saves = results.some(({ measure, finding }) => measure === "saved" && finding === "more");
  if (found("more")) return found("less") ? "undecided" : "drop";
  const isCheaper = results.some(({ measure, finding }) => measure === "tokensPerPrompt" && finding === "less");
  const isKnown = results.every(({ measure, finding }) => measure !== "tokensPerPrompt" || finding !== "unknown");
  return isCheaper || (saves && isKnown) ? "keep" : "undecided";
}

/** The end of a trial: what it showed, and what happens to live hints afterwards. */
import { createInterface } from "node:readline/promises";
import { LogCache } from "../cache/logCache.js";
import { chosenSettings } from "../hook/install/ownCopies.js";
import { endTrialWithHints, hasTrialRecord } from "../hook/install/trialEnd.js";
import { runningTrial } from "../hook/install/trials.js";
import { trialReport } from "../inspect/trialReport.js";
import { type LiveSettings, settingsInForce, type Trial } from "../settings/liveSettings.js";
import { defaultRoots, findLogs } from "../tail/discover.js";
import type { Verdict } from "../trial/compareGroups.js";
import { localDate } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { fill, visible } from "../words/text.js";
import { measureFinding, trialBasis } from "../words/trialTexts.js";
import { type OptionValues, oneOf, text, UsageError } from "./options.js";
import { replayLogs } from "./replayLogs.js";
import { printLine, type Terminal } from "./terminal.js";

const KEPT = ["hints", "nothing"] as const;
type Kept = (typeof KEPT)[number];

export function keptIn(values: OptionValues): Kept | undefined {
  const given = text(values, "keep");
  return given === undefined ? undefined : oneOf(given, "keep", KEPT);
}

/** "Trial: running since 2026-11-17." */
export function trialLine(settings: LiveSettings): string {
  const { trial } = settings;
  const { runs, isOver } = strings.trial;
  if (trial === undefined) return "";
  const since = localDate(trial.since);
  const line =
    runningTrial(settings) === undefined
      ? fill(isOver, { since, until: localDate(trial.until ?? "") })
      : fill(runs, { since });
  return `${visible(line)}\n`;
}

/** Turning off the last of ours also removes what a trial found: says so. */
export async function tellingOfTrial(terminal: Terminal, turnOff: () => Promise<number>): Promise<number> {
  const had = hasTrialRecord();
  const exitStatus = await turnOff();
  if (had && !hasTrialRecord()) terminal.out(`${strings.trial.recordRemoved}\n`);
  return exitStatus;
}

interface EndOptions {
  /** Turns live hints off, after asking, and ends the trial. If it continues, returns an exit status. */
  readonly withoutHints: () => Promise<number | undefined>;
}

/** The sessions decide; if they are inconclusive, the user does. */
export async function endTrial(
  kept: Kept | undefined,
  terminal: Terminal,
  { withoutHints }: EndOptions,
): Promise<number> {
  const settings = chosenSettings();
  const trial = settings && runningTrial(settings);
  if (settings === undefined || trial === undefined) throw new UsageError("no trial is running");
  const verdict = await show(trial, settings, terminal);
  const choice = kept ?? KEPT_BY[verdict] ?? (await asked());
  if (choice === "hints") await endTrialWithHints();
  else {
    // Without a terminal to ask on, this fails, and the trial continues.
    const exitStatus = await withoutHints();
    if (exitStatus !== undefined) {
      terminal.out(`${strings.trial.continues}\n`);
      return exitStatus;
    }
  }
  terminal.out(`${choice === "hints" ? strings.trial.keptHints : strings.trial.keptNothing}\n`);
  return 0;
}

const KEPT_BY: Readonly<Record<Verdict, Kept | undefined>> = { keep: "hints", drop: "nothing", undecided: undefined };

async function show(trial: Trial, settings: LiveSettings, terminal: Terminal): Promise<Verdict> {
  const { logs } = findLogs(defaultRoots());
  const replaying = {
    settings: settingsInForce(settings),
    keepEvents: false,
    keepDetails: false,
    keepFacts: false,
  };
  const { data } = await replayLogs(logs, replaying, LogCache.ofUser(), terminal.progress);
  const report = trialReport(data, trial, () => true);
  printLine(terminal, trialBasis(report));
  for (const one of report.measures) {
    terminal.out(`  ${strings.trial.measures[one.measure].padEnd(38)} ${measureFinding(one)}\n`);
  }
  terminal.out(`${strings.trial.verdicts[report.verdict]}\n`);
  return report.verdict;
}

async function asked(): Promise<Kept> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) {
    throw new UsageError(
      "the trial is undecided, and there is no terminal to ask on: use --keep hints or --keep nothing",
    );
  }
  const asking = createInterface({ input, output });
  try {
    return /^n(o)?$/i.test((await asking.question(`${strings.trial.askKeep} [Y/n] `)).trim()) ? "nothing" : "hints";
  } finally {
    asking.close();
  }
}

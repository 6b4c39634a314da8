/** The card of a trial: what the report says, and nothing beyond it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TrialReport } from "../../src/inspect/trialReport.js";
import type { AllSessions } from "../../src/protocol/comparison.js";
import { compareGroups, verdictOf } from "../../src/trial/compareGroups.js";
import { localDate } from "../../src/words/numbers.js";
import { measureDifference, measureFinding } from "../../src/words/trialTexts.js";
import { trialSessions } from "../support/trialSessions.js";
import { TestPage } from "./page.js";
import { allCompared, answerFromSample } from "./scenes.js";
import { panelState, sampleLog } from "./states.js";

let opened: TestPage;

beforeEach(async () => {
  opened = await TestPage.open({ answer: answerFromSample });
  await opened.show(panelState(sampleLog({}, true)));
  await opened.page.getByRole("tab", { name: "What if" }).click();
  await opened.page.getByRole("radio", { name: "All sessions" }).check({ force: true });
});
afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

function trialOf(sessions: number): TrialReport {
  const measures = compareGroups(trialSessions(sessions, 1, { tokens: 0.6, failures: 1 }), 600);
  return {
    since: "2026-11-01T00:00:00.000Z",
    until: null,
    sessions: { hints: sessions / 2, control: sessions / 2, hinted: sessions / 2, leftOut: 1 },
    verdict: verdictOf(measures),
    measures,
    hints: [
      { by: "kind", name: "whole", hints: 20, asked: 1 },
      { by: "kind", name: "run", hints: 10, asked: 2 },
      { by: "size", name: 1000, hints: 20, asked: 1 },
      { by: "size", name: 0, hints: 10, asked: 2 },
    ],
  };
}

function compared(trial: TrialReport | null): AllSessions {
  const all = allCompared();
  return { ...all, report: all.report && { ...all.report, trial } };
}

test("a trial's measures, its verdict and its hints are shown", async () => {
  const trial = trialOf(400);
  await opened.delta(2, { all: compared(trial) });
  const { page } = opened;
  await page
    .getByText(
      `since ${localDate(trial.since ?? "")}: 200 sessions with hints (200 received at least one), 200 sessions without`,
    )
    .waitFor();
  await page.getByText("Hints help, with no sign of harm.").waitFor();
  const rows = await page
    .getByRole("table", { name: "Do hints help or harm? A trial" })
    .locator("tbody tr")
    .evaluateAll(all => all.map(row => [...row.children].slice(3).map(cell => cell.textContent ?? "")));
  expect(rows).toEqual(trial.measures.map(one => [measureDifference(one), measureFinding(one)]));
  await page.getByText("Which live hints models ask for again").click();
  await page.getByRole("row", { name: "runs of lines 10 20 %" }).waitFor();
  await page.getByRole("row", { name: "up to 1,000 20 5.0 %" }).waitFor();
  const shot = process.env["DEDUP_SHOT"];
  if (shot !== undefined) await page.screenshot({ path: shot, animations: "disabled", fullPage: true });
});

test("too few sessions are reported as such", async () => {
  await opened.delta(2, { all: compared(trialOf(20)) });
  await opened.page.getByText("too few sessions to say: about 20 more needed").first().waitFor();
  await opened.page.getByText("It is too early to say whether hints help overall.").waitFor();
});

test("without a trial only re-asks are shown", async () => {
  const none = { ...trialOf(20), since: null, measures: [] };
  await opened.delta(2, { all: compared(none) });
  await opened.page.getByText(/^No trial is on record/).waitFor();
  expect(await opened.page.getByRole("table", { name: "Do hints help or harm? A trial" }).count()).toBe(0);
});

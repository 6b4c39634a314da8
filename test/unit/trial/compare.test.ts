import { describe, expect, it } from "vitest";
import {
  compareGroups,
  type Measure,
  type MeasureResult,
  type SessionCounts,
  verdictOf,
} from "../../../src/trial/compareGroups.js";
import { type Effect, NO_EFFECT, trialSessions } from "../../support/trialSessions.js";
import { turned } from "../../support/turns.js";

/** As docs/rules.md says, "A trial on your own sessions". */
const ERROR_RATE = 0.05;
const MIN_SESSIONS = 20;
const DRAWS = 600;
const TRIALS = 200;

function resultOf(measure: Measure, results: readonly MeasureResult[]): MeasureResult {
  const found = results.find(one => one.measure === measure);
  if (found === undefined) throw new Error(`no ${measure}`);
  return found;
}

async function trials(sessions: number, effect: Effect): Promise<MeasureResult[][]> {
  const results: MeasureResult[][] = [];
  for (let seed = 1; seed <= TRIALS; seed++) {
    await turned(() => results.push(compareGroups(trialSessions(sessions, seed, effect), DRAWS)));
  }
  return results;
}

function differs({ finding }: MeasureResult): boolean {
  return finding === "more" || finding === "less";
}

describe("a trial without an effect", () => {
  it("raises false alarms at the stated rate, over all measures together", async () => {
    const alarms = (await trials(80, NO_EFFECT)).filter(results => results.some(differs)).length;
    // Twice the standard deviation of this many trials above the stated rate.
    const allowed = TRIALS * ERROR_RATE + 2 * Math.sqrt(TRIALS * ERROR_RATE * (1 - ERROR_RATE));
    expect(alarms).toBeLessThanOrEqual(allowed);
  });

  it("is found to make no difference that matters, with enough sessions", () => {
    const results = compareGroups(trialSessions(4000, 1, NO_EFFECT), DRAWS);
    expect(resultOf("tokensPerPrompt", results).finding).toBe("same");
    expect(verdictOf(results)).toBe("undecided");
  });
});

describe("a trial with an effect", () => {
  const effect = { tokens: 0.6, failures: 1 };

  it("finds it, and the interval covers the truth", async () => {
    const found = (await trials(160, effect)).map(results => resultOf("tokensPerPrompt", results));
    const isCovered = ({ interval }: MeasureResult) =>
      interval !== null && interval.low <= effect.tokens - 1 && interval.high >= effect.tokens - 1;
    expect(found.filter(({ finding }) => finding === "less").length).toBeGreaterThan(0.8 * TRIALS);
    expect(found.filter(isCovered).length).toBeGreaterThanOrEqual((1 - ERROR_RATE) * TRIALS);
    expect(found.every(({ finding }) => finding !== "more")).toBe(true);
  });

  it("keeps hints that make sessions cheaper and drops hints that do harm", () => {
    expect(verdictOf(compareGroups(trialSessions(400, 1, effect), DRAWS))).toBe("keep");
    const harm = compareGroups(trialSessions(400, 1, { tokens: 1, failures: 3 }), DRAWS);
    expect(resultOf("failedEdits", harm).finding).toBe("more");
    expect(verdictOf(harm)).toBe("drop");
  });

  it("leaves it to the user if hints do both good and harm", () => {
    expect(verdictOf(compareGroups(trialSessions(400, 1, { tokens: 0.6, failures: 3 }), DRAWS))).toBe("undecided");
  });
});

describe("a trial with too few sessions", () => {
  it("only says how many more it takes", () => {
    const results = compareGroups(trialSessions(2 * MIN_SESSIONS - 6, 1, { tokens: 0.1, failures: 1 }), DRAWS);
    const { interval, finding, moreSessions } = resultOf("tokensPerPrompt", results);
    expect({ interval, finding, moreSessions }).toEqual({ interval: null, finding: "unknown", moreSessions: 6 });
    expect(verdictOf(results)).toBe("undecided");
  });

  it("expects about as many more as it then takes", () => {
    const effect = { tokens: 0.7, failures: 1 };
    const compared = (sessions: number, seed: number) =>
      resultOf("tokensPerPrompt", compareGroups(trialSessions(sessions, seed, effect), DRAWS));
    const seeds = Array.from({ length: 40 }, (_, index) => index + 1).filter(
      seed => compared(60, seed).finding === "unknown",
    );
    expect(seeds.length).toBeGreaterThan(20);
    const found = seeds.filter(seed => {
      const { moreSessions = 0 } = compared(60, seed);
      expect(moreSessions).toBeGreaterThan(0);
      return compared(60 + 2 * moreSessions, seed).finding !== "unknown";
    });
    // By then the difference looks a little larger or smaller, so it is not certain.
    expect(found.length).toBeGreaterThan(seeds.length / 2);
  });

  it("does so if the groups' medians are the same, too", () => {
    const [one] = trialSessions(1, 1, NO_EFFECT);
    if (one === undefined) throw new Error("a session was asked for");
    const many = (group: SessionCounts["group"], requests: number, count: number) =>
      Array.from({ length: count }, () => ({ ...one, prompts: 1, requests, group }));
    // The interval begins at 0: no number of sessions can move it away from there.
    const sessions = [...many("control", 2, 21), ...many("hints", 2, 12), ...many("hints", 4, 9)];
    const { difference, interval, finding, moreSessions } = resultOf("requestsPerPrompt", compareGroups(sessions));
    expect({ difference, interval, finding }).toEqual({
      difference: 0,
      interval: { low: 0, high: 1 },
      finding: "unknown",
    });
    // Half of the interval is five times the difference that matters: 42 sessions times 25 are 1,008 more.
    expect(moreSessions).toBe(1008);
  });

  it("does not conclude that what was never seen never happens", () => {
    const sessions = trialSessions(400, 1, NO_EFFECT).map((one): SessionCounts => ({ ...one, interrupted: 0 }));
    const { finding, interval, moreSessions } = resultOf("interrupted", compareGroups(sessions, DRAWS));
    expect({ finding, interval, moreSessions }).toEqual({
      finding: "unknown",
      interval: null,
      moreSessions: undefined,
    });
  });

  it("has no figures at all without sessions", () => {
    const results = compareGroups([]);
    expect(results).toHaveLength(7);
    for (const { figures, difference, moreSessions } of results) {
      expect({ figures, difference }).toEqual({ figures: { hints: null, control: null }, difference: null });
      expect(moreSessions).toBe(2 * MIN_SESSIONS);
    }
  });
});

describe("a comparison", () => {
  it("is the same every time", () => {
    const sessions = trialSessions(100, 5, NO_EFFECT);
    expect(compareGroups(sessions, DRAWS)).toEqual(compareGroups(sessions, DRAWS));
  });

  it("compares medians as shares of the one without hints, and shares in points", () => {
    const [one] = trialSessions(1, 1, NO_EFFECT);
    if (one === undefined) throw new Error("a session was asked for");
    const many = (group: SessionCounts["group"], counts: Partial<SessionCounts>) =>
      Array.from({ length: 30 }, () => ({ ...one, ...counts, group }));
    const results = compareGroups(
      [
        ...many("hints", { prompts: 2, tokens: 150, edits: 10, failedEdits: 2 }),
        ...many("control", { prompts: 2, tokens: 200, edits: 10, failedEdits: 1 }),
      ],
      DRAWS,
    );
    const tokens = resultOf("tokensPerPrompt", results);
    expect(tokens.figures).toEqual({ hints: 75, control: 100 });
    expect(tokens.interval).toEqual({ low: -0.25, high: -0.25 });
    const failures = resultOf("failedEdits", results);
    expect(failures.figures).toEqual({ hints: 0.2, control: 0.1 });
    expect(failures.difference).toBeCloseTo(0.1);
  });
});

/** Sessions of a trial with known ground truth: generated, with or without an effect of hints. */
import type { Group } from "../../src/trial/assign.js";
import type { SessionCounts } from "../../src/trial/compareGroups.js";

export interface Effect {
  /** What hints do to the tokens of a request, as a factor. */
  readonly tokens: number;
  /** What they do to the share of edits that fail, as a factor. */
  readonly failures: number;
}

export const NO_EFFECT: Effect = { tokens: 1, failures: 1 };

/** Numbers from 0 to 1, reproducible by seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
  // Small seeds begin with small numbers.
  for (let skipped = 0; skipped < 16; skipped++) next();
  return next;
}

/** Half of the sessions in each group. People and tasks vary far more than any effect of hints. */
export function trialSessions(count: number, seed: number, effect: Effect): SessionCounts[] {
  const random = randomNumbers(0x9e3779b9 ^ (seed * 7919));
  return Array.from({ length: count }, (_, index) => sessionOf(index % 2 === 0 ? "hints" : "control", random, effect));
}

function sessionOf(group: Group, random: () => number, effect: Effect): SessionCounts {
  const { tokens, failures } = group === "hints" ? effect : NO_EFFECT;
  const spread = (middle: number, width: number) => middle * Math.exp(width * normal(random));
  const among = (whole: number, share: number) =>
    Array.from({ length: whole }).filter(() => random() < Math.min(1, share)).length;
  const prompts = 1 + Math.floor(spread(5, 0.6));
  const requests = Math.max(prompts, Math.round(prompts * spread(5, 0.4)));
  const results = Math.round(requests * 1.2);
  const clumsiness = spread(1, 0.5);
  const edits = among(results, 0.25);
  const repeatedReads = among(results, 0.15);
  return {
    group,
    prompts,
    requests,
    results,
    edits,
    repeatedReads,
    tokens: requests * spread(30_000, 0.3) * tokens,
    interrupted: among(prompts, 0.05 * clumsiness),
    askedAgain: among(results, 0.03 * clumsiness),
    failedEdits: among(edits, 0.06 * clumsiness * failures),
    readAgain: among(repeatedReads, 0.1 * clumsiness),
    chars: results * 2000,
    savedChars: 0,
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

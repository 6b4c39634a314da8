import { advise, type SweepPoint } from "../../src/inspect/sweepFigures.js";
import { fill, percent, strings, tokensText } from "./pageText.js";

/** Fewer repeated results than this say little about how many more would be found in a larger cache. */
const HANDFUL = 20;

/** What the sweep means, and the recommended capacity: null if there is no better one. */
export function adviceText(
  sweep: readonly SweepPoint[],
  present: number,
): { readonly sentence: string; readonly capacity: number | null } {
  const text = strings.whatIf;
  const { capacity, share } = advise(sweep);
  const savedWith = (wanted: number | null) => sweep.find(point => point.capacity === wanted)?.savedTokens;
  const largest = sweep.at(-2)?.capacity ?? present;
  if ((savedWith(null) ?? 0) === 0) return { sentence: text.nothing, capacity: null };
  if (capacity === null) {
    return { sentence: fill(text.tooFar, { capacity: largest, share: percent(share, 1) }), capacity: largest };
  }
  const isSmaller = capacity < present && (sweep.at(-1)?.hits ?? 0) < HANDFUL;
  if (capacity === present || isSmaller)
    return { sentence: fill(text.enough, { capacity: present }), capacity: present };
  const gain = (savedWith(capacity) ?? 0) - (savedWith(Math.min(present, largest)) ?? 0);
  const advice = fill(text.advice, { capacity, share: percent(share, 1) });
  if (gain <= 0) return { sentence: `${advice} ${fill(text.smaller, { present })}`, capacity };
  return { sentence: `${advice} ${fill(text.gain, { gain: tokensText(gain), present })}`, capacity };
}

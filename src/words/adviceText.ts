import { advise, type SweepPoint } from "../inspect/sweepFigures.js";
import { percent } from "./numbers.js";
import { strings } from "./strings.js";
import { fill, tokensText } from "./text.js";

/** Fewer repeated results than this say little about how many more would be found in a larger cache. */
const HANDFUL = 20;

/** What the sweep means, and the recommended capacity: null if there is no better one. */
export function adviceText(
  sweep: readonly SweepPoint[],
  present: number,
): { readonly sentence: string; readonly capacity: number | null } {
  const text = strings.whatIf;
  const { capacity, share } = advise(sweep);
  const savedWith = (wanted: number | null) => sweep.find(point => point.capacity === wanted)?.savedTokens ?? 0;
  const largest = sweep.at(-2)?.capacity ?? present;
  if (savedWith(null) === 0) return { sentence: text.nothing, capacity: null };
  /** If the present capacity is larger than any that was tried, it may save as much as an unlimited one. */
  const saved = savedWith(present > largest ? null : present);
  if (capacity === null) {
    const sentence = fill(text.tooFar, { capacity: largest, share: percent(share, 1) });
    return { sentence, capacity: savedWith(largest) > saved ? largest : present };
  }
  const gain = savedWith(capacity) - saved;
  const isWorse = capacity < present && ((sweep.at(-1)?.hits ?? 0) < HANDFUL || (present > largest && gain < 0));
  if (capacity === present || isWorse) return { sentence: fill(text.enough, { capacity: present }), capacity: present };
  const advice = fill(text.advice, { capacity, share: percent(share, 1) });
  if (gain <= 0) return { sentence: `${advice} ${fill(text.smaller, { present })}`, capacity };
  return { sentence: `${advice} ${fill(text.gain, { gain: tokensText(gain), present })}`, capacity };
}

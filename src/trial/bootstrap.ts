/** How far off a figure from so few sessions may be, estimated by resampling them many times. */

/** Both ends are inclusive. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** How often the interval misses the truth. */
  readonly alpha: number;
  readonly draws?: number | undefined;
  readonly seed?: number;
}

/** The interval's tails are counted in single draws: this gives 14 draws each at an alpha of 0.007. */
const DRAWS = 4000;
const SEED = 0x5eed;

/** A group to draw from. */
export interface Drawn {
  readonly size: number;
  /** The figure for the drawn sessions. `times`: how often each was drawn. */
  figure(times: Uint16Array): number;
}

/**
 * The percentile interval of `compare` over two groups, drawn independently. Deterministic for the same groups. Draws
 * without a figure are skipped; undefined if too few remain.
 */
export function bootstrapInterval(
  one: Drawn,
  other: Drawn,
  compare: (one: number, other: number) => number,
  { alpha, draws = DRAWS, seed = SEED }: BootstrapOptions,
): Interval | undefined {
  const random = randomNumbers(seed);
  const times = [one, other].map(({ size }) => new Uint16Array(size));
  const found = new Float64Array(draws);
  let count = 0;
  for (let draw = 0; draw < draws; draw++) {
    const [first, second] = [one, other].map((group, index) => {
      const own = times[index] as Uint16Array;
      drawInto(own, random);
      return group.figure(own);
    });
    const value = compare(first as number, second as number);
    if (Number.isFinite(value)) found[count++] = value;
  }
  if (count < draws / 2) return undefined;
  const sorted = found.subarray(0, count).sort();
  const outside = Math.floor((count * alpha) / 2);
  return { low: sorted[outside] as number, high: sorted[count - 1 - outside] as number };
}

function drawInto(times: Uint16Array, random: () => number): void {
  times.fill(0);
  const { length } = times;
  for (let drawn = 0; drawn < length; drawn++) {
    const at = Math.floor(random() * length);
    times[at] = (times[at] as number) + 1;
  }
}

/** The median of a group's values. */
export function medianOf(values: readonly number[]): Drawn {
  const sorted = Float64Array.from(values).sort();
  return {
    size: sorted.length,
    figure: times => {
      const at = (rank: number) => {
        let passed = 0;
        for (let index = 0; index < sorted.length; index++) {
          passed += times[index] as number;
          if (passed > rank) return sorted[index] as number;
        }
        return Number.NaN;
      };
      const middle = (sorted.length - 1) / 2;
      return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
    },
  };
}

/** A part and the whole that it is of. */
export type Part = readonly [part: number, whole: number];

/** All parts of a group as a share of all wholes. */
export function shareOf(parts: readonly Part[]): Drawn {
  return {
    size: parts.length,
    figure: times => {
      let [part, whole] = [0, 0];
      for (const [index, [ownPart, ownWhole]] of parts.entries()) {
        part += (times[index] as number) * ownPart;
        whole += (times[index] as number) * ownWhole;
      }
      return part / whole;
    },
  };
}

/** The figure of a group as is. */
export function figureOf(group: Drawn): number {
  return group.figure(new Uint16Array(group.size).fill(1));
}

/** From 0 (inclusive) to 1 (exclusive): mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

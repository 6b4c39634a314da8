/**
 * Claude's tokenizer is not public, but logs show its results: between two requests with only text results in between,
 * the input grows by the first answer and by the tokens of those results. See docs/rules.md, "Tokens".
 */

/** Characters that were added to a context, and how many tokens they turned out to be. */
export interface Sample {
  readonly model: string;
  readonly chars: number;
  readonly tokens: number;
}

/** In shorter additions, message framing dominates. */
const MIN_CHARS = 2000;

export interface SavedCalibrator {
  readonly samples: readonly Sample[];
  readonly input: number;
  readonly output: number;
  readonly chars: number;
  readonly spoiled: boolean;
}

/** Collects the samples of one context. */
export class Calibrator {
  readonly samples: Sample[];
  #input: number;
  #output: number;
  #chars: number;
  #spoiled: boolean;

  constructor(state: SavedCalibrator = { samples: [], input: 0, output: 0, chars: 0, spoiled: true }) {
    this.samples = [...state.samples];
    this.#input = state.input;
    this.#output = state.output;
    this.#chars = state.chars;
    this.#spoiled = state.spoiled;
  }

  get state(): SavedCalibrator {
    const [input, output, chars, spoiled] = [this.#input, this.#output, this.#chars, this.#spoiled];
    return { samples: this.samples, input, output, chars, spoiled };
  }

  /** A result was added; null if it is not only text. */
  result(chars: number | null): void {
    if (chars === null) this.#spoiled = true;
    else this.#chars += chars;
  }

  /** Something of unknown size was added or removed: the next request is no sample. */
  spoil(): void {
    this.#spoiled = true;
  }

  /** A new request was answered. */
  request(model: string, input: number, output: number): void {
    const tokens = input - this.#input - this.#output;
    if (!this.#spoiled && this.#chars > MIN_CHARS && tokens > 0) {
      this.samples.push({ model, chars: this.#chars, tokens });
    }
    this.#input = input;
    this.#output = output;
    this.#chars = 0;
    this.#spoiled = input === 0;
  }

  /** A later line of the same answer gives its output so far; returns whether that has grown. */
  raiseOutput(output: number): boolean {
    if (output <= this.#output) return false;
    this.#output = output;
    return true;
  }
}

/** How many characters a token has, and how certain that is. */
export interface Calibration {
  readonly charsPerToken: number;
  readonly samples: number;
  /** Median of |estimate − truth| ÷ truth, each sample estimated from all others; null if unknown. */
  readonly medianAbsError: number | null;
  /** "setting": the user set the ratio. */
  readonly basis: "session" | "model" | "default" | "setting";
}

/** With fewer samples, a single outlier would decide the ratio. */
const MIN_SAMPLES = 6;
const DEFAULT_CHARS_PER_TOKEN = 2.6;

export const DEFAULT_CALIBRATION: Calibration = {
  charsPerToken: DEFAULT_CHARS_PER_TOKEN,
  samples: 0,
  medianAbsError: null,
  basis: "default",
};

/** Roughly how many tokens a text has: Claude's tokenizer is not public. */
export function estimateTokens(text: string, charsPerToken = DEFAULT_CHARS_PER_TOKEN): number {
  return Math.ceil(text.length / charsPerToken);
}

/** The ratios of all models with enough samples. */
export type Calibrations = ReadonlyMap<string, Omit<Calibration, "basis">>;

export function calibrationsOf(samples: readonly Sample[]): Calibrations {
  return calibrationsOfAll([ratiosOf(samples)]);
}

/** All that is needed of samples, by model: the characters of each ÷ its tokens. */
export type SampleRatios = ReadonlyMap<string, Float64Array>;

export function ratiosOf(samples: readonly Sample[]): SampleRatios {
  const ratios = new Map<string, number[]>();
  let [lastModel, known]: [string | undefined, number[]] = [undefined, []];
  for (const { model, chars, tokens } of samples) {
    // A session rarely changes its model.
    if (model !== lastModel) {
      known = ratios.get(model) ?? [];
      ratios.set(model, known);
      lastModel = model;
    }
    known.push(chars / tokens);
  }
  return new Map([...ratios].map(([model, all]) => [model, Float64Array.from(all)]));
}

/** Of several logs together. */
export function calibrationsOfAll(logs: readonly SampleRatios[]): Calibrations {
  const ratios = new Map<string, Float64Array[]>();
  for (const [model, some] of logs.flatMap(log => [...log])) {
    const known = ratios.get(model);
    if (known === undefined) ratios.set(model, [some]);
    else known.push(some);
  }
  const calibrations = new Map<string, Omit<Calibration, "basis">>();
  for (const [model, pieces] of ratios) {
    const sorted = joined(pieces).sort();
    if (sorted.length < MIN_SAMPLES) continue;
    const errors = leaveOneOutErrors(sorted).sort();
    calibrations.set(model, {
      charsPerToken: median(sorted),
      samples: sorted.length,
      medianAbsError: median(errors),
    });
  }
  return calibrations;
}

function joined(pieces: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The ratios available besides a session's own. */
export interface Ratios {
  /** From all sessions, for sessions with too few samples of their own. */
  readonly everywhere: Calibrations;
  /** Set by the user: overrides everything measured. */
  readonly set?: number | undefined;
}

/** The ratio of a model from the session's own samples, or all sessions', or the default. */
export function calibrate(model: string, session: Calibrations, { everywhere, set }: Ratios): Calibration {
  if (set !== undefined) return { charsPerToken: set, samples: 0, medianAbsError: null, basis: "setting" };
  const own = session.get(model);
  if (own !== undefined) return { ...own, basis: "session" };
  const common = everywhere.get(model);
  return common === undefined ? DEFAULT_CALIBRATION : { ...common, basis: "model" };
}

/** Estimated tokens are chars ÷ r, true tokens chars ÷ ratio: a sample's relative error is |ratio ÷ r − 1|. */
function leaveOneOutErrors(sortedRatios: Float64Array): Float64Array {
  const middle = sortedRatios.length >> 1;
  // The median of the others only depends on the side that the omitted one is on.
  const [before, without, after] = [0, middle, sortedRatios.length - 1].map(at => medianWithout(sortedRatios, at));
  const medianOfOthers = (at: number) => (at === middle ? without : at < middle ? before : after) ?? Number.NaN;
  return sortedRatios.map((ratio, at) => Math.abs(ratio / medianOfOthers(at) - 1));
}

function median(sorted: Float64Array): number {
  return medianWithout(sorted, sorted.length);
}

/** The median of a sorted list without the item at `omitted`. */
function medianWithout(sorted: Float64Array, omitted: number): number {
  const length = omitted < sorted.length ? sorted.length - 1 : sorted.length;
  const at = (index: number) => sorted[index < omitted ? index : index + 1] ?? Number.NaN;
  const middle = length >> 1;
  return length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

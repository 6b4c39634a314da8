/**
 * Claude's tokenizer is not public, but the log holds its verdicts: between two requests to which only text results
 * were added, the input grew by the first answer and by the tokens of those results. See engine.md 8.
 */

/** Characters that entered the context and the tokens they turned out to be. */
export interface Sample {
  readonly model: string;
  readonly chars: number;
  readonly tokens: number;
}

/** Shorter additions drown in the framing of messages. */
const MIN_CHARS = 2000;

/** Locally made lines, such as API errors, carry this model and were never answered by one. */
export const SYNTHETIC_MODEL = "<synthetic>";

export interface SavedCalibrator {
  readonly samples: readonly Sample[];
  readonly input: number;
  readonly output: number;
  readonly chars: number;
  readonly spoiled: boolean;
}

/** Watches one context and collects its samples. */
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

  /** Everything it knows, as plain data. */
  get state(): SavedCalibrator {
    const [input, output, chars, spoiled] = [this.#input, this.#output, this.#chars, this.#spoiled];
    return { samples: this.samples, input, output, chars, spoiled };
  }

  /** A text result entered the context; null for one that is not only text. */
  result(chars: number | null): void {
    if (chars === null) this.#spoiled = true;
    else this.#chars += chars;
  }

  /** Something of unknown size entered or left the context. */
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

  /** A further line of the same answer told its output so far. */
  raiseOutput(output: number): void {
    if (output > this.#output) this.#output = output;
  }
}

/** How many characters one token stands for, and how sure that is. */
export interface Calibration {
  readonly charsPerToken: number;
  readonly samples: number;
  /** Median of |estimate − truth| ÷ truth, each sample estimated from all the others; null where that is unknown. */
  readonly medianAbsError: number | null;
  /** "setting": the user's own ratio. */
  readonly basis: "session" | "model" | "default" | "setting";
}

/** With fewer samples one odd request decides the figure. */
const MIN_SAMPLES = 6;
const DEFAULT_CHARS_PER_TOKEN = 2.6;

export const DEFAULT_CALIBRATION: Calibration = {
  charsPerToken: DEFAULT_CHARS_PER_TOKEN,
  samples: 0,
  medianAbsError: null,
  basis: "default",
};

/** The ratios of all models that a set of samples can calibrate. */
export type Calibrations = ReadonlyMap<string, Omit<Calibration, "basis">>;

export function calibrationsOf(samples: readonly Sample[]): Calibrations {
  const ratios = new Map<string, number[]>();
  let [lastModel, known]: [string | undefined, number[]] = [undefined, []];
  for (const { model, chars, tokens } of samples) {
    // A session hardly ever changes its model.
    if (model !== lastModel) {
      known = ratios.get(model) ?? [];
      ratios.set(model, known);
      lastModel = model;
    }
    known.push(chars / tokens);
  }
  const calibrations = new Map<string, Omit<Calibration, "basis">>();
  for (const [model, unsorted] of ratios) {
    if (unsorted.length < MIN_SAMPLES) continue;
    const sorted = Float64Array.from(unsorted).sort();
    const errors = leaveOneOutErrors(sorted).sort();
    calibrations.set(model, {
      charsPerToken: median(sorted),
      samples: sorted.length,
      medianAbsError: median(errors),
    });
  }
  return calibrations;
}

/** What ratios there are besides a session's own. */
export interface Ratios {
  /** Of all sessions, for those that cannot be calibrated by themselves. */
  readonly everywhere: Calibrations;
  /** The user's own, in place of everything measured. */
  readonly set?: number | undefined;
}

/** The ratio of one model from the session's own samples, else from all sessions', else the default. */
export function calibrate(model: string, session: Calibrations, { everywhere, set }: Ratios): Calibration {
  if (set !== undefined) return { charsPerToken: set, samples: 0, medianAbsError: null, basis: "setting" };
  const own = session.get(model);
  if (own !== undefined) return { ...own, basis: "session" };
  const common = everywhere.get(model);
  return common === undefined ? DEFAULT_CALIBRATION : { ...common, basis: "model" };
}

/** Estimated tokens are chars ÷ r, true ones chars ÷ ratio: the relative error of a sample is |ratio ÷ r − 1|. */
function leaveOneOutErrors(sortedRatios: Float64Array): Float64Array {
  return sortedRatios.map((ratio, left) => Math.abs(ratio / medianWithout(sortedRatios, left) - 1));
}

function median(sorted: Float64Array): number {
  return medianWithout(sorted, sorted.length);
}

/** The median of a sorted list as if the item at `left` were not in it. */
function medianWithout(sorted: Float64Array, left: number): number {
  const length = left < sorted.length ? sorted.length - 1 : sorted.length;
  const at = (index: number) => sorted[index < left ? index : index + 1] ?? Number.NaN;
  const middle = length >> 1;
  return length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

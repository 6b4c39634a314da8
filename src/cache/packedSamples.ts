import type { Sample } from "../log/calibration.js";

/** Samples as one list of numbers, which takes a fraction of the time to read back. */
export interface PackedSamples {
  readonly models: readonly string[];
  /** Of each sample the index of its model, its characters and its tokens. */
  readonly cells: readonly number[];
}

const WIDTH = 3;

export function packSamples(samples: readonly Sample[]): PackedSamples {
  const models = [...new Set(samples.map(({ model }) => model))];
  const cells = samples.flatMap(({ model, chars, tokens }) => [models.indexOf(model), chars, tokens]);
  return { models, cells };
}

export function unpackSamples({ models, cells }: PackedSamples): Sample[] {
  const samples: Sample[] = [];
  for (let at = 0; at < cells.length; at += WIDTH) {
    const [which = 0, chars = 0, tokens = 0] = [cells[at], cells[at + 1], cells[at + 2]];
    samples.push({ model: models[which] ?? "", chars, tokens });
  }
  return samples;
}

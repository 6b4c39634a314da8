import type { Strategy } from "../inspect/strategies.js";

/** The ways to save, for page and terminal: see strings.ts. */
export const strategyStrings = {
  strategies: {
    live: {
      name: "Live hints",
      about: "what live hints do: a hint in place of a whole result, or of runs of lines that the model already has",
    },
    whole: {
      name: "Whole results",
      about: "a hint in place of a result that repeats one of the last few",
    },
    "whole-unbounded": {
      name: "Whole results, no limit",
      about: "a hint in place of a result that repeats any earlier one",
    },
    near: {
      name: "Also near-identical JSON",
      about: "also in place of a JSON object that differs from one of the last few in a few values",
    },
    "near-unbounded": {
      name: "Also near-identical JSON, no limit",
      about: "also in place of a JSON object that differs from any earlier one in a few values",
    },
    span: {
      name: "All runs of lines",
      about: "hints in place of any run of lines that an earlier result contains",
    },
    "span-inputs": {
      name: "All runs of lines, call inputs too",
      about: "also in place of any run of lines that an earlier call's input contains",
    },
  } as const satisfies Readonly<Record<Strategy, { readonly name: string; readonly about: string }>>,
  strategyLimits: {
    named: "{name} ({limit})",
    capacity: "last {n}",
    spanMinBytes: "from {n} bytes",
    /** Next to a name: more than live hints can save. */
    upperBound: "upper bound",
  },
} as const;

/** The capacities of the sweep, 1 … 32; slot 32 stands for a cache without a limit. */
export const SWEEP_CAPACITIES: readonly number[] = [...Array.from({ length: 32 }, (_, slot) => slot + 1), Infinity];

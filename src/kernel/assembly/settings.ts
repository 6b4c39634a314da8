/**
 * The settings of the current replay, made by `npm run manifests` from src/settings/table.ts: a number, whether a toggle is on,
 * whether an object says anything, which choice it is. src/kernel/kernel.ts sets them by their names.
 */

// biome-ignore-all lint/style/useConst: they are set from outside.
export let capacity: f64 = 0;
export let minBytes: f64 = 0;
export let nearRef: bool = false;
export let verbosity: i32 = 0;
export const VERBOSITY_TERSE: i32 = 0;
export const VERBOSITY_STANDARD: i32 = 1;
export const VERBOSITY_VERBOSE: i32 = 2;
export const VERBOSITY_LOCATED: i32 = 3;
export let invalidates: bool = false;
export let runs: bool = false;
export let spanMinBytes: f64 = 0;
export let door: i32 = 0;
export const DOOR_MOD: i32 = 0;
export const DOOR_HOOKS: i32 = 1;

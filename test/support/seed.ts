/**
 * The seed of everything random in the tests. `npm test` always uses the same one, so that its results are
 * reproducible; `npm run fuzz` sets another one for each round and prints it.
 */
export const SEED = Number(process.env["DEDUP_SEED"] ?? 20_261_116);

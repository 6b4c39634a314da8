/**
 * The seed of everything that is random in the tests. `npm test` always uses the same one, so that it finds today what
 * it found yesterday; `npm run fuzz` sets another one for each round and says which.
 */
export const SEED = Number(process.env["DEDUP_SEED"] ?? 20_261_116);

// Loaded before the hook program: when it waits for the log, for more than DEDUP_AFTER_MS in all, what is in the file DEDUP_SOON
// is added to the log DEDUP_LOG. So it comes exactly while the program waits, on any machine.
const { appendFileSync, readFileSync } = require("node:fs");

const wait = Atomics.wait;
let left = Number(process.env.DEDUP_AFTER_MS);
Atomics.wait = (...args) => {
  left -= args[3];
  if (left >= 0) return wait(...args);
  Atomics.wait = wait;
  appendFileSync(process.env.DEDUP_LOG, readFileSync(process.env.DEDUP_SOON));
  return wait(...args);
};

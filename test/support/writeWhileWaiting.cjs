// Loaded before the hook program: when it first waits for the log, what is in the file DEDUP_SOON is added to the log
// DEDUP_LOG. So it comes exactly while the program waits, on any machine.
const { appendFileSync, readFileSync } = require("node:fs");

const wait = Atomics.wait;
Atomics.wait = (...args) => {
  Atomics.wait = wait;
  appendFileSync(process.env.DEDUP_LOG, readFileSync(process.env.DEDUP_SOON));
  return wait(...args);
};

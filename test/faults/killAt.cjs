// Loaded before a program that is to be killed: ends it at its Nth call to the file system (DEDUP_KILL_AT), in the middle of
// it where it writes. Without a number it writes how many there were to the file DEDUP_KILL_COUNT. A clock could not tell
// where the program is; this hits the same place on any machine.
const fs = require("node:fs");

const { DEDUP_KILL_AT, DEDUP_KILL_COUNT } = process.env;
const CALLS = [
  "openSync",
  "readSync",
  "writeSync",
  "writeFileSync",
  "writevSync",
  "fsyncSync",
  "closeSync",
  "renameSync",
  "mkdirSync",
];
const plain = Object.fromEntries(CALLS.map(name => [name, fs[name]]));
let calls = 0;
/** Node's own calls within a call are no further steps. */
let inside = false;

function die() {
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment; nothing more happens until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

for (const name of CALLS) {
  fs[name] = (...args) => {
    if (inside) return plain[name](...args);
    inside = true;
    try {
      if (++calls !== Number(DEDUP_KILL_AT)) return plain[name](...args);
      const [target, content, options] = args;
      if (name === "writeFileSync") plain[name](target, content.slice(0, content.length >> 1), options);
      if (name === "writevSync") plain[name](target, content.slice(0, content.length >> 1));
      die();
    } finally {
      inside = false;
    }
  };
}

if (DEDUP_KILL_COUNT !== undefined) {
  process.on("exit", () => plain.writeFileSync(DEDUP_KILL_COUNT, String(calls)));
}

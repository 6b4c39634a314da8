import { setFlagsFromString } from "node:v8";
import { main } from "./main.js";
import { outputProblem, processTerminal } from "./terminal.js";

/** A later V8 may not know the flag, and would say so. */
const NEWEST_TRIED_V8 = 13;
// Most runs end before code that was optimized at length makes up for it: every thread does that for itself.
if (Number.parseInt(process.versions.v8, 10) <= NEWEST_TRIED_V8) {
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=200");
}

const terminal = processTerminal();

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that stops early (`| head`) is no error.
  if (error.code === "EPIPE") process.exit(0);
  terminal.say(outputProblem(error));
  process.exit(1);
});
// Where nobody hears of problems, what was asked for is done all the same.
process.stderr.on("error", () => {});

main(process.argv.slice(2), terminal).then(status => {
  process.exitCode = status;
});

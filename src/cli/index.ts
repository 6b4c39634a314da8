import { main } from "./main.js";
import type { Recalled } from "./recallReport.js";
import { outputProblem, processTerminal } from "./terminal.js";

const terminal = processTerminal();

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that stops early (`| head`) is no error.
  if (error.code === "EPIPE") process.exit(0);
  terminal.say(outputProblem(error));
  process.exit(1);
});
// Where nobody hears of problems, what was asked for is done all the same.
process.stderr.on("error", () => {});

/** `recalled`: what another program has found out about a report before. */
export function run(recalled: Recalled = {}): void {
  main(process.argv.slice(2), terminal, recalled).then(status => {
    process.exitCode = status;
  });
}

export { ranParts } from "./ranParts.js";

import { main } from "./main.js";
import type { Recalled } from "./recallReport.js";
import { outputProblem, processTerminal } from "./terminal.js";

const terminal = processTerminal();

/** Have nothing left to do without a reader. The others change something, or serve the page, and go on. */
const ONLY_PRINT: readonly (string | undefined)[] = ["report", "replay", "watch", "sample"];

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that stops early (`| head`) is not an error.
  if (error.code !== "EPIPE") {
    terminal.say(outputProblem(error));
    process.exit(1);
  }
  if (ONLY_PRINT.includes(process.argv[2])) process.exit(0);
});
// If problems cannot be reported, do the work anyway.
process.stderr.on("error", () => {});

/** `recalled`: what the recall program already found out about a report. */
export function run(recalled: Recalled = {}): void {
  main(process.argv.slice(2), terminal, recalled).then(status => {
    process.exitCode = status;
  });
}

export { ranParts } from "./ranParts.js";

/**
 * Starts the command line. Claude Code asks for its status line after every message, and loading all commands takes longer
 * than answering: the status line has a program of its own, beside this one.
 */
import { fstatSync } from "node:fs";
import { join } from "node:path";

const [command, ...args] = process.argv.slice(2);
const isStatusLine = command === "statusline" && args.length === 0 && !isTerminal(0);

require(join(__dirname, isStatusLine ? "hook.js" : "cliProgram.js"));

/** Or another device. Node's own answer would take longer to load than the status line to make. */
function isTerminal(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice();
  } catch {
    return false;
  }
}

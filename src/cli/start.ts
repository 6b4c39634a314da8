/**
 * Starts the command line. Claude Code asks for its status line after every message, and loading all commands takes longer
 * than answering: the status line has a program of its own, beside this one.
 */
import { join } from "node:path";
import { isatty } from "node:tty";

const [command, ...args] = process.argv.slice(2);
const isStatusLine = command === "statusline" && args.length === 0 && !isatty(0);

require(join(__dirname, isStatusLine ? "hook.js" : "cliProgram.js"));

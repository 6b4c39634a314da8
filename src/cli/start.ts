/**
 * Starts the command line. Claude Code asks for its status line after every message, and loading all commands takes longer
 * than answering: the status line has a program of its own, beside this one. Reports are asked for again and again, and are
 * mostly done before V8 has compiled what they need.
 */
import { fstatSync } from "node:fs";
import { join } from "node:path";
import { CompiledProgram } from "../files/compiledProgram.js";

/** Of all commands; what is returned tells which parts of the program have run. */
interface Programs {
  cliProgram(): { readonly ranParts: () => number };
}

/** A later V8 may not know the flag, and would say so. */
const NEWEST_TRIED_V8 = 13;

const [command, ...args] = process.argv.slice(2);
if (command === "statusline" && args.length === 0 && !isTerminal(0)) require(join(__dirname, "hook.js"));
else {
  // Most runs end before code that was optimized at length makes up for it: every thread does that for itself.
  if (Number.parseInt(process.versions.v8, 10) <= NEWEST_TRIED_V8) {
    // Not for the status line: it takes longer to load than the rest of this.
    const v8: typeof import("node:v8") = require("node:v8");
    v8.setFlagsFromString("--max-inlined-bytecode-size-cumulative=200");
  }
  if (command === "report") startCompiled();
  else require(join(__dirname, "cliProgram.js"));
}

/** With the flags set: V8 uses what was compiled only under the same ones. */
function startCompiled(): void {
  const program = new CompiledProgram<Programs>(join(__dirname, "programs"));
  const { ranParts } = program.run(require).cliProgram();
  process.on("exit", () => {
    if (args.includes("--no-cache")) return;
    try {
      program.keep(ranParts());
    } catch {
      // The next report compiles it again.
    }
  });
}

/** Or another device. Node's own answer would take longer to load than the status line to make. */
function isTerminal(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice();
  } catch {
    return false;
  }
}

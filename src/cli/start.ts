/**
 * Starts the command line. Claude Code requests its status line after every message, and loading all commands takes
 * longer than answering: so the status line has its own program, next to this one, and so do recalled reports. Reports
 * are requested again and again, and most would be done before V8 has compiled what they need.
 */
import { fstatSync } from "node:fs";
import { join } from "node:path";
import { CompiledProgram } from "../files/compiledProgram.js";
import type { Recalled } from "./recallReport.js";

/** With all commands; `ranParts` returns which parts of the program have run. */
interface Programs {
  cliProgram(): typeof import("./index.js");
}

type RecallProgram = typeof import("./recallReport.js");

/** A later V8 may not know the flag, and would complain. */
const NEWEST_TRIED_V8 = 13;

/** Node's own modules that every command loads. */
const NEEDED = ["node:util", "node:worker_threads", "node:zlib"];

/** The parts of the recall program, as bits. */
const [CHECKED, PRINTED] = [1, 2];

const [command, ...args] = process.argv.slice(2);
if (command === "statusline" && args.length === 0 && !isTerminal(0)) require(join(__dirname, "hook.js"));
else if (command === "report" && !args.includes("--no-cache")) recallOrMake();
else start();

function start(recalled: Recalled = {}): void {
  // Most runs end before heavily optimized code pays off: every thread would optimize for itself.
  if (Number.parseInt(process.versions.v8, 10) <= NEWEST_TRIED_V8) {
    // Not for the status line: it takes longer to load than everything else here.
    const v8: typeof import("node:v8") = require("node:v8");
    // Node's embedded code cache only works with its default flags: load the modules that everything needs first.
    for (const name of NEEDED) require(name);
    void [process.stdout, process.stderr];
    v8.setFlagsFromString("--max-inlined-bytecode-size-cumulative=200");
  }
  if (command === "report") startCompiled(recalled);
  else require(join(__dirname, "cliProgram.js"));
}

/** With the flags set: V8 only accepts a code cache made under the same flags. */
function startCompiled(recalled: Recalled): void {
  const program = new CompiledProgram<Programs>(join(__dirname, "programs"));
  const { run, ranParts } = program.run(require).cliProgram();
  run(recalled);
  process.on("exit", () => {
    if (!args.includes("--no-cache")) keep(program, ranParts());
  });
}

/** Before any flags are set, for the same reason: setting them takes as long as the rest. */
function recallOrMake(): void {
  const program = new CompiledProgram<RecallProgram>(join(__dirname, "recallProgram"));
  const recalled = program.run(require).recallReport(args);
  const isPrinted = recalled.rest?.length === 0;
  keep(program, isPrinted ? CHECKED | PRINTED : CHECKED);
  if (isPrinted) process.exitCode = 0;
  else start(recalled);
}

/** If this fails, the next report compiles again. */
function keep(program: CompiledProgram<unknown>, parts: number): void {
  try {
    program.keep(parts);
  } catch {
    // The folder is not writable.
  }
}

/** Or another device. Node's own check would take longer to load than the status line to make. */
function isTerminal(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice();
  } catch {
    return false;
  }
}

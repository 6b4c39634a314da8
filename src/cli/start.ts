/**
 * Starts the command line. Claude Code asks for its status line after every message, and loading all commands takes longer
 * than answering: the status line has a program of its own, beside this one, and so has a report that is recalled. Reports
 * are asked for again and again, and are mostly done before V8 has compiled what they need.
 */
import { fstatSync } from "node:fs";
import { join } from "node:path";
import { CompiledProgram } from "../files/compiledProgram.js";
import type { Recalled } from "./recallReport.js";

/** Of all commands; what is returned tells which parts of the program have run. */
interface Programs {
  cliProgram(): typeof import("./index.js");
}

type RecallProgram = typeof import("./recallReport.js");

/** A later V8 may not know the flag, and would say so. */
const NEWEST_TRIED_V8 = 13;

/** Of Node's own modules. */
const NEEDED = ["node:util", "node:worker_threads", "node:zlib"];

/** The parts of the program that recalls reports, a bit for each. */
const [LOOKED, PRINTED] = [1, 2];

const [command, ...args] = process.argv.slice(2);
if (command === "statusline" && args.length === 0 && !isTerminal(0)) require(join(__dirname, "hook.js"));
else if (command === "report" && !args.includes("--no-cache")) recallOrMake();
else start();

function start(recalled: Recalled = {}): void {
  // Most runs end before code that was optimized at length makes up for it: every thread does that for itself.
  if (Number.parseInt(process.versions.v8, 10) <= NEWEST_TRIED_V8) {
    // Not for the status line: it takes longer to load than the rest of this.
    const v8: typeof import("node:v8") = require("node:v8");
    // Node takes what it has compiled of its own modules only under its own flags: what everything needs is loaded before.
    for (const name of NEEDED) require(name);
    void [process.stdout, process.stderr];
    v8.setFlagsFromString("--max-inlined-bytecode-size-cumulative=200");
  }
  if (command === "report") startCompiled(recalled);
  else require(join(__dirname, "cliProgram.js"));
}

/** With the flags set: V8 uses what was compiled only under the same ones. */
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
  keep(program, isPrinted ? LOOKED | PRINTED : LOOKED);
  if (isPrinted) process.exitCode = 0;
  else start(recalled);
}

/** If this fails, the next report compiles it again. */
function keep(program: CompiledProgram<unknown>, parts: number): void {
  try {
    program.keep(parts);
  } catch {
    // The folder cannot be written to.
  }
}

/** Or another device. Node's own answer would take longer to load than the status line to make. */
function isTerminal(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice();
  } catch {
    return false;
  }
}

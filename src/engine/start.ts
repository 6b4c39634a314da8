/** Starts the engine's thread from a code cache: V8 would take longer to compile it than to read most sessions. */
import { join } from "node:path";
import { CompiledProgram } from "../files/compiledProgram.js";

/** The rest of a session is read right after its first picture. */
const KEEP_AFTER_MS = 500;
/** The engine is one part, and has run as soon as there is a picture. */
const ENGINE = 1;

// V8's flags differ from a report's: its code cache would be of no use here.
const program = new CompiledProgram<{ engineWorker(): typeof import("./engineWorker.js") }>(
  join(__dirname, "programs"),
  join(__dirname, "engineWorker"),
);
const { firstPicture } = program.run(require).engineWorker();
void firstPicture.then(() => setTimeout(keep, KEEP_AFTER_MS).unref());

/** If this fails, the next engine compiles again. */
function keep(): void {
  try {
    program.keep(ENGINE);
  } catch {
    // The folder is not writable.
  }
}

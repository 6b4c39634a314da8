/** Starts one more thread of the replay pool, with the code cache of the thread that starts it. */
import { join } from "node:path";
import { CompiledProgram } from "../files/compiledProgram.js";

new CompiledProgram<{ replayWorker(): unknown }>(join(__dirname, "programs")).run(require).replayWorker();

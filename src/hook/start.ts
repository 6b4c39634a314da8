/**
 * Starts the hook program, or the one for Claude Code's status line, from a code cache: compiling it would take longer
 * than running it. Whatever goes wrong, Claude Code continues as if there were no hook.
 */
import { CompiledProgram } from "../files/compiledProgram.js";

interface Program {
  /** `folder`: where the program is. Returns the parts that ran, as bits; 0 if too much ran for a code cache. */
  runHook(args: readonly string[], folder: string): number;
}

try {
  const name = process.argv[2] === "statusline" ? "statusProgram" : "hookProgram";
  const program = new CompiledProgram<Program>(`${__dirname}/${name}`);
  program.keep(program.run(require).runHook(process.argv.slice(2), __dirname));
} catch {
  // The tool's result reaches the model unchanged.
}
// Faster than letting Node tear down the heap. The exit code is 0 unless the answer could not be written.
process.exit();

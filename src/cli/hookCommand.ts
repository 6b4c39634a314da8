import { runHook } from "../hook/main.js";

/** Claude Code itself runs the program `hook.js`, which starts faster; this does the same. */
export function hookCommand(args: string[]): number {
  runHook(args);
  return Number(process.exitCode ?? 0);
}

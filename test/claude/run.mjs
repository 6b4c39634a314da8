// Live hints in the real Claude Code, against a scripted API on loopback. `node test/claude/run.mjs [file…]` runs a part.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { skip } from "../../scripts/system.mjs";
import { confined } from "./rig/confined.mjs";
import { ensureClaude } from "./rig/install.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));

async function main(names) {
  for (const name of ["cli.js", "hook.js", "hookProgram.js"])
    if (!existsSync(join(repository, "dist", name))) throw new Error(`dist/${name} is not built: npm run build`);
  let program;
  try {
    program = await ensureClaude();
  } catch (error) {
    return skip("live hints in Claude Code", error.message);
  }
  if (spawnSync(program, ["--version"]).status !== 0) return skip("live hints in Claude Code", "it does not run here");
  const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
  const [command, ...args] = confined([
    process.execPath,
    vitest,
    "run",
    "--config",
    "test/claude/vitest.config.mts",
    ...names,
  ]);
  const env = { ...process.env, CLAUDE_PROGRAM: program };
  process.exitCode = spawnSync(command, args, { cwd: repository, env, stdio: "inherit" }).status ?? 1;
}

await main(process.argv.slice(2)).catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});

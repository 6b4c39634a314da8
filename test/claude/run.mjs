// Live hints in the real Claude Code, against a scripted API on loopback. `node test/claude/run.mjs [file…]` runs a
// part; CLAUDE_VERSION overrides the versions below.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureCommand, skip } from "../../scripts/system.mjs";
import { confined } from "./rig/confined.mjs";
import { ensureClaude, NEWEST } from "./rig/install.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The newest version runs everything; an older one, whose log format differs, runs what safety depends on. */
const VERSIONS = process.env.CLAUDE_VERSION
  ? [{ version: process.env.CLAUDE_VERSION }]
  : [
      // It has the mod, so the hooks are silent.
      { version: NEWEST, except: ["hooks"] },
      { version: "2.1.289", files: ["mod", "modTerminal", "plugin", "pane", "doors"] },
      { version: "2.1.237", files: ["reach", "doors", "hooks", "terminal"] },
      { version: "2.1.121", files: ["doors", "hooks"] },
    ];

async function main(names) {
  for (const name of ["cli.js", "hook.js", "hookProgram.js"])
    if (!existsSync(join(repository, "dist", name))) throw new Error(`dist/${name} is not built: npm run build`);
  const { reason } = ensureCommand("tmux");
  if (reason) skip("live hints in Claude Code's terminal", reason);
  const terminals = reason ? ["terminal", "*Terminal"].map(testsIn) : [];
  const versions = [];
  for (const { version, files = ["*"], except = [] } of VERSIONS) {
    const program = await programOf(version);
    const exclude = [...except.map(testsIn), ...terminals];
    if (program !== undefined) versions.push({ version, program, include: files.map(testsIn), exclude });
  }
  if (versions.length > 0) run(versions, names);
}

function testsIn(name) {
  return `test/claude/${name}.test.ts`;
}

/** Undefined, with a message, if it cannot be installed. */
async function programOf(version) {
  try {
    const program = await ensureClaude(version);
    if (spawnSync(program, ["--version"]).status !== 0) throw new Error("it does not run here");
    return program;
  } catch (error) {
    skip(`live hints in Claude Code ${version}`, error.message);
    return undefined;
  }
}

/** All versions in parallel: together they hardly take longer than the newest alone. */
function run(versions, names) {
  const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
  const config = ["--config", "test/claude/vitest.config.mts"];
  const [command, ...rest] = confined([process.execPath, vitest, "run", ...config, ...names]);
  const env = { ...process.env, CLAUDE_VERSIONS: JSON.stringify(versions) };
  const { status } = spawnSync(command, rest, { cwd: repository, env, stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}

await main(process.argv.slice(2)).catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});

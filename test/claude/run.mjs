// Live hints in the real Claude Code, against a scripted API on loopback. `node test/claude/run.mjs [file…]` runs a part;
// CLAUDE_VERSION chooses another version than those below.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureCommand, skip } from "../../scripts/system.mjs";
import { confined } from "./rig/confined.mjs";
import { ensureClaude, NEWEST } from "./rig/install.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
// Not the mod's tests in the terminal, which this version has none of.
const TERMINAL = "claude/terminal";

/** The newest version runs everything; an older one, which writes its log in other ways, what safety depends on. */
const versions = process.env.CLAUDE_VERSION
  ? [{ version: process.env.CLAUDE_VERSION }]
  : [
      // It has the mod, so the hooks are silent.
      { version: NEWEST, except: ["hooks"] },
      { version: "2.1.289", files: ["mod", "plugin", "pane", "doors"] },
      { version: "2.1.237", files: ["reach", "doors", "hooks", TERMINAL] },
      { version: "2.1.121", files: ["doors", "hooks"] },
    ];

async function main(names) {
  for (const name of ["cli.js", "hook.js", "hookProgram.js"])
    if (!existsSync(join(repository, "dist", name))) throw new Error(`dist/${name} is not built: npm run build`);
  const { reason } = ensureCommand("tmux");
  if (reason) skip("live hints in Claude Code's terminal", reason);
  for (const { version, files = [], except = [] } of versions) {
    const wanted = files.length === 0 || names.length === 0 ? [...files, ...names] : names.filter(isOneOf(files));
    if (wanted.length === 0 && files.length > 0) continue;
    console.log(`Claude Code ${version}`);
    const left = [...except.map(name => `**/${name}.test.ts`), ...(reason ? ["**/*{t,T}erminal.test.ts"] : [])];
    await run(version, [...wanted, ...left.flatMap(pattern => ["--exclude", pattern])]);
  }
}

function isOneOf(files) {
  return name => files.some(file => name.includes(file));
}

async function run(version, args) {
  let program;
  try {
    program = await ensureClaude(version);
  } catch (error) {
    return skip(`live hints in Claude Code ${version}`, error.message);
  }
  if (spawnSync(program, ["--version"]).status !== 0)
    return skip(`live hints in Claude Code ${version}`, "it does not run here");
  const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
  const config = ["--config", "test/claude/vitest.config.mts"];
  const [command, ...rest] = confined([process.execPath, vitest, "run", ...config, ...args]);
  const env = { ...process.env, CLAUDE_PROGRAM: program };
  const { status } = spawnSync(command, rest, { cwd: repository, env, stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}

await main(process.argv.slice(2)).catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});

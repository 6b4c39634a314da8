// The real Claude Code at work in a user's project, while VS Code watches.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import { confined } from "../../claude/rig/confined.mjs";
import { ensureClaude } from "../../claude/rig/install.mjs";

const player = fileURLToPath(new URL("../../claude/rig/player.ts", import.meta.url));

/** Why there is no Claude Code here; undefined if there is one. */
export function claudeIsMissing() {
  return ensureClaude().then(
    () => undefined,
    error => error.message,
  );
}

/** Runs `claude ARGS` without calling a model, for the user whose home is in `root`. */
export async function claude(root, ...args) {
  const [command, ...rest] = confined([await ensureClaude(), ...args]);
  const home = join(root, "home");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    DISABLE_AUTOUPDATER: "1",
  };
  await promisify(execFile)(command, rest, { cwd: root, env });
}

/**
 * Has Claude Code run commands, one after the other, in `root`'s project.
 * @returns {Promise<{ calls: number, hints: number }>} what the model got: how many results, how many as hints
 */
export async function claudeRuns(root, project, commands) {
  const outfile = join(root, "player.mjs");
  await esbuild.build({
    entryPoints: [player],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile,
  });
  const [command, ...args] = confined([process.execPath, outfile, root, project, ...commands]);
  const env = { PATH: process.env.PATH, CLAUDE_PROGRAM: await ensureClaude() };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"], timeout: 300_000 });
    let output = "";
    child.stdout.on("data", piece => {
      output += piece;
    });
    child.on("error", reject);
    child.on("close", code =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`the player ended with ${code}`)),
    );
  });
}

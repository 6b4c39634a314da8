// Installs the locked packages if missing, so that `npm start` and `npm test` work on a fresh clone.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";

/** Runs a command in the foreground; exits if it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const npm = process.platform === "win32" ? "npm.cmd" : "npm";

export function npmRun(...args) {
  run(npm, args, { shell: process.platform === "win32" });
}

/** npm writes node_modules/.package-lock.json last: if it is newer than the lock file, everything is installed. */
export function install() {
  // A symlink points to another working copy's packages, and npm would empty that folder.
  if (lstatSync("node_modules", { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const installed = "node_modules/.package-lock.json";
  const current = existsSync(installed) && statSync(installed).mtimeMs >= statSync("package-lock.json").mtimeMs;
  if (!current) npmRun("ci", "--no-audit", "--no-fund", "--loglevel=error");
}

export function build() {
  run(process.execPath, ["esbuild.mjs"]);
}

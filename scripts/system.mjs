// What the tests need from the system rather than from npm: a Chromium, and a virtual terminal.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a command on PATH, or undefined. */
function onPath(command) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, command);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** The path of an installed Chromium, or undefined. */
export function chromium() {
  return onPath("chromium") ?? onPath("chromium-browser") ?? onPath("google-chrome");
}

/** Runs apt-get quietly; returns its error output, or undefined on success. */
function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, error, stderr } = spawnSync("apt-get", ["-qq", ...args], { encoding: "utf8", env });
  if (status === 0) return undefined;
  const lastLine = stderr?.trim().split("\n").at(-1);
  return `apt-get ${args[0]} failed: ${error?.message ?? (lastLine || `exit code ${status}`)}`;
}

/**
 * The path of something the system should have. If missing, it is installed from Debian's packages, if possible.
 * @param {string} what
 * @param {() => string | undefined} find
 * @param {readonly string[]} packages
 * @returns {{ path: string, reason?: undefined } | { path?: undefined, reason: string }}
 */
function ensure(what, find, packages) {
  const present = find();
  if (present) return { path: present };
  if (!onPath("apt-get")) return { reason: `no ${what} on PATH` };
  if (process.getuid?.() !== 0) return { reason: `no ${what} on PATH and no right to install it` };
  const failure = aptGet("update") ?? aptGet("install", "--yes", "--no-install-recommends", ...packages);
  if (failure) return { reason: failure };
  const path = find();
  return path ? { path } : { reason: `apt-get installed no ${what}` };
}

/** A Chromium; without a font package, Debian's draws boxes instead of letters. */
export function ensureChromium() {
  return ensure("Chromium", chromium, ["chromium", "fonts-dejavu-core"]);
}

/**
 * A system command.
 * @param {string} command
 * @param {string} debianPackage
 */
export function ensureCommand(command, debianPackage = command) {
  return ensure(command, () => onPath(command), [debianPackage]);
}

/**
 * Says in one line which part is skipped and why. CI must have every component, so a skip is a failure there.
 * @param {string} what
 * @param {string} why
 */
export function skip(what, why) {
  console.log(`skipped: ${what} (${why})`);
  if (process.env.CI === "true") process.exitCode = 1;
}

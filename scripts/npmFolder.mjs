// Programs from npm that tests run but the package does not depend on, each in its own git-ignored folder.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const runFile = promisify(execFile);

/** No install scripts: they download binaries and compile what the tests do not use. */
export async function npmInstall(cwd, ...args) {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    await runFile("npm", ["install", ...quiet, ...args], { cwd, maxBuffer: 2 ** 24 });
  } catch (error) {
    // npm's first two lines are the code and the reason; the rest is advice.
    const lines = error.stderr?.match(/(?<=npm error ).+/g) ?? [error.message];
    throw new Error(`npm install ${args.join(" ")}: ${lines.slice(0, 2).join(", ")}`);
  }
}

/**
 * A folder that is filled once. It gets its name only when it is complete, so an interrupted install is never used.
 * @param {string} cache
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill installs into a folder that has a package.json
 */
export async function filledFolder(cache, name, fill) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, `unfinished-${name}-`));
  try {
    await writeFile(join(unfinished, "package.json"), '{ "private": true }\n');
    await fill(unfinished);
    await rename(unfinished, folder).catch(error => {
      // Another run was faster; its folder will do.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

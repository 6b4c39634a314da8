// Other versions of Node from npm, in the git-ignored cache, never as a dependency.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filledFolder, npmInstall } from "../../scripts/npmFolder.mjs";

const cache = fileURLToPath(new URL("../../.node-test/", import.meta.url));
const system = process.platform === "win32" ? "win" : process.platform;

/**
 * The path of a Node program. Throws if it cannot be installed.
 * @param {string} version
 * @returns {Promise<string>}
 */
export async function ensureNode(version) {
  if (process.versions.node.split(".")[0] === version.split(".")[0]) return process.execPath;
  // The package `node` would download this one in an install script.
  const name = `node-${system}-${process.arch}`;
  const folder = await filledFolder(cache, `node-${version}`, unfinished =>
    npmInstall(unfinished, `${name}@${version}`),
  );
  return join(folder, "node_modules", name, "bin", system === "win" ? "node.exe" : "node");
}

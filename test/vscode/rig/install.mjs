// VS Code from npm: code-server carries VS Code's own server, whose workbench runs in a browser and whose extension
// host is plain Node. Nothing is compiled: the native modules that are missing only cost log lines.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { filledFolder, npmInstall } from "../../../scripts/npmFolder.mjs";

/** The newest VS Code that is tested: 1.139. */
export const newest = "4.139.1";
/** The oldest that is tested: 1.103, the first on npm since the extension host moved to Node 22 in 1.101. */
export const oldest = "4.103.2";

/** Each release names one Node major in its engines and is not tested on others. */
const nodeMajors = new Map([
  [newest, 24],
  [oldest, 22],
]);

const cache = fileURLToPath(new URL("../../../.vscode-test/", import.meta.url));
const runFile = promisify(execFile);

/** @typedef {{ node: string, main: string }} Installed A Node binary and the server program that it runs. */

/** @returns {Installed} */
function installedIn(folder) {
  const modules = join(folder, "node_modules");
  return {
    node: join(modules, `node-linux-${process.arch}`, "bin", "node"),
    main: join(modules, "code-server", "lib", "vscode", "out", "server-main.js"),
  };
}

/**
 * Installs the server once, in the git-ignored cache: half a minute and up to 800 MB. Throws if it cannot be installed.
 * @param {string} version of code-server
 * @param {number} nodeMajor
 * @returns {Promise<Installed>}
 */
export async function ensureServer(version = newest, nodeMajor = nodeMajors.get(version) ?? 24) {
  if (process.platform !== "linux")
    throw new Error(`VS Code's server is set up on Linux only, not ${process.platform}`);
  const folder = await filledFolder(cache, `code-server-${version}`, async unfinished => {
    await npmInstall(unfinished, `code-server@${version}`, `node-linux-${process.arch}@${nodeMajor}`);
    await npmInstall(join(unfinished, "node_modules", "code-server", "lib", "vscode"), "--omit=dev");
  });
  return installedIn(folder);
}

/**
 * What VS Code may see of this machine: none of the caller's tokens and never the user's own Claude Code logs.
 * @param {string} home
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(home, extra) {
  const kept = ["PATH", "LANG", "LC_ALL", "TZ"].filter(name => process.env[name] !== undefined);
  const inherited = Object.fromEntries(kept.map(name => [name, process.env[name]]));
  const confined = { HOME: home, CLAUDE_CONFIG_DIR: join(home, ".claude"), TMPDIR: home, XDG_RUNTIME_DIR: home };
  // Otherwise code-server queries Open VSX about each extension.
  return { ...inherited, ...confined, EXTENSIONS_GALLERY: "{}", ...extra };
}

/**
 * Installs a packaged extension into a folder of extensions, as a user would have it.
 * @param {string} version of code-server
 * @param {string} vsix
 * @param {string} extensionsDir
 */
export async function installVsix(version, vsix, extensionsDir) {
  const { node, main } = await ensureServer(version);
  const home = await mkdtemp(join(tmpdir(), "vscode-install-"));
  const flags = ["--force", "--server-data-dir", home, "--extensions-dir", extensionsDir];
  try {
    const options = { env: environment(home), timeout: 300_000 };
    await runFile(node, [main, "--install-extension", vsix, ...flags], options);
  } catch (error) {
    // The last error is the reason; those before are about native modules.
    const reason = error.stderr?.match(/Error: .*/g)?.at(-1) ?? error.message;
    throw new Error(`${vsix} was not installed: ${reason}`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

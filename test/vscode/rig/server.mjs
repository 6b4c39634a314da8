// Runs VS Code's server on loopback, with everything that it writes in a temporary folder.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureServer, environment, installVsix, newest } from "./install.mjs";
import { writeSettings } from "./settings.mjs";

export { ensureServer, installVsix, newest, oldest } from "./install.mjs";

/** How long the server may take to listen; a fifth of a second on a quiet machine. */
const startLimit = 60_000;

/** The port, from the line that the server prints once it listens. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = why => reject(new Error(`VS Code's server ${why}\n${output.slice(-2000)}`));
    const timer = setTimeout(() => fail("did not start in time"), startLimit);
    const read = text => {
      output += text;
      const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      if (!port) return;
      clearTimeout(timer);
      // From here on the output is only drained: it is about native modules that are not built.
      for (const stream of [child.stdout, child.stderr]) stream.off("data", read).resume();
      resolve(Number(port));
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read);
    const end = why => {
      clearTimeout(timer);
      fail(why);
    };
    child.once("error", error => end(`cannot be run: ${error.message}`));
    child.once("exit", code => end(`ended with code ${code}`));
  });
}

/** Ends the server together with its extension hosts and terminals: they are all in its process group. */
function endGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

/** A separate process group outlives this process: end it on every exit that can be foreseen. */
function endWithThisProcess(child, root) {
  const onExit = () => {
    endGroup(child, "SIGKILL");
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  const onSignal = signal => {
    onExit();
    release();
    // Without our listener the signal has its default effect, or that of another listener.
    process.kill(process.pid, signal);
  };
  const release = () => {
    process.off("exit", onExit);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, onSignal);
  };
  process.on("exit", onExit);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  return release;
}

/**
 * @typedef {object} ServerOptions
 * @property {string} [version] of code-server
 * @property {string} [extensionsDir] installed extensions; none if omitted
 * @property {string} [userDataDir] to keep between two starts; a new one if omitted
 * @property {Record<string, unknown>} [settings] user settings, added to those of a quiet workbench
 * @property {NodeJS.ProcessEnv} [env] what the extension host sees in addition to the bare minimum; may set HOME and
 *   CLAUDE_CONFIG_DIR, which are otherwise in an empty temporary folder
 * @property {string[]} [installExtensions] VSIX files
 */

/**
 * Starts a server on a free port and waits until it listens.
 * @param {ServerOptions} [options]
 */
export async function startServer(options = {}) {
  const { version = newest, settings, env, installExtensions = [] } = options;
  const { node, main } = await ensureServer(version);
  const root = await mkdtemp(join(tmpdir(), "vscode-server-"));
  const home = join(root, "home");
  const { extensionsDir = join(root, "extensions"), userDataDir = join(root, "user-data") } = options;
  const removeRoot = () => rm(root, { recursive: true, force: true, maxRetries: 5 });
  try {
    await mkdir(home);
    if (settings || !options.userDataDir) await writeSettings(userDataDir, settings);
    for (const vsix of installExtensions) await installVsix(version, vsix, extensionsDir);
  } catch (error) {
    await removeRoot();
    throw error;
  }

  const flags = ["--host=127.0.0.1", "--port=0", "--without-connection-token", "--accept-server-license-terms"];
  // Without the driver a released VS Code ignores a test payload.
  flags.push("--enable-smoke-test-driver", "--telemetry-level=off", "--disable-workspace-trust");
  // The user's login shell would change the environment.
  flags.push("--force-disable-user-env");
  flags.push(`--server-data-dir=${root}`, `--user-data-dir=${userDataDir}`, `--extensions-dir=${extensionsDir}`);
  const stdio = ["ignore", "pipe", "pipe"];
  const child = spawn(node, [main, ...flags], { detached: true, env: environment(home, env), stdio });
  const closed = new Promise(resolve => child.once("close", resolve));
  const release = endWithThisProcess(child, root);

  const stop = async () => {
    endGroup(child, "SIGTERM");
    const force = setTimeout(() => endGroup(child, "SIGKILL"), 3000);
    await closed;
    clearTimeout(force);
    // An extension host that outlived the server would keep writing to the folder.
    endGroup(child, "SIGKILL");
    release();
    await removeRoot();
  };
  try {
    const port = await listening(child);
    return { port, url: `http://127.0.0.1:${port}`, userDataDir, extensionsDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

#!/usr/bin/env node
// Stands in for the `code` program that runTests of @vscode/test-electron starts: the same arguments and exit code, but
// VS Code's server from npm in headless Chromium, for machines that cannot download a desktop VS Code.
// RIG_VERSION chooses the release of code-server, RIG_TIMEOUT the seconds that suites may be silent.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { launch, screenshot } from "./page.mjs";
import { newest, startServer } from "./server.mjs";

const version = process.env.RIG_VERSION ?? newest;
/** Only guards against hanging: longer than any single test may take. */
const seconds = Number(process.env.RIG_TIMEOUT ?? 400);

/** The workbench's own noise: connections, missing services, native modules that are not built. */
const noise = new RegExp(
  `^(${[
    "Resolv(ing|ed) connection token",
    "Creating a socket",
    "\\[reconnection-grace-time\\]",
    "(Updating|Ignoring fetching) additional builtin extensions",
    "Creation of workbench contribution",
    "\\[Service Worker\\] registration",
    "\\[AgentHost",
    "\\[AccountPolicyGate\\]",
    "ChatSessionStore: Migrating",
    "Timed out waiting for authentication provider",
    "Canceled: Canceled",
    "Error: Could not locate the bindings file",
    "Cannot find module '\\./build/Release/watchdog'",
  ].join("|")})`,
);

/** A line of the extension host's console; it arrives as the call's arguments. */
function print(type, values) {
  const line = values.map(value => (typeof value === "string" ? value : JSON.stringify(value))).join(" ");
  if (noise.test(line)) return;
  (type === "error" || type === "warn" ? process.stderr : process.stdout).write(`${line}\n`);
}

/** The suite's own variables. HOME only if it is temporary: tests must not see the user's own logs. */
function suiteEnvironment() {
  const temporary = tmpdir() + sep;
  const isForSuite = ([name, value]) =>
    name.startsWith("DEDUP_") || (["HOME", "CLAUDE_CONFIG_DIR"].includes(name) && resolve(value).startsWith(temporary));
  return Object.fromEntries(Object.entries(process.env).filter(isForSuite));
}

/** The command line as test-electron writes it; flags that only a desktop VS Code knows are ignored. */
function commandLine() {
  const paths = { type: "string", multiple: true, default: [] };
  const options = { extensionDevelopmentPath: paths, extensionTestsPath: paths };
  const { values, positionals } = parseArgs({ options, strict: false, allowPositionals: true });
  const given = Object.keys(options).flatMap(name => values[name].map(path => [name, resolve(path)]));
  return { given, folder: positionals[0] && resolve(positionals[0]) };
}

/** Runs the suite; returns its exit code, or undefined if it hangs. */
async function runSuite(server) {
  const { given, folder } = commandLine();
  const payload = given.map(([name, path]) => [name, `vscode-remote://127.0.0.1:${server.port}${encodeURI(path)}`]);
  let finish;
  const finished = new Promise(resolve => {
    finish = resolve;
  });
  // It must not keep this program running if there is nothing left to wait for.
  const timer = setTimeout(finish, seconds * 1000).unref();
  const log = (type, values) => {
    timer.refresh();
    print(type, values);
  };
  const functions = { codeAutomationLog: log, codeAutomationExit: finish };
  const { browser, page } = await launch({ url: server.url, folder, payload, functions });
  const code = await finished;
  if (code !== 0) {
    const file = join(mkdtempSync(join(tmpdir(), "vscode-screenshot-")), "workbench.png");
    const taken = await screenshot(page, file).catch(error => error.message);
    console.error(`${code === undefined ? `Silent for ${seconds} s` : "The suite failed"}; screenshot: ${taken}`);
  }
  await browser.close();
  return code;
}

async function main() {
  const server = await startServer({ version, env: suiteEnvironment() });
  try {
    return (await runSuite(server)) ?? 1;
  } finally {
    await server.stop();
  }
}

process.exitCode = await main().catch(error => {
  console.error(error.message);
  return 1;
});

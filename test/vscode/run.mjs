// The extension in a real VS Code: suites in its extension host, then journeys with the packaged extension, as a user
// would install it. `node test/vscode/run.mjs [suites|journeys] [name…]` runs a part, `--oldest` runs in the oldest VS
// Code that is tested instead of the newest. VSCODE_EXECUTABLE names a desktop VS Code to run the suites in; otherwise
// the rig stands in for one.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTests } from "@vscode/test-electron";
import { packageExtension } from "../../scripts/package/vsix.mjs";
import { ensureChromium, skip } from "../../scripts/system.mjs";
import { ensureServer, newest, oldest } from "./rig/install.mjs";
import { bundleSuites } from "./support/bundle.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const built = [
  "host.js",
  "engineWorker.js",
  "comparisonWorker.js",
  "replayWorker.js",
  "programs.js",
  "recallProgram.js",
  "cli.js",
  "cliProgram.js",
  "webview.js",
  "webview.css",
];

/** A home in which Claude Code has run, with nothing from the user. */
function temporaryHome(root) {
  const home = join(root, "home");
  const config = join(home, ".claude");
  mkdirSync(join(config, "projects"), { recursive: true });
  return { HOME: home, CLAUDE_CONFIG_DIR: config };
}

async function runSuites(root, names) {
  const bundle = join(root, "suites", "index.js");
  const files = await bundleSuites(bundle, names);
  console.log(`${files} suite files`);
  const folder = join(root, "workspace");
  mkdirSync(folder);
  await runTests({
    vscodeExecutablePath: process.env.VSCODE_EXECUTABLE ?? join(repository, "test", "vscode", "rig", "code.mjs"),
    extensionDevelopmentPath: repository,
    extensionTestsPath: bundle,
    extensionTestsEnv: temporaryHome(root),
    launchArgs: [folder],
  });
}

async function runJourneys(root, names) {
  const folder = new URL("./journeys/", import.meta.url);
  const files = readdirSync(folder).filter(name => name.endsWith(".journey.mjs"));
  const wanted = files.filter(file => names.length === 0 || names.some(name => file.startsWith(name)));
  if (wanted.length === 0) throw new Error("no journeys");
  const vsix = await packageExtension(root);
  let failed = 0;
  for (const file of wanted.sort()) {
    const { journey } = await import(new URL(file, folder));
    const startedAt = Date.now();
    const error = await journey({ vsix, root: mkdtempSync(join(root, "journey-")) }).then(
      () => undefined,
      reason => reason ?? new Error("failed without a reason"),
    );
    console.log(`${error ? "FAIL" : "  ok"} ${file} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (error) console.error(error.stack ?? String(error));
    if (error) failed++;
  }
  if (failed > 0) throw new Error(`${failed} of ${wanted.length} journeys failed`);
  console.log(`${wanted.length} journeys`);
}

/** Why nothing can be run here; undefined if it can. */
async function obstacle() {
  const { reason } = ensureChromium();
  if (reason) return reason;
  return ensureServer(process.env.RIG_VERSION ?? newest).then(
    () => undefined,
    error => error.message,
  );
}

async function main(args) {
  // The rig is a separate process: it gets the release from the environment.
  if (args.includes("--oldest")) process.env.RIG_VERSION = oldest;
  const [part, ...names] = args.filter(arg => arg !== "--oldest");
  const missing = built.filter(name => !existsSync(join(repository, "dist", name)));
  if (missing.length > 0) throw new Error(`dist/${missing[0]} is not built: npm run build`);
  const why = await obstacle();
  if (why) return skip("tests in VS Code", why);
  const root = mkdtempSync(join(tmpdir(), "dedup-vscode-"));
  try {
    if (part !== "journeys") await runSuites(root, names);
    if (part !== "suites") await runJourneys(root, names);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main(process.argv.slice(2)).catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});

// `npm run test:programs [-- NAME…]`: every program that a document mentions, in its smallest form. Each must succeed,
// print what it promises, and leave nothing behind. Names are parts of commands: `npm run test:programs -- bench`.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureChromium, skip } from "../../scripts/system.mjs";
import { PROGRAMS } from "./list.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
/** Only guards against hanging: the longest takes 20 s on two cores. */
const LIMIT_MS = 600_000;

/** Why a program cannot be run here; undefined if it can. */
function obstacle(needs) {
  if (needs === "Chromium") return ensureChromium().reason;
  if (needs !== "git") return undefined;
  const { status } = spawnSync("git", ["rev-parse", "--verify", "HEAD"], { cwd: repository, stdio: "ignore" });
  return status === 0 ? undefined : "this is no clone";
}

/** Nothing from the user, except how npm and git reach the network. */
function environment(place) {
  const home = join(place, "home");
  const temporary = join(place, "tmp");
  for (const folder of [home, temporary]) mkdirSync(folder);
  return {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local/share"),
    TMPDIR: temporary,
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
    GIT_CONFIG_GLOBAL: process.env.GIT_CONFIG_GLOBAL ?? join(homedir(), ".gitconfig"),
  };
}

/** Runs to the end, or until the expected output appears. Returns the whole output and the status. */
function said(command, args, env, until) {
  return new Promise((resolve, reject) => {
    const [program, ...first] = command;
    const child = spawn(program, [...first, ...args], { cwd: repository, env, detached: true });
    let output = "";
    let ended = false;
    // Including everything it has started.
    const end = signal => {
      ended = true;
      process.kill(-child.pid, signal);
    };
    const timer = setTimeout(() => end("SIGKILL"), LIMIT_MS);
    const take = text => {
      output += text;
      if (!ended && until?.test(output)) end("SIGTERM");
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", reject);
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ output, status: until?.test(output) ? 0 : (status ?? signal) });
    });
  });
}

/** What is wrong with one program; empty if nothing is. */
async function faults({ command, args, prints = [], until }) {
  const place = mkdtempSync(join(tmpdir(), "dedup-programs-"));
  try {
    const env = environment(place);
    const folder = join(place, "out");
    mkdirSync(folder);
    const given = args.map(arg => arg.replace("FOLDER", folder));
    const words = command.split(" ");
    const npm = words[0] === "npm" ? [...words, "--silent", "--"] : [process.execPath, ...words.slice(1)];
    const { output, status } = await said(npm, given, env, until);
    const left = readdirSync(env.TMPDIR);
    const wrong = [
      ...(status === 0 ? [] : [`ended with ${status}`]),
      ...[...prints, ...(until ? [until] : [])]
        .filter(print => !print.test(output))
        .map(print => `does not say ${print}`),
      ...(left.length === 0 ? [] : [`left behind: ${left.join(", ")}`]),
    ];
    return wrong.length === 0 ? [] : [...wrong, output.trimEnd()];
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const names = process.argv.slice(2);
let failed = 0;
for (const program of PROGRAMS) {
  const { command, needs } = program;
  if (names.length > 0 && !names.some(name => command.includes(name))) continue;
  const why = obstacle(needs);
  if (why !== undefined) {
    skip(command, why);
    continue;
  }
  const began = performance.now();
  const wrong = await faults(program);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${wrong.length === 0 ? "  ok" : "FAIL"} ${command} (${seconds} s)`);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) failed++;
}
if (failed > 0) console.error(`${failed} programs failed`);
process.exitCode ||= failed > 0 ? 1 : 0;

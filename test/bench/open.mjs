// node test/bench/open.mjs [--size 200M] [--runs N] [--stay SECONDS] How long it takes to open one long session as a
// panel does: cold, with its facts in the cache, and with its last snapshot in the cache. CPU is the total of all
// threads until then.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bytesOf, writeSession } from "./generate.mjs";
import { Chance } from "./history/text.mjs";
import { bundleEngine } from "./live/bundle.mjs";
import { homeIn, median, tempFolder } from "./measure.mjs";
import { table, verdict } from "./table.mjs";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "200M" },
    runs: { type: "string", default: "3" },
    // Long enough for reading in the background to finish, and for the snapshot of an idle session to be saved.
    stay: { type: "string", default: "15" },
  },
});
const [code, logs, home] = [await bundleEngine(), tempFolder(), tempFolder()];
const sessionId = "11111111-2222-4333-8444-555555555555";
const about = { sessionId, cwd: "/home/ana/work/long", startedAt: Date.UTC(2026, 0, 5) };
writeSession(join(logs, "-home-ana-work-long", `${sessionId}.jsonl`), bytesOf(values.size), new Chance(7), about);
const { XDG_CACHE_HOME } = homeIn(home);
const forget = path => rmSync(join(XDG_CACHE_HOME, path), { recursive: true, force: true });

/** Medians over this many runs; `before` prepares the cache. */
function opening(before, staySeconds = 0) {
  const runs = Array.from({ length: Number(values.runs) }, () => {
    before();
    const args = [new URL("live/opener.mjs", import.meta.url).pathname, code, logs, String(staySeconds)];
    const options = { env: homeIn(home), encoding: "utf8", timeout: 120_000, stdio: ["ignore", "pipe", "inherit"] };
    const { stdout, status } = spawnSync(process.execPath, args, options);
    if (status !== 0) throw new Error(`opening it ended with ${status}`);
    return JSON.parse(stdout);
  });
  return { ms: median(runs.map(run => run.ms)), cpu: median(runs.map(run => run.cpu)) };
}

// V8's compiled code is kept by the first one.
opening(() => {}, 2);
const cold = opening(() => forget("dedup-inspector"));
opening(() => {}, Number(values.stay));
const facts = opening(() => forget("dedup-inspector/pictures"));
opening(() => {}, Number(values.stay));
const picture = opening(() => {});
const row = (name, { ms, cpu }, ...checks) => [
  name,
  `${ms.toFixed(0)} ms`,
  (ms / cold.ms).toFixed(2),
  `${cpu.toFixed(0)} ms`,
  (cpu / cold.cpu).toFixed(2),
  verdict(...checks),
];
console.log(`A session of ${values.size}, until its picture is on its way to the page`);
console.log(
  table(
    ["", "time", "÷ cold", "CPU", "÷ cold", "must hold"],
    [
      row("cold", cold, ["≤ 3 s", cold.ms <= 3000]),
      row("facts remembered", facts),
      row("warm", picture, ["≤ 0.5 s", picture.ms <= 500]),
    ],
  ),
);

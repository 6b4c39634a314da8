// node test/bench/live.mjs [--seconds N] [--logs N] [--idle-seconds N] [--idle-logs N] [--results N] [--history SIZE]
//   [--settle SECONDS]
// Live latency, idle cost and the longest block of the owning thread, each compared with a bare baseline in the same run.
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bytesOf } from "./generate.mjs";
import { eventLoop } from "./live/eventLoop.mjs";
import { idle } from "./live/idle.mjs";
import { latency, quantile } from "./live/latency.mjs";
import { builtProgram } from "./measure.mjs";
import { ratio, table, verdict } from "./table.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    logs: { type: "string", default: "20" },
    "idle-seconds": { type: "string", default: "20" },
    "idle-logs": { type: "string", default: "5000" },
    results: { type: "string", default: "50000" },
    history: { type: "string", default: "150M" },
    // How long to wait after starting something before measuring it.
    settle: { type: "string", default: "5" },
  },
});
const [seconds, logs, idleSeconds, idleLogs, results, settle] = [
  "seconds",
  "logs",
  "idle-seconds",
  "idle-logs",
  "results",
  "settle",
].map(name => Number(values[name]));
const ROOT = new URL("../..", import.meta.url).pathname;
const program = builtProgram();
const BARE = "bare fs.watch + read";
const ms = value => `${value.toFixed(1)} ms`;

/** Both followers take turns, so that both run under the same conditions. */
async function latencies() {
  const followers = {
    "dedup-inspector watch --json": folder => [process.execPath, program, "watch", folder, "--json"],
    [BARE]: folder => [process.execPath, join(ROOT, "test/bench/live/baseline.mjs"), folder],
  };
  const found = new Map(
    Object.keys(followers).map(name => [name, { events: 0, delays: [], firsts: [], lost: 0, doubled: 0 }]),
  );
  for (const round of [1, 2]) {
    for (const [name, command] of Object.entries(followers)) {
      const run = await latency({ command, logs, seconds, mark: `r${round}`, settle });
      const sum = found.get(name);
      sum.events += run.events;
      sum.lost += run.lost;
      sum.doubled += run.doubled;
      sum.delays.push(...run.delays);
      sum.firsts.push(...run.firsts);
    }
  }
  return found;
}

console.log(`${cpus().length} cores, Node ${process.versions.node}\n`);
const rows = [];
const found = await latencies();
const barest = quantile(found.get(BARE).delays, 0.5);
for (const [name, { events, delays, firsts, lost, doubled }] of found) {
  const own = name.startsWith("dedup");
  const p95 = quantile(delays, 0.95);
  const quantiles = [0.5, 0.95, 1].map(share => quantile(delays, share));
  const figures = [...quantiles.map(ms), ratio(quantiles[0] / barest), ms(quantile(firsts, 0.5))];
  const checks = own
    ? [
        ["p95 ≤ 100 ms", p95 <= 100],
        ["none lost or doubled", lost + doubled === 0],
      ]
    : [];
  rows.push([name, String(events), ...figures, String(lost), String(doubled), verdict(...checks)]);
}
console.log(`From the write to the event, ${logs} logs written at once, bursts 1 to 50 ms apart`);
console.log(
  `${table(["", "events", "p50", "p95", "max", "p50 ÷ bare", "first (p50)", "lost", "doubled", "must hold"], rows)}\n`,
);

const folders = Math.ceil(idleLogs / 10);
const quiet = await idle({ program, folders, files: idleLogs, seconds: idleSeconds, settle });
const percent = share => `${(100 * share).toFixed(2)} %`;
console.log(`Idle for ${idleSeconds} s with ${idleLogs.toLocaleString("en")} logs in ${folders} folders`);
console.log(
  `${table(
    ["", "of a core", "watches", "memory", "must hold"],
    [
      [
        "dedup-inspector watch",
        percent(quiet.share),
        String(quiet.watches),
        `${quiet.megabytes.toFixed(0)} MB`,
        verdict(["< 0.5 %", quiet.share < 0.005], [`< 2 × ${folders} watches`, quiet.watches < 2 * folders]),
      ],
      ["node with one timer", percent(quiet.bareShare)],
    ],
  )}\n`,
);

const phases = await eventLoop({ bytes: bytesOf(values.history), results, logs, seconds, pace: 0.4 * settle });
console.log("Delay of a 1 ms timer on the thread that owns the engine");
console.log(
  table(
    ["", "p99", "max", "longest work", "÷ nothing", "messages", "must hold"],
    phases.map(({ phase, p99, max, longestWork, messages }) => [
      phase,
      ms(p99),
      ms(max),
      ms(longestWork),
      ratio(longestWork / phases[0].longestWork),
      String(messages),
      phase === "nothing" ? "" : verdict(["max ≤ 16 ms", max <= 16], ["work ≤ 16 ms", longestWork <= 16]),
    ]),
  ),
);

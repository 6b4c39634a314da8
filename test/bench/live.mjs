// node test/bench/live.mjs [--seconds N] [--logs N] [--idle-seconds N] [--results N]
// Live latency, idle cost and the longest block of the owning thread, each beside a bare baseline of the same run.
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bytesOf } from "./generate.mjs";
import { eventLoop } from "./live/eventLoop.mjs";
import { idle } from "./live/idle.mjs";
import { latency, quantile } from "./live/latency.mjs";
import { builtProgram } from "./measure.mjs";
import { table, verdict } from "./table.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    logs: { type: "string", default: "20" },
    "idle-seconds": { type: "string", default: "20" },
    results: { type: "string", default: "50000" },
  },
});
const [seconds, logs, idleSeconds, results] = ["seconds", "logs", "idle-seconds", "results"].map(name =>
  Number(values[name]),
);
const ROOT = new URL("../..", import.meta.url).pathname;
const program = builtProgram();
const ms = value => `${value.toFixed(1)} ms`;

/** Both followers take turns, so that both see the same machine. */
async function latencies() {
  const followers = {
    "dedup-inspector watch --json": folder => [process.execPath, program, "watch", folder, "--json"],
    "bare fs.watch + read": folder => [process.execPath, join(ROOT, "test/bench/live/baseline.mjs"), folder],
  };
  const found = new Map(
    Object.keys(followers).map(name => [name, { events: 0, delays: [], firsts: [], lost: 0, doubled: 0 }]),
  );
  for (const round of [1, 2]) {
    for (const [name, command] of Object.entries(followers)) {
      const run = await latency({ command, logs, seconds, mark: `r${round}` });
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
for (const [name, { events, delays, firsts, lost, doubled }] of await latencies()) {
  const own = name.startsWith("dedup");
  const p95 = quantile(delays, 0.95);
  const figures = [...[0.5, 0.95, 1].map(share => ms(quantile(delays, share))), ms(quantile(firsts, 0.5))];
  const checks = own
    ? [
        ["p95 ≤ 100 ms", p95 <= 100],
        ["none lost or doubled", lost + doubled === 0],
      ]
    : [];
  rows.push([name, String(events), ...figures, String(lost), String(doubled), verdict(...checks)]);
}
console.log(`From the write to the event, ${logs} logs written at once, bursts 1 to 50 ms apart`);
console.log(`${table(["", "events", "p50", "p95", "max", "first (p50)", "lost", "doubled", "must hold"], rows)}\n`);

const quiet = await idle({ program, folders: 500, files: 5000, seconds: idleSeconds });
const percent = share => `${(100 * share).toFixed(2)} %`;
console.log(`Idle for ${idleSeconds} s with 5,000 logs in 500 folders`);
console.log(
  `${table(
    ["", "of a core", "watches", "memory", "must hold"],
    [
      [
        "dedup-inspector watch",
        percent(quiet.share),
        String(quiet.watches),
        `${quiet.megabytes.toFixed(0)} MB`,
        verdict(["< 0.5 %", quiet.share < 0.005], ["< 2 × 500 watches", quiet.watches < 1000]),
      ],
      ["node with one timer", percent(quiet.bareShare)],
    ],
  )}\n`,
);

const phases = await eventLoop({ bytes: bytesOf("150M"), results, logs, seconds });
console.log("Delay of a 1 ms timer on the thread that owns the engine");
console.log(
  table(
    ["", "p99", "max", "longest work", "messages", "must hold"],
    phases.map(({ phase, p99, max, longestWork, messages }) => [
      phase,
      ms(p99),
      ms(max),
      ms(longestWork),
      String(messages),
      phase === "nothing" ? "" : verdict(["max ≤ 16 ms", max <= 16], ["work ≤ 16 ms", longestWork <= 16]),
    ]),
  ),
);

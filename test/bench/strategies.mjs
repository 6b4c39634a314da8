// node test/bench/strategies.mjs [PATH…] [--generate SIZE] [--results N] [--runs N]
// What comparing the strategies costs: for a whole history compared with the plain report, and for one long session compared
// with reading it. README.md explains each row.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { historiesOf } from "./histories.mjs";
import { homeIn, median, sideBySide, tempFolder } from "./measure.mjs";
import { bundleComparer, bundleProgram } from "./strategies/bundle.mjs";
import { writeLongSession } from "./strategies/session.mjs";
import { megabytes, ratio, seconds, table, verdict } from "./table.mjs";

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    generate: { type: "string" },
    results: { type: "string", default: "10000" },
    runs: { type: "string", default: "5" },
  },
});
const rounds = Number(values.runs);
const say = line => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line}`);

const PLAIN = "the plain report";
const ALL = "and all strategies";

async function historyTable(histories) {
  const program = await bundleProgram();
  const rows = [];
  for (const [name, logs] of histories) {
    const report = (...more) => ({
      command: process.execPath,
      args: [join(program, "cli.js"), "report", "--json", "--no-cache", ...more, ...logs.folders],
      env: homeIn(tempFolder()),
    });
    const contenders = [[{ name: PLAIN, run: () => report() }], [{ name: ALL, run: () => report("--strategies") }]];
    const found = sideBySide(contenders, rounds, line => say(`${name}, ${line}`));
    const plain = found.get(PLAIN);
    rows.push([`${name}: ${logs.files.length} logs, ${megabytes(logs.bytes / 2 ** 20)}`]);
    for (const [one, run] of found) {
      const [time, cpu] = [run.seconds / plain.seconds, run.cpu / plain.cpu];
      const checks = one === ALL ? [["≤ 1.2 of both", time <= 1.2 && cpu <= 1.2]] : [];
      rows.push([
        one,
        seconds(run.seconds),
        ratio(time),
        seconds(run.cpu),
        ratio(cpu),
        megabytes(run.megabytes),
        verdict(...checks),
      ]);
    }
  }
  return table(["cold", "time", "÷ plain", "CPU", "÷ plain", "peak memory", "must hold"], rows);
}

async function sessionTable(results) {
  say(`writing a session of ${results} results`);
  const path = join(tempFolder(), "session.jsonl");
  const bytes = writeLongSession(path, results);
  const code = await bundleComparer();
  const program = new URL("strategies/comparing.mjs", import.meta.url).pathname;
  const runs = { read: [], compare: [] };
  for (let round = 0; round < rounds; round++) {
    for (const what of round % 2 === 0 ? ["read", "compare"] : ["compare", "read"]) {
      say(`round ${round + 1} of ${rounds}: ${what}`);
      const options = { env: homeIn(tempFolder()), encoding: "utf8", timeout: 600_000 };
      const { stdout, stderr, status } = spawnSync(process.execPath, [program, code, path, what], options);
      if (status !== 0) throw new Error(stderr);
      runs[what].push(JSON.parse(stdout));
    }
  }
  const [read] = medians(runs.read);
  const [first, ...changes] = medians(runs.compare);
  const row = (name, { ms, cpu }, ...checks) => [
    name,
    `${ms.toFixed(0)} ms`,
    (ms / read.ms).toFixed(2),
    `${cpu.toFixed(0)} ms`,
    (cpu / read.cpu).toFixed(2),
    verdict(...checks),
  ];
  const [more, moreCpu] = [first.ms - read.ms, first.cpu - read.cpu];
  return table(
    [
      `a session of ${results} results, ${megabytes(bytes / 2 ** 20)}`,
      "time",
      "÷ reading",
      "CPU",
      "÷ reading",
      "must hold",
    ],
    [
      row("reading it, whole results only", read),
      row("reading it, all strategies", first, ["≤ 1 s", first.ms <= 1000]),
      row("the strategies' share of that", { ms: more, cpu: moreCpu }, ["≤ 1 s", more <= 1000]),
      ...changes.map(change => row(change.name, change, ["≤ 100 ms", change.ms <= 100])),
    ],
  );
}

/** Of each step, over all runs. */
function medians(all) {
  return all[0].map(({ name }, step) => ({
    name,
    ms: median(all.map(run => run[step].ms)),
    cpu: median(all.map(run => run[step].cpu)),
  }));
}

const histories = historiesOf(paths, values.generate, say);
const tables = [await historyTable(histories), await sessionTable(Number(values.results))];
say("");
console.log(`Node ${process.versions.node}, medians of ${rounds}\n\n${tables.join("\n\n")}`);

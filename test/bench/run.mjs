// npm run bench -- PATH… [--generate SIZE] [--runs N] [--large SIZE] [--no-large]
// One table of ratios, all measured side by side in one run. README.md explains each row.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CCUSAGE, ccusage } from "./ccusage.mjs";
import { bytesOf, writeSession } from "./generate.mjs";
import { historiesOf } from "./histories.mjs";
import { Chance } from "./history/text.mjs";
import { Logs, logWithLine } from "./logs.mjs";
import { builtProgram, homeIn, removeFolder, sideBySide, tempFolder } from "./measure.mjs";
import { megabytes, ratio, seconds, table, verdict } from "./table.mjs";

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    generate: { type: "string" },
    runs: { type: "string", default: "5" },
    large: { type: "string", default: "1G" },
    "no-large": { type: "boolean" },
  },
});
const ROOT = new URL("../..", import.meta.url).pathname;
const COLD = "our report, cold";
const LOOP = "read + JSON.parse loop";
const MAX_MEMORY_MB = 300;
const rounds = Number(values.runs);

const say = line => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line}`);
const program = builtProgram();
const native = ccusage();

function ours(folders, home, ...more) {
  return { command: process.execPath, args: [program, "report", "--json", ...more, ...folders], env: homeIn(home) };
}

/** All programs on the same logs. */
function contenders(logs) {
  const plain = homeIn(tempFolder());
  const parser = join(ROOT, "test", "bench", "parseLoop.mjs");
  const loop = (...more) => ({ command: process.execPath, args: [parser, ...more, ...logs.folders], env: plain });
  let home = "";
  const groups = [
    [{ name: COLD, run: () => ours(logs.folders, tempFolder(), "--no-cache") }],
    [
      {
        name: "our report, first with a cache",
        before: () => {
          home = tempFolder();
        },
        run: () => ours(logs.folders, home),
      },
      { name: "our report, warm", run: () => ours(logs.folders, home) },
      { name: "our report, one more log", run: () => ours([...logs.folders, oneMoreLog()], home) },
      {
        name: "our report, other settings",
        run: () => ours(logs.folders, home, "--capacity", "9", "--min-bytes", "400"),
      },
    ],
    [{ name: LOOP, run: () => loop() }],
    [{ name: "the same, from bytes", run: () => loop("--bytes") }],
    [{ name: "cat", run: () => ({ command: "sh", args: ["-c", CAT, "sh", ...logs.folders], env: plain }) }],
    [{ name: "node -e 0", run: () => ({ command: process.execPath, args: ["-e", "0"], env: plain }) }],
  ];
  if (native !== undefined) groups.push([{ name: CCUSAGE, run: () => usage(logs) }]);
  return groups;
}

/** A folder with a small new log. */
function oneMoreLog() {
  const folder = tempFolder();
  const about = { sessionId: "more", cwd: "/home/ana/more", startedAt: Date.UTC(2026, 0, 6) };
  writeSession(join(folder, "more.jsonl"), 100_000, new Chance(6), about);
  return folder;
}

const CAT = 'for folder; do find -L "$folder" -name "*.jsonl" -exec cat {} + > /dev/null; done';

function usage(logs) {
  const env = { ...homeIn(tempFolder()), CLAUDE_CONFIG_DIR: logs.configs };
  return { command: native, args: ["daily", "--offline", "--json"], env };
}

/** Three of the contenders on another set of logs. */
function measureFew(what, logs, runs) {
  const groups = contenders(logs).filter(([{ name }]) => [COLD, LOOP, CCUSAGE].includes(name));
  const found = sideBySide(groups, runs, line => say(`${what}, ${line}`));
  return { own: found.get(COLD), loop: found.get(LOOP), other: found.get(CCUSAGE) };
}

function row(name, run, other, loop, ...checks) {
  return [
    name,
    seconds(run.seconds),
    ratio(run.seconds / other?.seconds),
    ratio(run.seconds / loop?.seconds),
    ratio(run.cpu / other?.cpu),
    megabytes(run.megabytes),
    verdict(...checks),
  ];
}

/** Starting Node and V8 getting warm weigh more in a small history. */
const mostOf = ({ bytes }) => (bytes < 250e6 ? 1.5 : 1);
const fits = run => [`≤ ${MAX_MEMORY_MB} MB`, run.megabytes <= MAX_MEMORY_MB];

function historyRows(logs, name) {
  const found = sideBySide(contenders(logs), rounds, line => say(`${name}, ${line}`));
  const [cold, loop, other] = [COLD, LOOP, CCUSAGE].map(one => found.get(one));
  /** Of the time and of the CPU time. */
  const ofCold = (run, most) => {
    const [time, cpu] = [run.seconds / cold.seconds, run.cpu / cold.cpu];
    return [
      `≤ ${most} of cold (${ratio(time)}, CPU ${ratio(cpu)})`,
      Math.max(time, Number.isNaN(cpu) ? 0 : cpu) <= most,
    ];
  };
  const checks = {
    [COLD]: run => [
      [`≤ ${mostOf(logs)} of ccusage`, run.seconds <= mostOf(logs) * other?.seconds],
      ["its CPU ≤ 1.2", run.cpu <= 1.2 * other?.cpu],
      ["≤ 0.3 of the loop", run.seconds <= 0.3 * loop.seconds],
      fits(run),
    ],
    "our report, first with a cache": run => [fits(run)],
    "our report, warm": run => [ofCold(run, 0.1), fits(run)],
    "our report, one more log": run => [
      [`less than cold (${ratio(run.seconds / cold.seconds)})`, run.seconds < cold.seconds],
      fits(run),
    ],
    "our report, other settings": run => [ofCold(run, 0.15), fits(run)],
  };
  return [...found].map(([one, run]) => row(one, run, other, loop, ...(checks[one]?.(run) ?? [])));
}

/** All logs compared with a tenth of them. */
function linearRows(logs) {
  const part = logs.part(10);
  const small = contenders(part)[0].map(one => ({ ...one, name: "part" }));
  const found = sideBySide([small, contenders(logs)[0]], rounds, line => say(`linearity, ${line}`));
  const [few, all] = [found.get("part"), found.get(COLD)];
  const [bytes, time] = [logs.bytes / part.bytes, all.seconds / few.seconds];
  const holds = time <= 1.1 * bytes;
  return [
    [
      `our report, ${ratio(bytes)} times the bytes`,
      `${ratio(time)} times`,
      "",
      "",
      "",
      "",
      verdict(["≤ 1.1 × bytes", holds]),
    ],
  ];
}

/** Extreme cases: one enormous log, a line over the limit, and lines just under it on two threads at once. */
function largeRows() {
  const about = { sessionId: "large", cwd: "/home/ana/large", startedAt: Date.UTC(2026, 0, 5) };
  const session = join(tempFolder(), "session.jsonl");
  writeSession(session, 1 << 20, new Chance(3), about);
  const before = readFileSync(session);
  const cases = {
    [`one log of ${values.large}`]: folder =>
      writeSession(join(folder, "large.jsonl"), bytesOf(values.large), new Chance(2), about),
    "a line of 150 MB": folder => logWithLine(join(folder, "long.jsonl"), before, 150),
    "two logs, each with a line of 15 MB": folder => {
      for (const name of ["left", "right"]) logWithLine(join(folder, `${name}.jsonl`), before, 15);
    },
  };
  return Object.entries(cases).map(([name, write]) => {
    say(`${name}: writing it`);
    const folder = tempFolder();
    write(folder);
    const { own, loop, other } = measureFew(name, new Logs([folder]), Math.min(rounds, 3));
    removeFolder(folder);
    return row(`our report, cold: ${name}`, own, other, loop, fits(own));
  });
}

if (native === undefined) console.error("ccusage cannot be installed here: no ratio to it");
const histories = historiesOf(paths, values.generate, say);

const rows = [];
for (const [name, logs] of histories) {
  rows.push([`${name}: ${logs.files.length} logs, ${megabytes(logs.bytes / 2 ** 20)}`]);
  rows.push(...historyRows(logs, name), ...linearRows(logs), []);
}
if (values["no-large"] !== true) rows.push(["generated, large"], ...largeRows());
say("");
console.log(`${cpus().length} cores, Node ${process.versions.node}, medians of ${rounds}\n`);
console.log(table(["", "time", "÷ ccusage", "÷ parse loop", "CPU ÷ ccusage", "peak memory", "must hold"], rows));

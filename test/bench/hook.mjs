// node test/bench/hook.mjs [--size 100M] [--runs N]
// What the live hints' program costs per tool call, and the status line per message, compared with an empty Node program in
// the same run: a session log of 100 MB that grows by a call and its result before each run, as in a running session.
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { bytesOf, writeSession } from "./generate.mjs";
import { Chance } from "./history/text.mjs";
import { quantile } from "./live/latency.mjs";
import { builtProgram, homeIn, tempFolder } from "./measure.mjs";
import { ratio, table, verdict } from "./table.mjs";

const { values } = parseArgs({
  options: { size: { type: "string", default: "100M" }, runs: { type: "string", default: "120" } },
});
const folder = tempFolder();
const program = join(dirname(builtProgram()), "hook.js");
const statusLine = builtProgram();
const empty = join(folder, "empty.js");
writeFileSync(empty, "");
const log = join(folder, "11111111-1111-4111-8111-111111111111.jsonl");
const about = { sessionId: "11111111-1111-4111-8111-111111111111", cwd: "/home/ana/work/p", startedAt: 1.8e12 };
writeSession(log, bytesOf(values.size), new Chance(1), about);

let calls = 0;
/** Appends a call with its result, and the next call, whose id it returns. */
function grow(text) {
  const call = id => ({
    type: "assistant",
    uuid: `u${id}`,
    cwd: about.cwd,
    message: { id: `m${id}`, model: "m", content: [{ type: "tool_use", id, name: "Bash", input: { command: id } }] },
  });
  const result = id => ({
    type: "user",
    uuid: `r${id}`,
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
  });
  const [before, now] = [`toolu_bench_${calls++}`, `toolu_bench_${calls++}`];
  appendFileSync(log, [call(before), result(before), call(now)].map(line => `${JSON.stringify(line)}\n`).join(""));
  return now;
}

function eventFor(id, stdout) {
  const tool = { tool_name: "Bash", tool_input: { command: id }, tool_use_id: id };
  const tool_response = { stdout, stderr: "", interrupted: false, isImage: false };
  return JSON.stringify({ hook_event_name: "PostToolUse", transcript_path: log, ...tool, tool_response });
}

/** CPU time of all programs run so far, in ms; other processes hardly affect it. Linux only. */
function childrenCpu() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

function time(file, input, ...args) {
  const start = process.hrtime.bigint();
  const { status, stdout } = spawnSync(process.execPath, [file, ...args], { input, env: homeIn(folder) });
  if (status !== 0) throw new Error(`${file} ended with ${status}`);
  return { ms: Number(process.hrtime.bigint() - start) / 1e6, said: stdout.length > 0 };
}

/** The hook stays silent until it has read the whole log; each call continues where the last one stopped. */
let catchUp = 0;
const worst = { ms: 0 };
for (;;) {
  const text = `first ${calls} `.repeat(200).trim();
  const { ms, said } = time(program, eventFor(grow(text), text));
  catchUp++;
  worst.ms = Math.max(worst.ms, ms);
  if (said) break;
  if (catchUp > 1000) throw new Error("it never caught up");
}

const NAMES = {
  empty: "an empty program",
  hit: "the hook: hit",
  miss: "the hook: miss",
  line: "the status line",
};
const times = { empty: [], hit: [], miss: [], line: [] };
const cpu = { empty: 0, hit: 0, miss: 0, line: 0 };
const session = JSON.stringify({ transcript_path: log, context_window: { used_percentage: 62 } });
// The first run has to read the end of the log.
time(statusLine, session, "statusline");
function measure(name, file, event, ...args) {
  const before = childrenCpu();
  const run = time(file, event, ...args);
  cpu[name] += childrenCpu() - before;
  times[name].push(run.ms);
  return run.said;
}
function fail(why) {
  throw new Error(why);
}
for (let run = 0; run < Number(values.runs); run++) {
  const text = `run ${run} of a text that a tool returns `.repeat(100).trim();
  const id = grow(text);
  const turns = [
    () => measure("empty", empty, eventFor(id, text)),
    () => measure("hit", program, eventFor(id, text)) || fail("no hint where one was due"),
    () => measure("miss", program, eventFor(id, `${text} and more`)) && fail("a hint where none was due"),
    () => measure("line", statusLine, session, "statusline") || fail("no status line"),
  ];
  // Each one goes first equally often.
  for (let turn = 0; turn < turns.length; turn++) turns[(run + turn) % turns.length]();
}

const megabytes = (statSync(log).size / 1024 ** 2).toFixed(0);
console.log(`${cpus().length} cores, Node ${process.versions.node}, a log of ${megabytes} MB, ${values.runs} runs\n`);
const at = (name, share) => quantile(times[name], share);
const rows = Object.keys(times).map(name => {
  const [p50, p95] = [at(name, 0.5), at(name, 0.95)];
  const own = p50 - at("empty", 0.5);
  const p95Ratio = p95 / at("empty", 0.95);
  const holds = verdict(["p95 ≤ 1.6", p95Ratio <= 1.6], ["own work ≤ 10 ms", own <= 10]);
  return [
    NAMES[name],
    `${p50.toFixed(1)} ms`,
    `${p95.toFixed(1)} ms`,
    ratio(p50 / at("empty", 0.5)),
    ratio(p95Ratio),
    ratio(cpu[name] / cpu.empty),
    name === "empty" ? "" : `${own.toFixed(1)} ms`,
    name === "empty" ? "" : holds,
  ];
});
console.log(table(["", "p50", "p95", "p50 ÷ empty", "p95 ÷ empty", "CPU ÷ empty", "own work", "must hold"], rows));
console.log(`\ncatching up with the whole log took ${catchUp} calls, the longest ${worst.ms.toFixed(0)} ms`);

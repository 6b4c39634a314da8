// node --expose-gc test/bench/mod.mjs [--size 20M] What live hints cost as a mod: feeds a generated session to the
// built module row by row, as Claude Code would. Compared with starting an empty Node program, which is the least that
// a hook costs per call.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bytesOf, writeSession } from "./generate.mjs";
import { Chance } from "./history/text.mjs";
import { quantile } from "./live/latency.mjs";
import { builtProgram, homeIn, tempFolder } from "./measure.mjs";
import { ratio, table, verdict } from "./table.mjs";

const { values } = parseArgs({ options: { size: { type: "string", default: "20M" } } });
const folder = tempFolder();
const module = join(folder, "register.mjs");
copyFileSync(join(dirname(builtProgram()), "register.js"), module);
const log = join(folder, "session.jsonl");
const about = { sessionId: "11111111-1111-4111-8111-111111111111", cwd: "/home/ana/work/p", startedAt: 1.8e12 };
writeSession(log, bytesOf(values.size), new Chance(1), about);
const records = readFileSync(log, "utf8")
  .trim()
  .split("\n")
  .map(line => JSON.parse(line));

/** What Claude Code lists: the newest 4,096 messages. */
let messages = [];
const results = new Map();
const $ = {
  ui: { log: text => fail(text) },
  session: { messages: async () => messages.slice(-4096), cwd: async () => about.cwd },
  env: { set: async () => {} },
  fs: { read: async () => "" },
  plugin: { root: folder },
};
const hooks = new Map();
const { register } = await import(pathToFileURL(module));
register((name, hook) => hooks.set(name, hook), {});

function fail(why) {
  throw new Error(why);
}

async function raise(name, event, next = async passed => passed) {
  return hooks.get(name)($, event, next);
}

async function step(usage) {
  const stream = hooks.get("turn.step")($, {}, async function* () {
    yield;
    return { usage };
  });
  while (!(await stream.next()).done);
}

const memory = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 ** 2;
};

const times = [];
const cpu = [];
let [hints, request, most] = [0, undefined, 0];
const before = memory();
for (const { type, subtype, message } of records) {
  if (subtype === "compact_boundary") {
    messages = [];
    await raise("session.compact", { trigger: "auto" }, async () => ({ messages }));
    continue;
  }
  if (type !== "assistant" && type !== "user") continue;
  const content = typeof message.content === "string" ? [] : message.content;
  if (type === "assistant") {
    if (message.id !== request) await step(message.usage);
    request = message.id;
    await raise("session.append", { door: "response", message: { content } });
    const calls = content.filter(block => block.type === "tool_use");
    const toolUses = calls.map(({ id, name, input }) => ({ tool_use_id: id, tool: name, input, text: undefined }));
    for (const use of toolUses) results.set(use.tool_use_id, use);
    messages.push({ role: "assistant", toolUses });
    continue;
  }
  const isResult = content.some(block => block.type === "tool_result");
  const row = { door: isResult ? "tool-result" : "prompt", message: { content } };
  const [start, used] = [process.hrtime.bigint(), process.cpuUsage()];
  const kept = await raise("session.append", row);
  if (!isResult) continue;
  times.push(Number(process.hrtime.bigint() - start) / 1e6);
  const { user, system } = process.cpuUsage(used);
  cpu.push((user + system) / 1000);
  if (kept !== row) hints++;
  for (const { tool_use_id: id, content: text } of kept.message.content) {
    const use = results.get(id);
    if (use !== undefined && typeof text === "string") use.text = text;
  }
  if (times.length % 200 === 0) most = Math.max(most, memory() - before);
}
// Claude Code's memory, not ours.
messages = [];
results.clear();

const empty = join(folder, "empty.js");
writeFileSync(empty, "");
const starts = Array.from({ length: 20 }, () => {
  const start = process.hrtime.bigint();
  spawnSync(process.execPath, [empty], { env: homeIn(folder) });
  return Number(process.hrtime.bigint() - start) / 1e6;
});

const at = share => quantile(times, share);
const cpuAt = share => quantile(cpu, share);
console.log(
  `${cpus().length} cores, Node ${process.versions.node}, a session of ${values.size}, ${times.length} results, ${hints} with hints\n`,
);
const holds = verdict(["p95 ≤ 5 ms", cpuAt(0.95) <= 5]);
const shown = of => [0.5, 0.95, 0.99].map(share => `${of(share).toFixed(2)} ms`);
const rows = [
  ["the mod, per result", ...shown(at), ratio(at(0.95) / quantile(starts, 0.5)), ""],
  ["its CPU time, which a load leaves alone", ...shown(cpuAt), "", holds],
];
console.log(table(["", "p50", "p95", "p99", "p95 ÷ empty program", "must hold"], rows));
const note = globalThis.gc ? "" : " (with --expose-gc this is exact)";
console.log(`\nmemory: at most ${most.toFixed(0)} MB more, with the conversation itself${note}`);

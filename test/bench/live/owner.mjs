// The thread that owns the engine, as the extension host does: how long is it ever blocked?
//   node owner.mjs BUNDLE_FOLDER LOGS LIVE_FOLDER LIVE_SECONDS
// Prints one JSON line per phase, in milliseconds: the delays of a 1 ms timer, and the longest time for which the thread
// itself worked between two timers. Only the second is free of what other processes do to the machine.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

const [bundle, logs, live, seconds] = process.argv.slice(2);
const { EngineClient } = createRequire(`${bundle}/`)("./engineClient.js");
const settings = { capacity: 5, minBytes: 200, nearRef: false, verbosity: "standard", invalidates: {} };
const delays = monitorEventLoopDelay({ resolution: 1 });
let [messages, sessions, progress] = [0, [], null];

/** CPU time of this thread so far, where the system tells it. */
function worked() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

let [lastWorked, longestWork] = [worked(), 0];
setInterval(() => {
  const now = worked();
  longestWork = Math.max(longestWork, now - lastWorked);
  lastWorked = now;
}, 1);

/** After the next timer, so that what has just been done counts. */
async function tell(phase) {
  await wait(20);
  const [max, p99] = [delays.max, delays.percentile(99)].map(time => time / 1e6);
  process.stdout.write(`${JSON.stringify({ phase, max, p99, longestWork, messages })}\n`);
  delays.reset();
  [messages, longestWork] = [0, 0];
}

async function until(holds) {
  for (const end = Date.now() + 120_000; !holds() && Date.now() < end; ) await wait(50);
}

await wait(300);
delays.enable();
await wait(2000);
await tell("nothing");

const client = new EngineClient({
  page: (_panel, message) => {
    messages++;
    const state = message.type === "snapshot" ? message.state : message.type === "delta" ? message.delta : {};
    if (state.sessions !== undefined) sessions = state.sessions;
    if (state.progress !== undefined) progress = state.progress;
  },
  errand: () => {},
  live: () => {},
  notice: line => process.stderr.write(`${line}\n`),
});
await tell("start");

client.configure({ place: "browser", roots: [logs, live], workspace: [], settings, axis: "order", useCache: true });
client.fromPage(1, { type: "ready" });
await until(() => progress !== null);
await until(() => progress === null);
await tell("backfill");

// The largest session is opened; its snapshot comes in one message.
const largest = sessions.reduce(
  (best, session) => (session.results > (best?.results ?? -1) ? session : best),
  undefined,
);
if (largest !== undefined) client.fromPage(1, { type: "select", session: largest.key });
await wait(4000);
await tell(`opening ${largest?.results ?? 0} results`);

client.configure({
  place: "browser",
  roots: [logs, live],
  workspace: [],
  settings: { ...settings, capacity: 12 },
  axis: "order",
  useCache: true,
});
await wait(6000);
await tell("other settings");

client.fromPage(1, { type: "follow", on: true });
process.stdout.write("live\n");
await wait(Number(seconds) * 1000);
await tell("live");
await client.stop();
process.exit(0);

// The thread that owns the engine, as the extension host does: how long is it ever blocked?
//   node owner.mjs BUNDLE_FOLDER LOGS LIVE_FOLDER LIVE_SECONDS
// Prints one JSON line per phase, in milliseconds.
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { ThreadWork } from "../../support/threadWork.mjs";

const [bundle, logs, live, seconds] = process.argv.slice(2);
const { EngineClient } = createRequire(`${bundle}/`)("./engineClient.js");
const settings = { capacity: 5, minBytes: 200, nearRef: false, verbosity: "standard", invalidates: {} };
const work = new ThreadWork();
let [messages, sessions, progress] = [0, [], null];

async function tell(phase) {
  process.stdout.write(`${JSON.stringify({ phase, ...(await work.take()), messages })}\n`);
  messages = 0;
}

async function until(holds) {
  for (const end = Date.now() + 120_000; !holds() && Date.now() < end; ) await wait(50);
}

await wait(300);
work.start();
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

const looks = { strategies: { spanMinBytes: 200 } };
client.configure({
  place: "browser",
  roots: [logs, live],
  workspace: [],
  settings,
  looks,
  axis: "order",
  useCache: true,
});
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
  looks,
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

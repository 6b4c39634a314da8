// The thread that owns the engine, as the extension host does: how long is it ever blocked?
//   node owner.mjs BUNDLE_FOLDER LOGS LIVE_FOLDER LIVE_SECONDS PACE_SECONDS
// Prints one JSON line per phase, in milliseconds.
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { ThreadWork } from "../../support/threadWork.mjs";

const [bundle, logs, live, seconds, pace] = process.argv.slice(2);
const paces = count => wait(count * Number(pace) * 1000);
const { EngineClient } = createRequire(`${bundle}/`)("./engineClient.js");
const settings = { capacity: 5, minBytes: 200, nearRef: false, verbosity: "standard", invalidates: {} };
const work = new ThreadWork();
const sessions = new Map();
let [messages, progress, lastAt] = [0, null, performance.now()];

async function tell(phase) {
  process.stdout.write(`${JSON.stringify({ phase, ...(await work.take()), messages })}\n`);
  messages = 0;
}

/** Everything has been read: sessions were reported, none is being read, and nothing has arrived for a second. */
async function backfilled() {
  const end = performance.now() + 120_000;
  while (sessions.size === 0 || progress !== null || performance.now() - lastAt < 1000) {
    if (performance.now() > end) throw new Error("the history was not read within two minutes");
    await wait(50);
  }
}

await wait(300);
work.start();
await paces(1);
await tell("nothing");

const client = new EngineClient({
  page: (_panel, message) => {
    messages++;
    lastAt = performance.now();
    const state = message.type === "snapshot" ? message.state : message.type === "delta" ? message.delta : {};
    if (message.type === "snapshot") sessions.clear();
    // A snapshot has the newest sessions; deltas have the others and all changes.
    const { changed, gone } = Array.isArray(state.sessions) ? { changed: state.sessions } : (state.sessions ?? {});
    for (const session of changed ?? []) sessions.set(session.key, session);
    for (const key of gone ?? []) sessions.delete(key);
    if (state.progress !== undefined) progress = state.progress;
  },
  live: () => {},
  notice: line => process.stderr.write(`${line}\n`),
});
await tell("start");

const figures = { spanMinBytes: 200 };
client.configure({
  place: "browser",
  roots: [logs, live],
  workspace: [],
  settings,
  figures,
  axis: "order",
  useCache: true,
});
client.fromPage(1, { type: "ready" });
await backfilled();
await tell("backfill");

// Opens the largest session; its snapshot comes in one message.
const [largest] = [...sessions.values()].sort((left, right) => right.results - left.results);
if (largest === undefined) throw new Error("no session was reported");
client.fromPage(1, { type: "select", session: largest.key });
await paces(2);
await tell(`opening ${largest.results} results`);

client.configure({
  place: "browser",
  roots: [logs, live],
  workspace: [],
  settings: { ...settings, capacity: 12 },
  figures,
  axis: "order",
  useCache: true,
});
await paces(3);
await tell("other settings");

client.fromPage(1, { type: "follow", on: true });
process.stdout.write("live\n");
await wait(Number(seconds) * 1000);
await tell("live");
await client.stop();
process.exit(0);

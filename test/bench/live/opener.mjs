// Opens the newest session as a panel does, and reports when its snapshot has arrived and when it can be saved.
//   node opener.mjs BUNDLE_FOLDER LOGS STAY_SECONDS
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";

const [bundle, logs, seconds] = process.argv.slice(2);
const { EngineClient } = createRequire(`${bundle}/`)("./engineClient.js");
const settings = {
  capacity: 5,
  minBytes: 200,
  nearRef: false,
  verbosity: "located",
  invalidates: {},
  runs: true,
  spanMinBytes: 512,
  door: "mod",
};
const start = performance.now();
let told = false;

const client = new EngineClient({
  page: (_panel, message) => {
    if (told || message.type !== "snapshot" || message.state.context === null) return;
    told = true;
    const { user, system } = process.cpuUsage();
    process.stdout.write(`${JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000 })}\n`);
  },
  live: () => {},
  notice: line => process.stderr.write(`${line}\n`),
});
const figures = { spanMinBytes: 200 };
client.configure({ place: "browser", roots: [logs], workspace: [], settings, figures, axis: "order", useCache: true });
client.fromPage(1, { type: "ready" });
while (!told) await wait(50);
await wait(Number(seconds) * 1000);
await client.stop();
process.exit(0);

// Compares the strategies on one session as the panel's thread does, then again under other settings.
//   node comparing.mjs BUNDLE LOG read|compare
import { createRequire } from "node:module";

const [bundle, path, what] = process.argv.slice(2);
const { Comparer, contextKey, followLog, calibrationsOf, DEFAULT_SETTINGS } = createRequire(import.meta.url)(bundle);
const figures = { spanMinBytes: 200 };
const steps = [];

function timed(name, act) {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  act();
  const { user, system } = process.cpuUsage(cpu);
  steps.push({ name, ms: performance.now() - start, cpu: (user + system) / 1000 });
}

if (what === "read") {
  const options = { keepEvents: false, keepDetails: true, keepFacts: true, withoutSweep: true };
  timed("read", () => followLog(path, { settings: DEFAULT_SETTINGS, ...options }).update());
} else {
  const comparer = new Comparer();
  const compare = settings =>
    comparer.compare({
      files: [path],
      context: contextKey(path, "main"),
      settings: { ...DEFAULT_SETTINGS, ...settings },
      figures,
      everywhere: calibrationsOf([]),
    });
  timed("first", () => compare({}));
  timed("another capacity", () => compare({ capacity: 9 }));
  timed("another capacity again", () => compare({ capacity: 30 }));
  timed("other smallest results", () => compare({ minBytes: 400 }));
  timed("other hints", () => compare({ verbosity: "located" }));
  timed("near-references", () => compare({ nearRef: true }));
}
process.stdout.write(JSON.stringify(steps));

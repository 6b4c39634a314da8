// `npm run calibration -- PATH…`: how far off token estimates are on real logs, ours and the usual chars ÷ 4. Every
// sample is estimated as if it were unknown: from its session's other samples, otherwise from its model's.
import { bundled } from "./bundled.mjs";

const { findLogs, replayLog, groupSessions, calibrate, calibrationsOf, DEFAULT_SETTINGS } = await bundled(`
  export { findLogs } from "./src/tail/discover.ts";
  export { replayLog } from "./src/batch/replayLog.ts";
  export { groupSessions } from "./src/log/sessionFiles.ts";
  export { calibrate, calibrationsOf } from "./src/log/calibration.ts";
  export { DEFAULT_SETTINGS } from "./src/dedup/settings.ts";
`);

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: npm run calibration -- PATH…");
  process.exit(2);
}
const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: false };
const logs = findLogs(paths).logs.map(log => replayLog(log.path, options, { cache: undefined }, () => {}));
const sessions = groupSessions(logs).map(({ main, agents }) => [main, ...agents].flatMap(log => log.samples));
const everywhere = sessions.flat();

const ours = [];
const quarter = [];
const bases = { session: 0, model: 0, default: 0 };
for (const samples of sessions) {
  for (const sample of samples) {
    const without = list => calibrationsOf(list.filter(other => other !== sample && other.model === sample.model));
    const own = without(samples);
    const { charsPerToken, basis } = calibrate(sample.model, own, {
      everywhere: own.size > 0 ? own : without(everywhere),
    });
    bases[basis]++;
    ours.push(Math.abs(sample.chars / charsPerToken / sample.tokens - 1));
    quarter.push(Math.abs(sample.chars / 4 / sample.tokens - 1));
  }
}

const median = values => values.sort((left, right) => left - right)[values.length >> 1];
const percent = value => `${(100 * value).toFixed(1)} %`;
console.log(`${everywhere.length} samples in ${sessions.filter(samples => samples.length > 0).length} sessions`);
console.log(
  `basis: ${Object.entries(bases)
    .map(([basis, count]) => `${count} ${basis}`)
    .join(", ")}`,
);
console.log(`median absolute error, calibrated: ${percent(median(ours))}`);
console.log(`median absolute error, chars / 4:  ${percent(median(quarter))}`);

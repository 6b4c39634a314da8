// `npm run laws -- PATH…`: whether hints for runs of lines obey their laws (test/support/laws.ts) on your own logs.
import { parseArgs } from "node:util";
import { bundled } from "./bundled.mjs";

const { judge, findLogs } = await bundled(`
  export { judge } from "./test/support/laws.ts";
  export { findLogs } from "./src/tail/discover.ts";
`);

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { "span-min-bytes": { type: "string", default: "512" } },
});
if (paths.length === 0) {
  console.error("usage: npm run laws -- PATH… [--span-min-bytes N]");
  process.exit(2);
}
const ways = [
  { strategy: "live", minBytes: Number(values["span-min-bytes"]) },
  { strategy: "span", minBytes: 200 },
  { strategy: "span-inputs", minBytes: 200 },
];
const { logs, problems } = findLogs(paths);
for (const problem of problems) console.error(problem);
let breaks = 0;
for (const way of ways) {
  const sums = { results: 0, hints: 0, bytes: 0, saved: 0 };
  for (const { path } of logs) {
    const judged = judge(path, way);
    for (const name of Object.keys(sums)) sums[name] += judged[name];
    for (const one of judged.breaks) console.error(`${path}: ${one}`);
    breaks += judged.breaks.length;
  }
  const { results, hints, bytes, saved } = sums;
  console.log(
    `${way.strategy}: ${results} results, ${hints} hints save ${saved} of ${bytes} bytes, ` +
      `${((100 * saved) / bytes).toFixed(2)} %`,
  );
}
console.log(`${logs.length} logs, ${breaks} law breaks`);
process.exitCode = breaks + problems.length > 0 ? 1 : 0;

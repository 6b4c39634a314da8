// `npm run laws -- PATH…`: whether span references keep their laws (test/support/laws.ts) on logs of your own.
import { parseArgs } from "node:util";
import { bundled } from "./bundled.mjs";

const { judge, findLogs } = await bundled(`
  export { judge } from "./test/support/laws.ts";
  export { findLogs } from "./src/tail/discover.ts";
`);

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { "span-min-bytes": { type: "string", default: "200" } },
});
if (paths.length === 0) {
  console.error("usage: npm run laws -- PATH… [--span-min-bytes N]");
  process.exit(2);
}
const minBytes = Number(values["span-min-bytes"]);
const { logs, problems } = findLogs(paths);
for (const problem of problems) console.error(problem);
let breaks = 0;
for (const inputs of [false, true]) {
  const sums = { results: 0, hints: 0, bytes: 0, saved: 0 };
  for (const { path } of logs) {
    const judged = judge(path, { minBytes, inputs });
    for (const name of Object.keys(sums)) sums[name] += judged[name];
    for (const one of judged.breaks) console.error(`${path}: ${one}`);
    breaks += judged.breaks.length;
  }
  const { results, hints, bytes, saved } = sums;
  console.log(
    `${inputs ? "span, with inputs" : "span"}: ${results} results, ${hints} hints save ${saved} of ${bytes} bytes, ` +
      `${((100 * saved) / bytes).toFixed(2)} %`,
  );
}
console.log(`${logs.length} logs, ${breaks} law breaks`);
process.exitCode = breaks + problems.length > 0 ? 1 : 0;

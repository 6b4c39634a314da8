// npm run fuzz -- [--lines N] [--seed S]: mutated lines until N of them have done no harm. What does is kept in crashes/.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({ options: { lines: { type: "string" }, seed: { type: "string" } } });
const lines = Number(values.lines ?? 1_000_000);
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const folder = mkdtempSync(join(tmpdir(), "dedup-fuzz-"));
const outfile = join(folder, "fuzz.mjs");
await esbuild.build({
  entryPoints: [join(here, "fuzz.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
  // The repository is found from the place of the sources.
  define: { "import.meta.url": JSON.stringify(new URL("../support/replay.ts", import.meta.url).href) },
});
const { fuzzOnce, seedLines } = await import(outfile);
rmSync(folder, { recursive: true });

const seeds = seedLines();
let [done, failures, seed] = [0, 0, first];
for (; done < lines; seed++) {
  done += fuzzOnce(seed, seeds, (log, error) => {
    failures++;
    const crash = join(here, "crashes", `${seed}.jsonl`);
    mkdirSync(join(here, "crashes"), { recursive: true });
    writeFileSync(crash, log);
    console.error(`seed ${seed}: ${error?.stack ?? error}\n  kept as ${crash}`);
  });
  if (failures >= 10) break;
}
console.log(
  `${done.toLocaleString("en")} mutated lines from ${seeds.length} genuine shapes, seeds ${first} to ${seed - 1}: ${failures} failures`,
);
process.exitCode = failures > 0 ? 1 : 0;

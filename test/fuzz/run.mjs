// npm run fuzz -- [--lines N] [--scanned N] [--rounds N] [--seed S] [FILE…]: looks for what the tests with their fixed seed
// do not find. First N mutated lines, then N lines for the scanner alone; a log that fails is kept in crashes/. Then N rounds
// of every property test, or of those in the named files, each with another seed. Repeat a failure with the --seed that it
// prints.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: "string", default: "1000000" },
    scanned: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
    seed: { type: "string" },
  },
});
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

/** `check`: a function of fuzz.ts. Returns the number of logs that failed. */
async function mutatedLines(lines, check, name) {
  const folder = mkdtempSync(join(tmpdir(), "dedup-fuzz-"));
  const outfile = join(folder, "fuzz.mjs");
  await esbuild.build({
    entryPoints: [join(here, "fuzz.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    // The sources find the repository by their own location.
    define: { "import.meta.url": JSON.stringify(new URL("../support/replay.ts", import.meta.url).href) },
  });
  const { [check]: checkOnce, seedLines } = await import(outfile);
  rmSync(folder, { recursive: true });

  const seeds = seedLines();
  let [done, failures, seed] = [0, 0, first];
  for (; done < lines && failures < 10; seed++) {
    done += checkOnce(seed, seeds, (log, error) => {
      failures++;
      const crash = join(here, "crashes", `${seed}.jsonl`);
      mkdirSync(join(here, "crashes"), { recursive: true });
      writeFileSync(crash, log);
      console.error(`seed ${seed}: ${error?.stack ?? error}\n  kept as ${crash}`);
    });
  }
  console.log(
    `${done.toLocaleString("en")} ${name} from ${seeds.length} genuine shapes, seeds ${first} to ${seed - 1}: ${failures} failures`,
  );
  return failures;
}

/** The test files that depend on the seed. The mutated lines have their own loop. */
function propertyTests() {
  const draws = /from "(?:fast-check|(?:\.\.\/)+support\/seed\.js)"/;
  return readdirSync(join(repository, "test", "unit"), { recursive: true })
    .map(name => join("test", "unit", name))
    .filter(path => path.endsWith(".test.ts") && !path.endsWith("fuzz.test.ts"))
    .filter(path => draws.test(readFileSync(join(repository, path), "utf8")))
    .sort();
}

/** Returns the number of rounds in which a property did not hold. */
function properties(rounds) {
  const files = named.length > 0 ? named : propertyTests();
  const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
  let failures = 0;
  for (let seed = first; seed < first + rounds; seed++) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run", "--reporter=dot", ...files], {
      cwd: repository,
      env: { ...process.env, DEDUP_SEED: String(seed) },
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (status === 0) continue;
    failures++;
    console.error(`${stdout}${stderr}\nrepeat: npm run fuzz -- --lines 0 --rounds 1 --seed ${seed}`);
  }
  console.log(
    `${rounds} rounds of the ${files.length} files with properties, seeds ${first} to ${first + rounds - 1}: ${failures} failures`,
  );
  return failures;
}

const [lines, scanned, rounds] = [values.lines, values.scanned, values.rounds].map(Number);
let failures = 0;
// Most lines are not JSON, and nobody needs the parser's stack traces.
Error.stackTraceLimit = 0;
if (lines > 0) failures += await mutatedLines(lines, "fuzzOnce", "mutated lines");
if (scanned > 0) failures += await mutatedLines(scanned, "scanOnce", "mutated lines for the scanner");
Error.stackTraceLimit = 10;
if (rounds > 0) failures += properties(rounds);
process.exitCode = failures > 0 ? 1 : 0;

// npm run soak -- [--lines 1000000] [--sessions 200] [--seed S]: a week of work in minutes; prints the memory used over time.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: { lines: { type: "string" }, sessions: { type: "string" }, seed: { type: "string" } },
});
const place = mkdtempSync(join(tmpdir(), "dedup-soak-"));
const plan = {
  code: join(place, "code"),
  folder: join(place, "logs"),
  lines: Number(values.lines ?? 1_000_000),
  sessions: Number(values.sessions ?? 200),
  seed: Number(values.seed ?? Math.floor(Math.random() * 1e6)),
};

try {
  const common = {
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    outdir: plan.code,
    entryNames: "[name]",
  };
  const own = { "import.meta.url": JSON.stringify(new URL("../support/replay.ts", import.meta.url).href) };
  await esbuild.build({
    ...common,
    entryPoints: [
      "engine/engineClient",
      "engine/engineWorker",
      "engine/compare/comparisonWorker",
      "batch/replayWorker",
    ].map(entry => join(root, "src", `${entry}.ts`)),
    entryNames: "[name]",
  });
  await esbuild.build({ ...common, define: own, entryPoints: [join(root, "test/soak/soak.ts")] });
  const program = `
    const { soak } = require(${JSON.stringify(join(plan.code, "soak.js"))});
    soak(${JSON.stringify(plan)}, reading => console.log(JSON.stringify(reading))).then(() => process.exit(0));
  `;
  const env = { PATH: process.env.PATH, HOME: place, CLAUDE_CONFIG_DIR: place, XDG_CACHE_HOME: join(place, "cache") };
  const { stdout, status } = spawnSync(process.execPath, ["--expose-gc", "-e", program], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const readings = stdout
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line));
  for (const { lines, megabytes, openFiles } of readings) {
    console.log(
      `${lines.toLocaleString("en").padStart(10)} lines  ${String(megabytes).padStart(5)} MB  ${openFiles} open files`,
    );
  }
  const [second, last] = [readings[Math.floor(readings.length / 4)], readings.at(-1)];
  console.log(
    `seed ${plan.seed}: memory at the end ÷ after a quarter: ${(last.megabytes / second.megabytes).toFixed(2)}`,
  );
  console.log(status === 0 ? "figures equal to a batch replay" : "FAILED");
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}

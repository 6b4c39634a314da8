// Builds everything that runs into dist/. `--watch` rebuilds on every change.
import * as esbuild from "esbuild";

const node = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: true,
  logLevel: "warning",
};

const builds = [
  { ...node, entryPoints: { cli: "src/cli/index.ts" }, outdir: "dist", banner: { js: "#!/usr/bin/env node" } },
  {
    ...node,
    entryPoints: { replayWorker: "src/tail/replayWorker.ts", engineWorker: "src/panel/engineWorker.ts" },
    outdir: "dist",
  },
];

if (process.argv.includes("--watch")) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  await Promise.all(builds.map(options => esbuild.build(options)));
}

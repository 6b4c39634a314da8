// Builds everything that runs into dist/. `--watch` rebuilds on every change.
import * as esbuild from "esbuild";
import { pageBuild } from "./webview/build.mjs";

const shared = { bundle: true, outdir: "dist", sourcemap: true, logLevel: "warning" };
const node = { ...shared, platform: "node", format: "cjs", target: "node20", loader: { ".css": "text" } };

const builds = [
  { ...node, entryPoints: { cli: "src/cli/index.ts" }, banner: { js: "#!/usr/bin/env node" } },
  {
    ...node,
    entryPoints: { replayWorker: "src/tail/replayWorker.ts", engineWorker: "src/panel/engineWorker.ts" },
  },
  { ...node, entryPoints: { host: "src/host/extension.ts" }, external: ["vscode"] },
  { ...shared, ...pageBuild },
];

if (process.argv.includes("--watch")) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  await Promise.all(builds.map(options => esbuild.build(options)));
}

// The engine's client and its threads, built from the sources into a separate folder.
import { basename, join } from "node:path";
import * as esbuild from "esbuild";
import { tempFolder } from "../measure.mjs";

const ROOT = new URL("../../..", import.meta.url).pathname;

export async function bundleEngine() {
  const folder = tempFolder();
  const entries = [
    "engine/engineClient",
    "engine/engineWorker",
    "engine/compare/comparisonWorker",
    "batch/replayWorker",
  ];
  const entryPoints = Object.fromEntries(entries.map(entry => [basename(entry), join(ROOT, "src", `${entry}.ts`)]));
  await esbuild.build({ entryPoints, bundle: true, platform: "node", format: "cjs", target: "node20", outdir: folder });
  return folder;
}

// The CLI and the comparison of one session, built from the sources into separate folders.
import { join } from "node:path";
import * as esbuild from "esbuild";
import { tempFolder } from "../measure.mjs";

const SOURCES = new URL("../../../src", import.meta.url).pathname;
const shared = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  mainFields: ["module", "main"],
  loader: { ".css": "text" },
};

export async function bundleProgram() {
  const [cli, replayWorker] = [join(SOURCES, "cli", "index.ts"), join(SOURCES, "batch", "replayWorker.ts")];
  const outdir = tempFolder();
  await esbuild.build({ ...shared, entryPoints: { cli, replayWorker }, outdir });
  return outdir;
}

const COMPARING = `
export { Comparer } from "./engine/compare/comparer.js";
export { contextKey } from "./engine/sessionView.js";
export { followLog } from "./batch/replayLog.js";
export { calibrationsOf } from "./log/calibration.js";
export { DEFAULT_SETTINGS } from "./dedup/settings.js";
`;

export async function bundleComparer() {
  const outfile = join(tempFolder(), "comparer.cjs");
  await esbuild.build({ ...shared, stdin: { contents: COMPARING, resolveDir: SOURCES, loader: "ts" }, outfile });
  return outfile;
}

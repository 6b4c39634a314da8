// The command line and the comparison of one session, built from the sources into folders of their own.
import { join } from "node:path";
import * as esbuild from "esbuild";
import { tempFolder } from "../measure.mjs";

const SOURCES = new URL("../../../src", import.meta.url).pathname;
const shared = { bundle: true, platform: "node", format: "cjs", target: "node20", loader: { ".css": "text" } };

/** Runs of lines alone: the other caches are left out of the program. No option of its own is worth having for that. */
const WITHOUT_CACHES = {
  name: "without-caches",
  setup: build =>
    build.onLoad({ filter: /dedup\/otherCaches\.ts$/ }, () => ({
      contents: "export class OtherCaches { invalidateFile() {} drop() {} take() {} }",
    })),
};

export async function bundleProgram({ spansOnly = false } = {}) {
  const entryPoints = [join(SOURCES, "cli", "index.ts"), join(SOURCES, "tail", "replayWorker.ts")];
  const outdir = tempFolder();
  const [cli, replayWorker] = entryPoints;
  const plugins = spansOnly ? [WITHOUT_CACHES] : [];
  await esbuild.build({ ...shared, entryPoints: { cli, replayWorker }, outdir, plugins });
  return outdir;
}

const COMPARING = `
export { Comparer } from "./panel/comparer.js";
export { contextKey } from "./panel/sessionView.js";
export { LogFollower } from "./tail/follower.js";
export { calibrationsOf } from "./log/calibration.js";
export { DEFAULT_SETTINGS } from "./dedup/settings.js";
`;

export async function bundleComparer() {
  const outfile = join(tempFolder(), "comparer.cjs");
  await esbuild.build({ ...shared, stdin: { contents: COMPARING, resolveDir: SOURCES, loader: "ts" }, outfile });
  return outfile;
}

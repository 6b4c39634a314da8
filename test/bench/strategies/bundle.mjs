// The command line and the comparison of one session, built from the sources into folders of their own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { tempFolder } from "../measure.mjs";

const SOURCES = new URL("../../../src", import.meta.url).pathname;
const shared = { bundle: true, platform: "node", format: "cjs", target: "node20", loader: { ".css": "text" } };

/** The program with parts left out, which is not worth an option of its own. */
const WITHOUT_CACHES = {
  name: "without-caches",
  setup: build =>
    build.onLoad({ filter: /dedup\/otherCaches\.ts$/ }, () => ({
      contents: "export class OtherCaches { invalidateFile() {} drop() {} take() {} }",
    })),
};
const WITHOUT_INPUTS = {
  name: "without-inputs",
  setup: build =>
    build.onLoad({ filter: /inspect\/strategies\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace(/^ {2}"span-inputs": .*\n/m, "");
      if (contents === source) throw new Error("there is no strategy with inputs to leave out");
      return { contents, loader: "ts" };
    }),
};
export const SPANS_WITHOUT_INPUTS = [WITHOUT_CACHES, WITHOUT_INPUTS];
export const SPANS = [WITHOUT_CACHES];

export async function bundleProgram(plugins = []) {
  const [cli, replayWorker] = [join(SOURCES, "cli", "index.ts"), join(SOURCES, "batch", "replayWorker.ts")];
  const outdir = tempFolder();
  await esbuild.build({ ...shared, entryPoints: { cli, replayWorker }, outdir, plugins });
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

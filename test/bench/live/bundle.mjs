// The engine's client, next to the engine as it is built for users, in a separate folder.
import { dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { builtProgram } from "../measure.mjs";

const ROOT = new URL("../../..", import.meta.url).pathname;

export async function bundleEngine() {
  const outdir = dirname(builtProgram());
  const entryPoints = [join(ROOT, "src/engine/engineClient.ts")];
  await esbuild.build({ entryPoints, bundle: true, platform: "node", format: "cjs", target: "node20", outdir });
  return outdir;
}

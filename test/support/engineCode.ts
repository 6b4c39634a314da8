/** The built engine thread, for tests that need the real one. */
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build } from "esbuild";
import type { EngineClient, EngineEvents } from "../../src/engine/engineClient.js";
import { REPOSITORY } from "./replay.js";

const ENTRIES = ["engine/engineClient", "engine/engineWorker", "engine/compare/comparisonWorker", "batch/replayWorker"];

export async function buildEngine(folder: string): Promise<void> {
  const entryPoints = Object.fromEntries(
    ENTRIES.map(entry => [basename(entry), join(REPOSITORY, "src", `${entry}.ts`)]),
  );
  await build({ entryPoints, bundle: true, platform: "node", format: "cjs", target: "node20", outdir: folder });
}

/** A client whose threads run the programs in this folder. */
export function clientIn(
  folder: string,
  events: EngineEvents,
  translations?: Readonly<Record<string, string>>,
): EngineClient {
  const { EngineClient: Client } = createRequire(`${folder}/`)("./engineClient.js") as {
    EngineClient: typeof EngineClient;
  };
  return new Client(events, translations);
}

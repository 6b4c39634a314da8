// Runs the owner of an engine during backfill and live work, on a built copy of the sources.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as esbuild from "esbuild";
import { generateHistory } from "../generate.mjs";
import { homeIn, tempFolder } from "../measure.mjs";
import { exchange, prepare } from "./writer.mjs";

const ROOT = new URL("../../..", import.meta.url).pathname;
const HERE = new URL(".", import.meta.url).pathname;

async function bundle() {
  const folder = tempFolder();
  const entries = ["panel/engineClient", "panel/engineWorker", "tail/replayWorker"];
  const entryPoints = Object.fromEntries(entries.map(entry => [entry.split("/")[1], join(ROOT, "src", `${entry}.ts`)]));
  await esbuild.build({ entryPoints, bundle: true, platform: "node", format: "cjs", target: "node20", outdir: folder });
  return folder;
}

/** The phases with the longest and the 99th percentile delay of each. */
export async function eventLoop({ bytes, results, logs, seconds }) {
  const [code, history, live] = [await bundle(), tempFolder(), tempFolder()];
  generateHistory(history, bytes);
  prepare(live, logs);
  // One session with very many results: its picture is the largest message there is.
  const [long] = prepare(tempFolder(), 1).map(() => join(live, "project-0", "long.jsonl"));
  for (let call = 0; call < results; call += 500) {
    appendFileSync(long, Array.from({ length: 500 }, (_, at) => exchange(`long-${call + at}`)).join(""));
  }
  const owner = spawn(process.execPath, [join(HERE, "owner.mjs"), code, history, live, String(seconds)], {
    env: homeIn(tempFolder()),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const phases = [];
  let writer;
  for await (const line of createInterface({ input: owner.stdout })) {
    if (line === "live") {
      const args = [join(HERE, "writer.mjs"), live, String(logs), String(seconds)];
      writer = spawn(process.execPath, args, { stdio: "ignore" });
    } else phases.push(JSON.parse(line));
  }
  writer?.kill();
  return phases;
}

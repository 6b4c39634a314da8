// Runs the owner of an engine during backfill and live work, on a built copy of the sources.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { generateHistory } from "../generate.mjs";
import { homeIn, tempFolder } from "../measure.mjs";
import { bundleEngine } from "./bundle.mjs";
import { exchange, prepare } from "./writer.mjs";

const HERE = new URL(".", import.meta.url).pathname;

/** The phases with the longest and the 99th percentile delay of each. */
export async function eventLoop({ bytes, results, logs, seconds, pace }) {
  const [code, history, live] = [await bundleEngine(), tempFolder(), tempFolder()];
  generateHistory(history, bytes);
  prepare(live, logs);
  // One session with very many results: its snapshot is the largest message there is.
  const [long] = prepare(tempFolder(), 1).map(() => join(live, "project-0", "long.jsonl"));
  for (let call = 0; call < results; call += 500) {
    appendFileSync(long, Array.from({ length: 500 }, (_, at) => exchange(`long-${call + at}`)).join(""));
  }
  const args = [join(HERE, "owner.mjs"), code, history, live, String(seconds), String(pace)];
  const owner = spawn(process.execPath, args, { env: homeIn(tempFolder()), stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise(resolve => owner.once("close", resolve));
  const phases = [];
  let writer;
  for await (const line of createInterface({ input: owner.stdout })) {
    if (line === "live") {
      const args = [join(HERE, "writer.mjs"), live, String(logs), String(seconds)];
      writer = spawn(process.execPath, args, { stdio: "ignore" });
    } else phases.push(JSON.parse(line));
  }
  writer?.kill();
  const status = await ended;
  if (status !== 0) throw new Error(`the owner of the engine ended with ${status}`);
  return phases;
}

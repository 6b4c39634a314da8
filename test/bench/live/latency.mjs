// From the write to the event: what a process that follows logs prints, and when.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { homeIn, tempFolder } from "../measure.mjs";
import { watchesOf } from "./idle.mjs";
import { prepare, write } from "./writer.mjs";

const RESULTS = new Set(["hit", "nearHit", "miss", "bypass", undefined]);

/** Starts the follower, writes, and waits until it has reported everything or its time is up. */
export async function latency({ command, logs, seconds, mark, settle }) {
  const folder = tempFolder();
  const paths = prepare(folder, logs);
  const [program, ...args] = command(folder);
  const child = spawn(program, args, { env: homeIn(tempFolder()), stdio: ["ignore", "pipe", "inherit"] });
  const told = [];
  createInterface({ input: child.stdout }).on("line", line => {
    if (!line.startsWith("{")) return;
    const { id, kind } = JSON.parse(line);
    // Evictions are reported too; only a result's own event counts.
    if (RESULTS.has(kind)) told.push([id, performance.now()]);
  });
  await watching(child.pid, logs);
  const writtenAt = await write(paths, seconds, mark);
  // Late events count as late, not as lost.
  await wait((settle * 1000) / 2);
  child.kill();

  const seen = new Map();
  for (const [id, at] of told) seen.set(id, [...(seen.get(id) ?? []), at]);
  const delays = [...writtenAt].flatMap(([id, at]) => (seen.has(id) ? [seen.get(id)[0] - at] : []));
  const firsts = paths.map((_, log) => `${mark}-${log}-0`).filter(id => seen.has(id));
  return {
    events: writtenAt.size,
    delays,
    /** The first event of each log, for which the whole log must be read. */
    firsts: firsts.map(id => seen.get(id)[0] - writtenAt.get(id)),
    lost: writtenAt.size - delays.length,
    doubled: [...seen.values()].filter(times => times.length > 1).length,
  };
}

/** Waits until the process watches a folder per log, or for a second and a half if the system does not report that. */
async function watching(pid, folders) {
  for (const end = Date.now() + 15_000; Date.now() < end; ) {
    await wait(process.platform === "linux" ? 100 : 1500);
    if (process.platform !== "linux" || watchesOf(pid) >= folders) return;
  }
}

export function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

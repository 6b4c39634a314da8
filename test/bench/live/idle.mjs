// What a watch costs while nothing happens (Linux: the figures come from /proc).
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { homeIn, tempFolder } from "../measure.mjs";
import { exchange } from "./writer.mjs";

/** Old logs, spread evenly over folders. */
function oldLogs(folders, files) {
  const root = tempFolder();
  const content = exchange("old");
  for (let file = 0; file < files; file++) {
    const folder = join(root, `project-${file % folders}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `session-${file}.jsonl`);
    writeFileSync(path, content);
    utimesSync(path, new Date(2026, 0, 5), new Date(2026, 0, 5));
  }
  return root;
}

/** CPU seconds of all threads so far. */
function cpuOf(pid) {
  const times = entriesOf(`/proc/${pid}/task`, "/schedstat").map(text => Number(text.split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1e9;
}

export function watchesOf(pid) {
  const infos = entriesOf(`/proc/${pid}/fdinfo`);
  return infos.reduce((sum, info) => sum + (info.match(/^inotify wd:/gm)?.length ?? 0), 0);
}

/** The content of each entry of a folder in /proc; skips those whose thread or file is already gone. */
function entriesOf(folder, part = "") {
  return readdirSync(folder).map(name => {
    try {
      return readFileSync(`${folder}/${name}${part}`, "utf8");
    } catch {
      return "";
    }
  });
}

function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** The watch's share of a core, watches and memory, compared with a Node process that has only a timer. */
export async function idle({ program, folders, files, seconds, settle }) {
  const root = oldLogs(folders, files);
  const start = (...args) => spawn(process.execPath, args, { env: homeIn(tempFolder()), stdio: "ignore" });
  const watching = start(program, "watch", root, "--json");
  const bare = start("-e", "setInterval(() => {}, 1000)");
  // Starting up does not count as idle.
  await wait(settle * 1000);
  const before = [watching, bare].map(({ pid }) => cpuOf(pid));
  const startedAt = performance.now();
  await wait(seconds * 1000);
  const wall = (performance.now() - startedAt) / 1000;
  const [share, bareShare] = [watching, bare].map(({ pid }, at) => (cpuOf(pid) - before[at]) / wall);
  const result = { share, bareShare, watches: watchesOf(watching.pid), megabytes: memoryOf(watching.pid) };
  for (const child of [watching, bare]) child.kill();
  return result;
}

// Runs programs side by side and reports their median times, CPU times and peak memory.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/setup.mjs";

const TIME = "/usr/bin/time";
const hasTime = existsSync(TIME);

/** Temporary folders, removed when the process ends. */
const made = [];
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export function tempFolder() {
  const folder = mkdtempSync(join(tmpdir(), "dedup-bench-"));
  made.push(folder);
  return folder;
}

/** Builds a copy of the program, so that later builds do not matter, and returns its path. */
export function builtProgram() {
  process.chdir(new URL("../..", import.meta.url).pathname);
  build();
  const folder = tempFolder();
  cpSync("dist", folder, { recursive: true });
  return join(folder, "cli.js");
}

/** Removed before the others, for what takes gigabytes. */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
}

/** A home for every program that is run, so that no real logs, settings or caches are used. */
export function homeIn(folder) {
  return { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), CLAUDE_CONFIG_DIR: folder };
}

/** Runs once and discards the output. Memory and CPU time come from GNU time, if it is installed. */
export function runOnce({ command, args, env }) {
  const notes = join(tempFolder(), "time");
  const [program, ...rest] = hasTime ? [TIME, "-o", notes, "-f", "%U %S %M", command, ...args] : [command, ...args];
  const start = process.hrtime.bigint();
  const { status, error } = spawnSync(program, rest, { env, stdio: ["ignore", "ignore", "inherit"] });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (error || status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}: exit status ${status}`);
  const [user, system, kilobytes] = hasTime ? readFileSync(notes, "utf8").trim().split(" ").map(Number) : [];
  return { seconds, cpu: user + system, megabytes: kilobytes / 1024 };
}

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs groups of contenders in turns. Each round starts with a different group; within a group the order stays the same.
 * Returns the medians and the highest peak of each contender.
 */
export function sideBySide(groups, rounds, say) {
  const runs = new Map(groups.flat().map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < groups.length; turn++) {
      for (const contender of groups[(round + turn) % groups.length]) {
        say(`round ${round + 1} of ${rounds}: ${contender.name}`);
        contender.before?.();
        runs.get(contender.name).push(runOnce(contender.run(round)));
      }
    }
  }
  return new Map(
    [...runs].map(([name, measured]) => [
      name,
      {
        seconds: median(measured.map(run => run.seconds)),
        cpu: median(measured.map(run => run.cpu)),
        megabytes: Math.max(...measured.map(run => run.megabytes)),
      },
    ]),
  );
}

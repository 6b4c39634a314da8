/** The system's limit of watches, reached for real: a separate user namespace has its own limit. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built } from "../../support/cli.js";
import { append, Chance, Folders, LineSource } from "../../support/liveLog.js";
import { REPOSITORY } from "../../support/replay.js";
import { until } from "../../support/until.js";

const LIMIT = 4;
const LIMITED = [
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  `echo ${LIMIT} > /proc/sys/user/max_inotify_watches && exec "$@"`,
  "sh",
];
const limitable = spawnSync("unshare", [...LIMITED, "true"]).status === 0;
if (!limitable) console.log("skipped: the limit of watches (no user namespaces here)");

const folders = new Folders();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  folders.remove();
});

describe.skipIf(!limitable)("if the system allows no more watches", () => {
  beforeAll(built);

  it("watch says so once, in one line, and polls", async () => {
    const home = folders.make();
    const logs = join(home, "logs");
    for (let project = 0; project < 3 * LIMIT; project++) mkdirSync(join(logs, `p${project}`), { recursive: true });
    const old = join(logs, "p1", "old.jsonl");
    const source = new LineSource(new Chance(5));
    writeFileSync(old, source.take(10));

    const program = [process.execPath, join(REPOSITORY, "dist", "cli.js"), "watch", logs, "--json", "--min-bytes", "1"];
    const env = { PATH: process.env["PATH"], HOME: home, CLAUDE_CONFIG_DIR: join(home, "config") };
    const child = spawn("unshare", [...LIMITED, ...program], { env, stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    let [out, error] = ["", ""];
    child.stdout.on("data", piece => (out += piece));
    child.stderr.on("data", piece => (error += piece));

    await until(() => error.includes("\n"));
    // That new logs are found too, ten seconds later, is tested in watcherRoots.test.ts.
    append(old, source.take(30));
    await until(() => out.includes("old.jsonl"));
    expect(error.split("\n").filter(line => line !== "")).toEqual([
      "dedup-inspector: cannot watch folders: the system limit on watched folders has been reached " +
        "(fs.inotify.max_user_watches); polling logs every 10 s instead",
    ]);
  });
});

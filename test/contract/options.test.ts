/** Values and files of options: nonsense is refused in one line, and nothing hangs. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place, type Run } from "../support/cli.js";
import { logText, read, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";

const LOG = logText(read("1", "/a"), result("1", textOf(900)), read("2", "/a"), result("2", textOf(900)));
const place = new Place();
/** Root may read everything, so the program runs as nobody if possible. */
const isRoot = process.geteuid?.() === 0;
const AS_NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups";
const lowered = isRoot ? `set -- ${AS_NOBODY} "$@"` : "";
const canRefuse =
  !isRoot || spawnSync("sh", ["-c", `${AS_NOBODY} ${process.execPath} ${REPOSITORY}/dist/cli.js help`]).status === 0;
if (!canRefuse) console.log("skipped: files that may not be read (everything can be read by this process)");

beforeAll(async () => {
  await built();
  chmodSync(place.folder, 0o777);
  place.write("good.jsonl", LOG);
  place.write("empty.json", "{}");
  mkdirSync(place.path("folder"));
  execFileSync("mkfifo", [place.path("fifo")]);
  symlinkSync("nowhere", place.path("dangling"));
  symlinkSync("/dev/zero", place.path("device"));
  place.write("invalid", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  truncateSync(place.write("large", ""), 100 * 1024 * 1024);
  chmodSync(place.write("unreadable", "{}"), 0);
});
afterAll(() => place.remove());

const runOn = (file: string, args: readonly string[]) =>
  file === "unreadable" ? place.run([...args, file], {}, 30_000, lowered) : place.ask([...args, file], {}, 30_000);
const oneLine = ({ stderr }: Run) => stderr.split("\n").filter(line => line !== "");

describe("an option that names a file", () => {
  const COMMANDS: [name: string, args: readonly string[]][] = [
    ["report --prices", ["report", "good.jsonl", "--prices"]],
    ["report --invalidates", ["report", "good.jsonl", "--invalidates"]],
    ["watch --invalidates", ["watch", "good.jsonl", "--idle-exit", "1", "--invalidates"]],
    ["open --prices", ["open", "good.jsonl", "--no-browser", "--prices"]],
    ["open --invalidates", ["open", "good.jsonl", "--no-browser", "--invalidates"]],
    ["replay --invalidates", ["replay", "good.jsonl", "--json", "--invalidates"]],
    ["hooks install --invalidates", ["hooks", "install", "--yes", "--config-dir", "config", "--invalidates"]],
  ];
  const FILES: [file: string, words: RegExp][] = [
    ["fifo", /not a file/],
    ["device", /not a file/],
    ["/dev/zero", /not a file/],
    ["folder", /is a folder/],
    ["dangling", /no such file/],
    ["missing", /no such file/],
    ["large", /too large/],
    ["invalid", /not UTF-8/],
    ["good.jsonl", /not valid JSON/],
    ...(canRefuse ? [["unreadable", /permission/] as [string, RegExp]] : []),
  ];

  it.each(COMMANDS)("accepts only a small JSON file: %s", async (_, args) => {
    for (const [file, words] of FILES) {
      const run = await runOn(file, args);
      expect([file, run.status, run.stdout], run.stderr).toEqual([file, 2, ""]);
      expect(oneLine(run)).toEqual([expect.stringMatching(words)]);
      expect(run.stderr).toContain(file);
    }
    expect(existsSync(place.path("config"))).toBe(false);
  });

  it("accepts one that is", async () => {
    for (const option of ["--prices", "--invalidates"]) {
      expect((await place.ask(["report", "good.jsonl", "--json", option, "empty.json"])).status).toBe(0);
    }
  });
});

describe("a path of logs", () => {
  const COMMANDS: [name: string, args: readonly string[]][] = [
    ["report", ["report"]],
    ["watch", ["watch", "--idle-exit", "1"]],
    ["open", ["open", "--no-browser"]],
    ["replay", ["replay", "--json"]],
  ];

  it.each(COMMANDS)("that is neither a log nor a folder is reported immediately: %s", async (command, args) => {
    // Following a log means waiting until it can be read.
    const unreadable = canRefuse && /report|replay/.test(command) ? ["unreadable"] : [];
    for (const file of ["fifo", "device", "/dev/zero", "dangling", "missing", ...unreadable]) {
      const run = await runOn(file, args);
      expect([file, run.status]).toEqual([file, 1]);
      expect(oneLine(run).filter(line => line.includes(file))).toHaveLength(1);
    }
  });

  it.skipIf(!canRefuse)("that cannot be read is reported by watch, once", async () => {
    const run = await runOn("unreadable", ["watch", "--from-start", "--idle-exit", "1"]);
    expect([run.status, oneLine(run)]).toEqual([0, ["dedup-inspector: no permission to read: unreadable"]]);
  });
});

describe("a value that makes no sense", () => {
  it.each([
    ...["1e-320", "0", "-1", "0.49", "20.1", "1e308", "Infinity", "NaN", "", " ", "x"].map(value => [
      "--chars-per-token",
      value,
    ]),
    ...[
      "2026-02-31",
      "2026-02-29",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "2026-1-5",
      "2026",
      "5",
      "Feb 31 2026",
    ].map(value => ["--since", value]),
    ...[
      "2026-01-31T24:00",
      "2026-01-31T23:60",
      "2026-01-31T23:59:60",
      "2026-01-31T10:00+15:00",
      "2026-02-30T10:00Z",
      "9999-12-31T23:59-14:00",
      "0000-01-01T00:00+14:00",
    ].map(value => ["--since", value]),
  ])("is refused: %s %j", async (option, value) => {
    const run = await place.ask(["report", "good.jsonl", `${option}=${value}`]);
    expect([run.status, run.stdout]).toEqual([2, ""]);
    expect(oneLine(run)).toEqual([expect.stringContaining(option ?? "")]);
  });

  it.each([
    "2024-02-29",
    "2026-01-31T23:59",
    "2026-01-31 23:59:59.5",
    "2026-01-31T23:59:59.999Z",
    "2026-01-31T10:00+14:00",
  ])("is not one that only looks odd: --since %s", async value => {
    expect((await place.ask(["report", "good.jsonl", "--since", value])).status).toBe(0);
  });

  it("makes no figure infinite, at both ends of the valid range", async () => {
    place.write("dear.json", JSON.stringify({ m: 1_000_000 }));
    for (const ratio of ["0.5", "20"]) {
      for (const args of [[], ["--json"]]) {
        const run = await place.ask([
          "report",
          "good.jsonl",
          "--chars-per-token",
          ratio,
          "--prices",
          "dear.json",
          ...args,
        ]);
        expect([run.status, run.stderr]).toEqual([0, ""]);
        expect(run.stdout).not.toMatch(/Infinity|NaN/);
      }
    }
    place.write("dearer.json", JSON.stringify({ m: 1e308 }));
    expect((await place.ask(["report", "good.jsonl", "--prices", "dearer.json"])).status).toBe(2);
  });
});

describe("output that cannot be written", () => {
  const FULL = "dedup-inspector: could not write the output: no space left on the device\n";

  it.each([
    ["report", "good.jsonl"],
    ["report", "good.jsonl", "--json"],
    ["replay", "good.jsonl", "--json"],
    ["sample"],
    ["help"],
  ])("is reported in one line: %s %s %s", async (...args) => {
    const run = await place.run(args, {}, 30_000, "exec >/dev/full");
    expect([run.status, run.stderr]).toEqual([1, FULL]);
  });

  it("is not considered complete if only its beginning fits", async () => {
    const limits = `trap "" XFSZ; ulimit -f 8; exec >cut.json`;
    const run = await place.run(["sample"], {}, 30_000, limits);
    expect([run.status, run.stderr]).toEqual([1, "dedup-inspector: could not write the output: too large\n"]);
    const sample = readFileSync(place.path("cut.json")).length;
    expect(sample).toBe(8 * 1024);
  });

  it("leaves no partial sample behind", async () => {
    const run = await place.run(["sample", "--out", "half.jsonl"], {}, 30_000, `trap "" XFSZ; ulimit -f 8`);
    expect([run.status, run.stderr]).toEqual([1, "dedup-inspector: too large: half.jsonl\n"]);
    expect(existsSync(place.path("half.jsonl"))).toBe(false);
    expect(existsSync(place.path("half"))).toBe(false);
  });

  it("without a reader ends quietly", async () => {
    const run = await place.run(["sample"], {}, 30_000, "exec > >(head -c 100 >/dev/null)");
    expect([run.status, run.stderr]).toEqual([0, ""]);
  });

  it("does not stop the work if nobody can see problems", async () => {
    const run = await place.run(["report", "good.jsonl", "missing.jsonl", "--json"], {}, 30_000, "exec 2>/dev/full");
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ totals: { results: 2 } });
  });
});

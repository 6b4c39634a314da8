/** A repeated report: the same to the byte if nothing has changed, and recomputed if anything has. */
import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { call, logText, result, textOf } from "../support/log.js";
import { logsSettled } from "../support/until.js";

const pair = (id: string, text = textOf(300)) => [call(id, "Bash", { command: "ls" }), result(id, text)];

let place: Place;
let log = "";
const reports = () => place.path("home", "cache", "dedup-inspector", "reports");
const kept = () => readdirSync(reports()).map(name => join(reports(), name));

const run = (...args: string[]) => place.ask(["report", ...args]);
const results = async (...args: string[]) =>
  (JSON.parse((await run("logs", "--json", ...args)).stdout) as { totals: { results: number } }).totals.results;

/** When each cached report was written, by name: a recalled report is not written again. */
const times = () => Object.fromEntries(kept().map(file => [file, statSync(file).mtimeMs]));

beforeAll(() => built());
beforeEach(async () => {
  place?.remove();
  place = new Place();
  log = place.write("logs/a.jsonl", logText(...pair("1"), ...pair("2")));
  place.write("logs/b.jsonl", logText(...pair("3"), ...pair("4")));
  await logsSettled();
});
afterAll(() => place.remove());

describe("a repeated report", () => {
  it.each([["--json"], ["--strategies"], ["--gates"]])("is the same to the byte: %s", async form => {
    const first = await run("logs", form);
    const before = times();
    expect(await run("logs", form)).toEqual(first);
    expect(times()).toEqual(before);
    expect(await run("logs", form, "--no-cache")).toEqual(first);
  });

  it("in another format uses the same entry", async () => {
    await run("logs", "--json");
    await run("logs");
    await run("logs", "--gates", "--limit", "3");
    expect(kept()).toHaveLength(1);
  });

  it.each([
    ["--capacity", "9"],
    ["--since", "2026-01-01"],
    ["--project", "x"],
    ["--chars-per-token", "3"],
    ["--strategies"],
  ])("with other options is a different one: %s %s", async (...options) => {
    await run("logs", "--json");
    expect(await run("logs", "--json", ...options)).toEqual(await run("logs", "--json", "--no-cache", ...options));
    expect(kept()).toHaveLength(2);
  });

  it("repeats its messages about damaged logs", async () => {
    place.write("logs/c.jsonl", "no JSON\n");
    await logsSettled();
    const first = await run("logs");
    expect(first.stderr).toContain("not a Claude Code log");
    expect(await run("logs")).toEqual(first);
  });
});

describe("a log that has changed", () => {
  it.each<[string, () => void]>([
    ["has grown", () => appendFileSync(log, logText(...pair("5")))],
    ["is new", () => place.write("logs/c.jsonl", logText(...pair("6")))],
  ])("is noticed: it %s", async (_, change) => {
    expect(await results()).toBe(4);
    change();
    expect(await results()).toBe(5);
  });

  it("is noticed despite the same size and time, as far as its ends show", async () => {
    expect(await results("--min-bytes", "1")).toBe(4);
    const { atime, mtime } = statSync(log);
    const text = readFileSync(log, "utf8");
    writeFileSync(log, text.replace('"tool_result"', '"tool_other_"'));
    utimesSync(log, atime, mtime);
    expect(await results("--min-bytes", "1")).toBe(3);
  });
});

describe.skipIf(process.platform !== "linux")("a report that is recalled and cannot be printed", () => {
  const under = (limits: string) => place.run(["report", "logs", "--json"], {}, 60_000, limits);
  beforeEach(async () => {
    await run("logs", "--json");
    expect(kept()).toHaveLength(1);
  });

  it("is reported if there is no space", async () => {
    const { status, stderr } = await under("exec >/dev/full");
    expect([status, stderr]).toEqual([1, "dedup-inspector: could not write the output: no space left on the device\n"]);
  });

  it("is not considered complete if only its beginning fits", async () => {
    const { status, stderr } = await under('trap "" XFSZ; ulimit -f 1; exec >cut.json');
    expect([status, stderr]).toEqual([1, "dedup-inspector: could not write the output: too large\n"]);
    expect(statSync(place.path("cut.json")).size).toBe(1024);
  });

  it("ends quietly without a reader", async () => {
    const { status, stderr } = await under("exec > >(head -c 100 >/dev/null)");
    expect([status, stderr]).toEqual([0, ""]);
  });
});

it("a damaged report is recomputed", async () => {
  const whole = await run("logs", "--json");
  for (const spoil of [
    (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1),
    () => Buffer.from(""),
    (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
  ]) {
    const [file = ""] = kept();
    writeFileSync(file, spoil(readFileSync(file)));
    expect(await run("logs", "--json")).toEqual(whole);
  }
});

it("only the last few are kept", async () => {
  for (let capacity = 1; capacity <= 10; capacity++) await run("logs", "--capacity", String(capacity));
  expect(kept()).toHaveLength(8);
});

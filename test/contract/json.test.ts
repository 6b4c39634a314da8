/** What the commands print as JSON is what docs/json.md says, and everything that it says is printed. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_CHOICES, renderLiveSettings } from "../../src/settings/liveSettings.js";
import { built, Place } from "../support/cli.js";
import { JsonContract } from "../support/jsonContract.js";
import { answer, logText, prompt, read, result, textOf } from "../support/log.js";
import { FIXTURES, REPOSITORY } from "../support/replay.js";
import { until } from "../support/until.js";

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

const contract = new JsonContract();
const kinds = new Set<string>();

async function linesOf(...args: string[]): Promise<{ kind: string }[]> {
  const { status, stdout, stderr } = await place.ask(args);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .filter(line => line !== "")
    .map(line => JSON.parse(line) as { kind: string });
}

describe("docs/json.md", () => {
  it.each([
    ["by default", []],
    ["with everything", ["--strategies", "--passes", "--events", "--near-ref", "--chars-per-token", "3"]],
  ])("describes a report %s", async (_, options) => {
    const { status, stdout } = await place.ask(["report", FIXTURES, SAMPLE, "--json", "--no-cache", ...options]);
    expect(status).toBe(0);
    expect(contract.faults(JSON.parse(stdout), "Report")).toEqual([]);
  });

  it("describes a trial", async () => {
    const since = "2026-11-01T00:00:00.000Z";
    const trial = { key: "0123456789abcdef", since, until: "2026-12-01T00:00:00.000Z" };
    const data = renderLiveSettings({ ...NO_CHOICES, trial });
    place.write("home/.local/share/dedup-inspector/liveHints.json", data);
    for (let number = 0; number < 80; number++) {
      const more = { sessionId: `s${number}`, timestamp: "2026-11-02T00:00:00.000Z" };
      const lines = [read("1", "/a", more), result("1", textOf(300)), read("2", "/a"), result("2", "> [ref: 1]")];
      const used = answer("m", 1000 + number);
      place.write(`trial/s${number}.jsonl`, logText(prompt("do it", more), used, ...lines, read("3", "/b"), used));
    }
    const { status, stdout } = await place.ask(["report", place.path("trial"), "--trial", "--json", "--no-cache"]);
    expect(status).toBe(0);
    expect(contract.faults(JSON.parse(stdout), "Report")).toEqual([]);
  });

  it("describes what is watched", async () => {
    const full = (id: string) => [read(id, "/a"), result(id, textOf(300))];
    place.write("hints/a.jsonl", logText(...full("1"), read("2", "/a"), result("2", "> [ref: 1]"), ...full("3")));
    const rounds = Array.from({ length: 11 }, (_, at) => [
      ...[read(`a${at}`, `/${at}`), result(`a${at}`, textOf(300, `${at}`))],
      ...[read(`b${at}`, `/${at}`), result(`b${at}`, `> [ref: a${at}]`)],
      ...[read(`c${at}`, `/${at}`), result(`c${at}`, textOf(300, `${at}`))],
    ]);
    place.write("hints/b.jsonl", logText(...rounds.flat()));
    const watch = ["--json", "--from-start", "--idle-exit", "1", "--near-ref"];
    const events = await linesOf("watch", place.path("hints"), FIXTURES, SAMPLE, ...watch);
    expect(events.flatMap(event => contract.faults(event, "Watched"))).toEqual([]);
    for (const { kind } of events) kinds.add(kind);
  });

  it("describes a log that is read again", async () => {
    const log = place.write("live/a.jsonl", logText(read("1", "/a"), result("1", textOf(300)), read("2", "/b")));
    const args = [join(REPOSITORY, "dist", "cli.js"), "watch", log, "--json", "--from-start"];
    const program = spawn(process.execPath, args, { env: { PATH: process.env["PATH"], HOME: place.path("home") } });
    const ended = new Promise(resolve => program.on("close", resolve));
    let output = "";
    program.stdout.on("data", text => {
      output += text;
    });
    try {
      await until(
        () => output.includes('"miss"'),
        () => output,
      );
      writeFileSync(log, logText(read("1", "/a")));
      await until(
        () => output.includes("restart"),
        () => output,
      );
    } finally {
      program.kill("SIGTERM");
      await ended;
    }
    const [line = ""] = output.split("\n").filter(one => one.includes("restart"));
    expect(contract.faults(JSON.parse(line), "Restart")).toEqual([]);
  });

  it.each(["live", "whole", "span"])("describes a replay by %s", async strategy => {
    const lines = await linesOf("replay", SAMPLE, "--json", "--strategy", strategy);
    expect(lines.flatMap(line => contract.faults(line, "Emitted"))).toEqual([]);
  });

  it("describes nothing else", () => {
    expect(contract.unseen).toEqual([]);
    expect([...kinds].sort()).toEqual(contract.kinds.sort());
  });
});

describe("the contract's own check", () => {
  const cost = { units: 1, usd: null, uncountedTokens: 0, unpricedTokens: 0 };
  const event = { kind: "evict", line: 1, at: null, partition: 0, id: "a", cause: "b" };

  it.each([
    ["a member that is missing", "Cost", { ...cost, units: undefined }, "Cost.units"],
    ["a member that is not documented", "Cost", { ...cost, more: 1 }, "Cost.more"],
    ["a value of another type", "Cost", { ...cost, usd: "1" }, "Cost.usd"],
    ["a value that is not listed", "Restart", { kind: "stop", file: "a" }, "Restart.kind"],
    ["an event with a member of another kind", "Event", { ...event, by: "tool" }, "evict and by"],
    [
      "an event without a member of its kind",
      "Event",
      { kind: "evict", line: 1, at: null, partition: 0, id: "a" },
      "cause",
    ],
    ["an event of no documented kind", "Event", { ...event, kind: "forget" }, "forget"],
  ])("finds %s", (_, type, value, fault) => {
    expect(new JsonContract().faults(JSON.parse(JSON.stringify(value)), type).join()).toContain(fault);
  });

  it("passes what is as documented", () => {
    expect(new JsonContract().faults(cost, "Cost")).toEqual([]);
    expect(new JsonContract().faults(event, "Event")).toEqual([]);
  });
});

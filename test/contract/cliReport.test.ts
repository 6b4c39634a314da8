/** What `report` prints, for people and for programs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { call, type Json, logText, result, textOf } from "../support/log.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

const ESCAPE = "\u001b";

/** Two calls of one tool with the same 300 bytes: one hit. */
function session(cwd: string, at: string, more: Json = {}, tool = "Bash"): string {
  const line = { cwd, timestamp: at, ...more };
  const calls = ["1", "2"].flatMap(id => [call(id, tool, { command: "ls" }, line), result(id, textOf(300, cwd), line)]);
  return logText(...calls);
}

let place: Place;
beforeAll(built);
beforeEach(() => {
  place = new Place();
  return () => place.remove();
});

async function jsonOf(...args: string[]): Promise<Report> {
  const { stdout, stderr, status } = await place.ask(["report", "--json", ...args]);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Report;
}

describe("report --json", () => {
  it("has the promised shape", async () => {
    place.write("p/s.jsonl", session("/w", "2026-01-01T00:00:00.000Z", { sessionId: "s", version: "2.1.9" }));
    const report = await jsonOf("p");
    expect(report).toMatchObject({
      schema: 2,
      settings: { capacity: 5, minBytes: 200, nearRef: false, runs: true, spanMinBytes: 512, verbosity: "located" },
      sessions: [
        {
          file: "p/s.jsonl",
          sessionId: "s",
          project: "/w",
          badLines: 0,
          leftOutLines: 0,
          firstAt: "2026-01-01T00:00:00.000Z",
          lastAt: "2026-01-01T00:00:00.000Z",
          versions: ["2.1.9"],
          calibration: { charsPerToken: 2.6, samples: 0, basis: "default" },
          contexts: [{ id: "main", requests: 2, partitions: [{ index: 0, results: 2, hits: 1, misses: 1 }] }],
        },
      ],
      advice: { capacity: 1, of: "unbounded saving", share: 0.95 },
      totals: { results: 2, hits: 1, copiedResults: 0 },
    });
    expect(report.sweep.map(({ capacity }) => capacity)).toEqual([
      ...Array.from({ length: 32 }, (_, at) => at + 1),
      null,
    ]);
    expect(report.sessions[0]?.contexts[0]).not.toHaveProperty("events");
  });

  it("lists every event with --events", async () => {
    place.write("s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
    const report = await jsonOf("s.jsonl", "--events", "--verbosity", "standard");
    const base = { at: "2026-01-01T00:00:00.000Z", partition: 0, tool: "Bash", bytes: 300 };
    // `> [ref: 1, byte-identical]` has 26 bytes.
    expect(report.sessions[0]?.contexts[0]?.events).toEqual([
      { kind: "miss", line: 2, id: "1", why: "new", ...base },
      { kind: "hit", line: 4, id: "2", ref: "1", savedBytes: 274, ...base },
    ]);
  });

  it("respects the engine's options", async () => {
    place.write("s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
    place.write("stale.json", '{"Bash": ["B*"]}');
    expect((await jsonOf("s.jsonl", "--min-bytes", "301")).totals).toMatchObject({ hits: 0, bypassed: { small: 2 } });
    expect((await jsonOf("s.jsonl", "--verbosity", "terse")).totals.savedBytes).toBe(300 - "> [ref: 1]".length);
    const located = "> [ref: 1, byte-identical, from: Bash(ls), run again now]";
    expect((await jsonOf("s.jsonl", "--verbosity", "located")).totals.savedBytes).toBe(300 - located.length);
    expect((await jsonOf("s.jsonl", "--invalidates", "stale.json")).totals).toMatchObject({
      hits: 0,
      invalidations: 2,
    });
    expect((await jsonOf("s.jsonl", "--capacity", "9", "--near-ref")).settings).toMatchObject({
      capacity: 9,
      nearRef: true,
    });
  });

  it("shows only sessions active since a date, and only requested projects", async () => {
    place.write("a.jsonl", session("/home/me/Ladle", "2026-01-01T10:00:00.000Z"));
    place.write("b.jsonl", session("/home/me/spoon", "2026-02-01T10:00:00.000Z"));
    const files = async (...args: string[]) =>
      (await jsonOf("a.jsonl", "b.jsonl", ...args)).sessions.map(one => one.file);
    expect(await files("--since", "2026-01-15")).toEqual(["b.jsonl"]);
    expect(await files("--since", "2026-02-01T10:00:00.000Z")).toEqual(["b.jsonl"]);
    expect(await files("--since", "2026-02-01T10:00:00.001Z")).toEqual([]);
    expect(await files("--project", "Ladle")).toEqual(["a.jsonl"]);
    expect(await files("--project", "/me/")).toEqual(["a.jsonl", "b.jsonl"]);
    expect(await files("--project", "fork")).toEqual([]);
    place.write("w.jsonl", session("C:\\work\\Ladle", "2026-01-01T10:00:00.000Z"));
    for (const project of ["work\\ladle", "work/ladle"])
      expect((await jsonOf("w.jsonl", "--project", project)).sessions).toHaveLength(1);
  });

  it("has no colours", async () => {
    place.write("s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
    const { stdout } = await place.ask(["report", "s.jsonl", "--json"], { FORCE_COLOR: "1" });
    expect(JSON.parse(stdout)).toHaveProperty("schema", 2);
    expect(stdout).not.toContain(ESCAPE);
  });
});

describe("what is cached", () => {
  const texts = [
    session("/w", "2026-01-01T00:00:00.000Z", { sessionId: "s" }),
    session("/w", "2026-01-02T00:00:00.000Z"),
  ];
  const [first = "", second = ""] = texts;
  const later = second.replaceAll('"1"', '"3"').replaceAll('"2"', '"4"');

  /** The same report with and without the cache. */
  async function expectSame(...args: string[]): Promise<void> {
    const cached = await place.ask(["report", "--json", ...args]);
    const fresh = await place.ask(["report", "--json", "--no-cache", ...args]);
    expect(cached.stdout).toBe(fresh.stdout);
    expect(fresh.status).toBe(0);
  }

  it("never changes a report, whatever happens to the log", async () => {
    place.write("p/s.jsonl", first);
    await expectSame("p");
    await expectSame("p");
    await expectSame("p", "--capacity", "1", "--min-bytes", "0");
    await expectSame("p", "--events");
    place.write("p/s.jsonl", first + later.slice(0, 100));
    await expectSame("p");
    place.write("p/s.jsonl", first + later);
    await expectSame("p");
    place.write("p/s.jsonl", first.replace("300", "301"));
    await expectSame("p");
    place.write("p/s.jsonl", later);
    await expectSame("p");
  });

  it("shows paths as given now, not as given before", async () => {
    place.write("p/s.jsonl", first);
    place.write("p/s/subagents/agent-x.jsonl", later);
    await expectSame("p");
    await expectSame(place.path("p"));
    await expectSame("./p/s.jsonl", "p/s/subagents/agent-x.jsonl");
  });

  it("can be damaged without harm", async () => {
    place.write("p/s.jsonl", first);
    await expectSame("p");
    for (const file of filesUnder(place.kept.cache)) place.write(file.slice(place.folder.length + 1), "damaged");
    await expectSame("p");
  });

  it("is not used with --no-cache", async () => {
    place.write("p/s.jsonl", first);
    await place.ask(["report", "p", "--no-cache"]);
    expect(existsSync(place.kept.cache)).toBe(false);
  });
});

describe("the report for people", () => {
  it("shows totals, projects, sessions, tools and the sweep in plain text on a pipe", async () => {
    place.write("s.jsonl", session("/home/me/ladle", "2026-01-01T00:00:00.000Z"));
    const { status, stdout, stderr } = await place.ask(["report", "s.jsonl"]);
    expect([status, stderr]).toEqual([0, ""]);
    for (const words of ["1 session", "/home/me/ladle", "Bash", "project", "session", "tool", "capacity"]) {
      expect(stdout).toContain(words);
    }
    expect(stdout).not.toContain(ESCAPE);
  });

  it.each(["", "--markdown", "--html"])("shows local dates (%s)", async format => {
    place.write("s.jsonl", session("/w", "2026-01-02T03:00:00.000Z"));
    const datesIn = async (TZ: string) => {
      const { stdout } = await place.run(["report", "s.jsonl", format].filter(Boolean), { TZ });
      return [...new Set(stdout.match(/2026-01-\d\d/g))];
    };
    expect(await datesIn("Asia/Tokyo")).toEqual(["2026-01-02"]);
    expect(await datesIn("America/New_York")).toEqual(["2026-01-01"]);
  });

  it("is coloured only if requested", async () => {
    place.write("s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
    const coloured = async (env: Record<string, string>) =>
      (await place.ask(["report", "s.jsonl"], env)).stdout.includes(`${ESCAPE}[`);
    expect(await coloured({ FORCE_COLOR: "1" })).toBe(true);
    expect(await coloured({ NO_COLOR: "1" })).toBe(false);
    expect(await coloured({ FORCE_COLOR: "0" })).toBe(false);
  });

  it("says the same with and without colours", async () => {
    place.write("s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
    const plain = await place.ask(["report", "s.jsonl"]);
    const coloured = await place.ask(["report", "s.jsonl"], { FORCE_COLOR: "1" });
    const uncoloured = coloured.stdout.split(ESCAPE).map((part, at) => (at === 0 ? part : part.replace(/^\[\d+m/, "")));
    expect(uncoloured.join("").replace(/ +$/gm, "")).toBe(plain.stdout.replace(/ +$/gm, ""));
  });

  it("names all kinds of partitions without cached micro-compaction", async () => {
    const agent = { isSidechain: true, agentId: "a" };
    const ofAgent = [call("3", "Bash", { command: "ls" }, agent), result("3", textOf(300), agent)];
    place.write("s.jsonl", session("/w", "2026-01-01T00:00:00.000Z") + logText(...ofAgent));
    const { stdout } = await place.ask(["report", "s.jsonl", "--passes"]);
    expect(stdout).toContain("0 of 2 partitions, but not 1 with too few results and 1 of subagents.");
  });

  it("says how much of a list it shows", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => [
      call(`${at}`, `Tool${at}`, {}),
      result(`${at}`, textOf(300 + at, `${at}`)),
      call(`r${at}`, "Read", { file_path: `/f${at}` }),
      result(`r${at}`, textOf(300, `f${at}`)),
      call(`s${at}`, "Read", { file_path: `/f${at}` }),
      result(`s${at}`, textOf(400, `g${at}`)),
    ]);
    place.write("s.jsonl", logText(...lines.flat()));
    const notes = async (limit: string) => {
      const { stdout } = await place.ask(["report", "s.jsonl", "--gates", "--limit", limit]);
      const titles = stdout.split("\n").filter(line => /^(Largest results|Files read again|Tools)/.test(line));
      return titles.map(line => line.replace(/^.*? {2}/, ""));
    };
    const more = "(--limit N shows more)";
    expect(await notes("5")).toEqual([`5 of 90 ${more}`, `the first 5 ${more}`, `5 of 31 ${more}`]);
    expect(await notes("100")).toEqual(["20 of 90", "the first 20", "20 of 31"]);
    place.write("s.jsonl", logText(...lines.slice(0, 3).flat()));
    expect(await notes("100")).toEqual(expect.arrayContaining([expect.not.stringContaining(" of ")]));
  });

  it("does not let log text control the terminal", async () => {
    const evil = `/w/${ESCAPE}[2J${ESCAPE}]0;title\u0007\u202egnp.exe\u2066\r\nfake line\u2028\u0000\u009b31m`;
    const lines = { sessionId: evil, version: evil };
    place.write("evil.jsonl", session(evil, "2026-01-01T00:00:00.000Z", lines, `Bash${evil}`));
    place.write("plain.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
    const { status, stdout } = await place.ask(["report", "evil.jsonl"]);
    expect(status).toBe(0);
    const steering = [...stdout].filter(
      character => character !== "\n" && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character),
    );
    expect(steering).toEqual([]);
    const plain = await place.ask(["report", "plain.jsonl"]);
    expect(stdout.split("\n")).toHaveLength(plain.stdout.split("\n").length);
    expect((await place.ask(["report", "evil.jsonl", "--json", "--events"])).stdout).not.toContain(ESCAPE);
  });
});

it("report says how to turn live hints on, until they are on", async () => {
  place.write("p/s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
  const shown = async () => (await place.ask(["report", "p"])).stdout;
  expect(await shown()).toContain("turn on live hints: dedup-inspector hooks install");
  expect((await place.ask(["hooks", "install", "--yes"])).status).toBe(0);
  expect(await shown()).not.toContain("hooks install");
  expect(await shown()).toContain("Could save");
});

it.skipIf(process.platform === "win32")("report works without the current folder, if that was removed", () => {
  place.write("p/s.jsonl", session("/w", "2026-01-01T00:00:00.000Z"));
  mkdirSync(place.path("gone"));
  const program = `cd "$0" && rmdir "$0" && exec "$1" "$2" report "$3" --no-cache`;
  const args = [place.path("gone"), process.execPath, join(REPOSITORY, "dist", "cli.js"), place.path("p")];
  const { status, stdout, stderr } = spawnSync("sh", ["-c", program, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: place.path("home") },
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Could save");
});

/** `replay` is checked from outside: expand every hint and compare with the log. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { STRATEGY_IDS } from "../../src/inspect/strategies.js";
import { built, Place } from "../support/cli.js";
import { boundary, call, type Json, logText, result, textOf } from "../support/log.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../support/replay.js";

interface Replayed {
  context: string;
  partition: number;
  id: string;
  tool: string;
  bytes: number;
  emitted: string | null;
  refs: string[];
}

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

async function replay(file: string, ...args: string[]): Promise<Replayed[]> {
  const { status, stdout, stderr } = await place.ask(["replay", file, "--json", ...args]);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map(line => JSON.parse(line) as Replayed);
}

/** The text of every result by its id, read without the program's own code. */
function bodiesIn(text: string): Map<string, string> {
  const bodies = new Map<string, string>();
  for (const line of text.split("\n").filter(one => one.startsWith("{") && one.includes('"tool_result"'))) {
    const content = (JSON.parse(line) as { message?: { content?: unknown } }).message?.content;
    for (const block of Array.isArray(content) ? (content as Json[]) : []) {
      const texts = (Array.isArray(block["content"]) ? block["content"] : []) as Json[];
      const body = typeof block["content"] === "string" ? block["content"] : texts.map(part => part["text"]).join("\n");
      if (!bodies.has(String(block["tool_use_id"]))) bodies.set(String(block["tool_use_id"]), body);
    }
  }
  return bodies;
}

/** Expands hints to the texts they point at, as a reader would. */
function expand(lines: readonly Replayed[]): Map<string, string> {
  const seen = new Map<string, string>();
  for (const { context, id, emitted, refs } of lines) {
    const [ref] = refs;
    if (emitted === null) continue;
    const source = ref === undefined ? undefined : seen.get(`${context} ${ref}`);
    if (ref !== undefined) expect(source, `${id} points at ${ref}, which is not before it`).toBeDefined();
    seen.set(`${context} ${id}`, source === undefined ? emitted : expandOne(emitted, source));
  }
  return seen;
}

function expandOne(hint: string, source: string): string {
  const near = /^> \[near-ref: [^,\]]+, (.*)\]$/.exec(hint)?.[1];
  if (near === undefined) {
    expect(hint).toMatch(/^> \[ref: [^,\]]+(, byte-identical.*)?\]$/);
    return source;
  }
  return near.split(", ").reduce((body, change) => {
    const [, key, from, to] = /^(\w+): (.*)→(.*)$/.exec(change) ?? [];
    const quoted = body.replace(`"${key}":"${from}"`, `"${key}":"${to}"`);
    return quoted === body ? body.replace(`"${key}":${from}`, `"${key}":${to}`) : quoted;
  }, source);
}

const fixture = (name: string) =>
  filesUnder(FIXTURES).find(path => path.includes(name) && path.endsWith(".jsonl")) ?? "";

describe("replay --strategy whole", () => {
  const logs = [
    SAMPLE,
    ...["preserved-tail", "microcompact", "inline-sidechain", "multibyte", "realised"].map(fixture),
  ];

  it.each(logs.map(path => [basename(path), path]))("loses nothing: %s", async (_, path) => {
    const bodies = bodiesIn(readFileSync(path, "utf8"));
    for (const verbosity of ["terse", "located"]) {
      const lines = await replay(path, "--strategy", "whole", "--verbosity", verbosity);
      expect(new Set(lines.map(line => line.id))).toEqual(new Set(bodies.keys()));
      for (const [key, body] of expand(lines)) expect(body).toBe(bodies.get(key.split(" ")[1] ?? ""));
    }
  });

  it("prints one line per result, in order, whatever its outcome", async () => {
    const file = place.write(
      "s.jsonl",
      logText(
        call("1", "Bash"),
        result("1", textOf(300)),
        result("2", "small"),
        result("3", "failed", { is_error: true }),
        result("4", [{ type: "image" }]),
        call("5", "Bash"),
        result("5", textOf(300)),
        boundary(),
        result("6", textOf(300), { isSidechain: true, agentId: "a" }),
        result("7", textOf(300)),
        result("8", "> [ref: 1, byte-identical]"),
      ),
    );
    const line = { context: "main", partition: 0, tool: "", refs: [] };
    const hint = "> [ref: 1, byte-identical, from: Bash, run again now]";
    expect(await replay(file, "--strategy", "whole")).toEqual([
      { ...line, id: "1", tool: "Bash", bytes: 300, emitted: textOf(300) },
      { ...line, id: "2", bytes: 5, emitted: "small" },
      { ...line, id: "3", bytes: 6, emitted: "failed" },
      { ...line, id: "4", bytes: 0, emitted: null },
      { ...line, id: "5", tool: "Bash", bytes: 300, emitted: hint, refs: ["1"] },
      { ...line, id: "6", context: "a", bytes: 300, emitted: textOf(300) },
      { ...line, id: "7", partition: 1, bytes: 300, emitted: textOf(300) },
      { ...line, id: "8", partition: 1, bytes: 26, emitted: "> [ref: 1, byte-identical]" },
    ]);
  });

  it("is what replay does if runs of lines are off, including near-references if they are on", async () => {
    const whole = await replay(SAMPLE, "--strategy", "whole");
    expect(await replay(SAMPLE, "--no-runs")).toEqual(whole);
    expect(await replay(SAMPLE, "--no-runs", "--near-ref")).toEqual(await replay(SAMPLE, "--strategy", "near"));
  });
});

describe("replay --strategy live", () => {
  it("is what replay does by default", async () => {
    expect(await replay(SAMPLE)).toEqual(await replay(SAMPLE, "--strategy", "live"));
  });

  it("replaces what was read before an edit with hints, and gives only changes in full", async () => {
    const numbered = (text: string) => text.split("\n").map((line, at) => `${at + 1}\t${line}`);
    const text = Array.from({ length: 60 }, (_, at) => `const value${at} = ${at};`).join("\n");
    const edited = text.replace("value30 = 30", "value30 = 31");
    const file = { file_path: "/w/a.ts" };
    const lines = await replay(
      place.write(
        "edit.jsonl",
        logText(
          call("1", "Read", file, { cwd: "/w" }),
          result("1", numbered(text).join("\n")),
          call("2", "Edit", file),
          result("2", "done"),
          call("3", "Read", file, { cwd: "/w" }),
          result("3", numbered(edited).join("\n")),
        ),
      ),
    );
    expect(lines[2]).toMatchObject({
      emitted: [
        "> [ref: 1 lines 1-30, from: Read(a.ts)]",
        "31\tconst value30 = 31;",
        "> [ref: 1 lines 32-60, from: Read(a.ts)]",
      ].join("\n"),
      refs: ["1"],
    });
  });
});

describe("replay --strategy near", () => {
  const poll = (status: string, attempt: number, done: boolean) =>
    JSON.stringify({ status, attempt, done, log: "line\n".repeat(120), nested: { attempt: 1 } });

  it("loses nothing if only values changed", async () => {
    const polls = [
      poll("queued", 1, false),
      poll("running", 2, false),
      poll("done", 3, true),
      poll("running", 2, false),
    ];
    const text = logText(...polls.flatMap((body, at) => [call(`r${at}`, "Bash"), result(`r${at}`, body)]));
    const lines = await replay(place.write("poll.jsonl", text), "--strategy", "near");
    // From r0 to r2 all three values change: 23 + 16 + 20 bytes are more than the 50 that a hint may list.
    expect(lines.map(line => line.emitted)).toEqual([
      polls[0],
      "> [near-ref: r0, status: queued→running, attempt: 1→2]",
      polls[2],
      "> [near-ref: r0, status: queued→running, attempt: 1→2]",
    ]);
    expect([...expand(lines).values()]).toEqual(polls);
  });

  it("never makes a result longer, and points only at what was emitted in full", async () => {
    const lines = await replay(SAMPLE, "--strategy", "near");
    const full = new Set<string>();
    for (const { context, id, emitted, refs, bytes } of lines) {
      for (const ref of refs) expect(full).toContain(`${context} ${ref}`);
      if (refs.length === 0) full.add(`${context} ${id}`);
      else expect(Buffer.byteLength(emitted ?? "")).toBeLessThan(bytes);
    }
    expect(lines.some(({ refs }) => refs.length > 0)).toBe(true);
  });
});

describe("replay accepts the report's names", () => {
  it.each(STRATEGY_IDS)("and saves what the report says: %s", async strategy => {
    const { stdout } = await place.ask(["report", SAMPLE, "--json", "--strategies"]);
    const told = (JSON.parse(stdout) as Report).strategies.find(one => one.strategy === strategy);
    const replaced = (await replay(SAMPLE, "--strategy", strategy)).filter(({ refs }) => refs.length > 0);
    const saved = replaced.reduce((sum, { bytes, emitted }) => sum + bytes - Buffer.byteLength(emitted ?? ""), 0);
    expect(saved).toBeGreaterThan(0);
    expect([replaced.length, saved]).toEqual([told?.results, told?.savedBytes]);
  });

  it.each([
    ["lru", ["--strategy", "lru"], "whole"],
    ["exact", ["--strategy", "exact"], "whole"],
    ["--span-inputs", ["--span-inputs"], "span-inputs"],
    ["--span-inputs with span", ["--strategy", "span", "--span-inputs"], "span-inputs"],
  ])("and accepts %s", async (_, args, strategy) => {
    expect(await replay(SAMPLE, ...args)).toEqual(await replay(SAMPLE, "--strategy", strategy));
  });
});

describe("replay of something that is not a log", () => {
  it.each([
    ["a missing file", "missing.jsonl"],
    ["a folder", "."],
    ["a pipe", "pipe.jsonl"],
  ])("says so in one line and fails: %s", async (_, name) => {
    if (name === "pipe.jsonl") execFileSync("mkfifo", [place.path(name)]);
    const { status, stdout, stderr } = await place.ask(["replay", name, "--json"]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain(name);
  });
});

describe("sample", () => {
  it("writes the bundled session to standard output or to a new file", async () => {
    const sample = readFileSync(SAMPLE, "utf8");
    expect((await place.ask(["sample"])).stdout).toBe(sample);
    const { status, stdout } = await place.ask(["sample", "--out", "new.jsonl"]);
    expect([status, stdout]).toEqual([0, ""]);
    expect(readFileSync(place.path("new.jsonl"), "utf8")).toBe(sample);
  });

  it("writes its subagents' logs where Claude Code would have them", async () => {
    expect((await place.ask(["sample", "--out", "agents.jsonl"])).status).toBe(0);
    const texts = (folder: string) =>
      filesUnder(join(folder, "subagents")).map(file => [basename(file), readFileSync(file, "utf8")]);
    expect(texts(place.path("agents"))).toEqual(texts(join(REPOSITORY, "media", "sample")));
  });

  it("leaves nothing behind if a subagent's log would replace a file", async () => {
    const [agent = ""] = filesUnder(join(REPOSITORY, "media", "sample"));
    place.write(`taken/subagents/${basename(agent)}`, "precious");
    const { status, stderr } = await place.ask(["sample", "--out", "taken.jsonl"]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${basename(agent)} already exists`);
    expect(existsSync(place.path("taken.jsonl"))).toBe(false);
    expect(readFileSync(place.path(`taken/subagents/${basename(agent)}`), "utf8")).toBe("precious");
  });

  it("never replaces a file", async () => {
    place.write("mine.jsonl", "precious");
    const { status, stdout, stderr } = await place.ask(["sample", "--out", "mine.jsonl"]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^dedup-inspector: .*mine\.jsonl.*\n$/);
    expect(readFileSync(place.path("mine.jsonl"), "utf8")).toBe("precious");
  });

  it("says in one line if it cannot write", async () => {
    const { status, stderr } = await place.ask(["sample", "--out", "no/such/folder/s.jsonl"]);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

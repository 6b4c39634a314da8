/** `export`: whatever may be in a log, what options change, and what stays private. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { columnsOf, TABLE_NAMES, type TableName } from "../../src/export/tables.js";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { answer, boundary, call, type Json, logText, prompt, read, result, textOf } from "../support/log.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";
import { snapshot } from "../support/snapshot.js";
import { Database, rowsIn, type SqlRow } from "../support/sql.js";

beforeAll(built);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const FORMATS = ["parquet", "ndjson", "csv"] as const;
const exported = (...args: string[]) => place.ask(["export", ...args]);

type Rows = Partial<Record<TableName, SqlRow[]>>;

async function exportedRows(format: string, ...args: string[]): Promise<Rows> {
  const out = place.path(format);
  const { status, stderr } = await exported(...args, "--format", format, "--out", out);
  expect([status, stderr]).toEqual([0, ""]);
  const rows: Rows = {};
  for (const table of TABLE_NAMES) rows[table] = await rowsIn(out, table);
  return rows;
}

async function reported(...args: string[]): Promise<Report> {
  return JSON.parse((await place.ask(["report", ...args, "--json"])).stdout) as Report;
}

/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The same text twice, with usage, at a time. */
function session(more: Json = {}, path = "/a", tool = "Read"): string {
  const at = (minute: number) => ({ timestamp: `2026-02-03T10:0${minute}:00.000Z`, ...more });
  const asked = (id: string, minute: number) =>
    call(
      id,
      tool,
      { file_path: path },
      { ...at(minute), message: { id: `m${id}`, model: "m", usage: { input_tokens: 9 } } },
    );
  const lines = [asked("c1", 1), result("c1", textOf(900), at(2)), asked("c2", 3), result("c2", textOf(900), at(4))];
  return logText(...lines, answer("end", 900, at(5)));
}

describe("a log full of surprises", () => {
  const NAMES = {
    "line breaks": "one\ntwo\r\nthree",
    quotes: `"it's", said 'she'`,
    commas: ",,;\t,",
    NUL: "a\0b",
    "half a pair": "a\ud800b\udc00",
    "a formula": `=cmd|' /C calc'!A0`,
    "other formulas": "@SUM(1)",
    "a negative number": "-1",
    "an apostrophe": "'quoted",
    "nothing but spaces": "  ",
    emoji: "👩‍🚀\u2028\u202e",
    "a very long name": "n".repeat(5000),
  };

  /** As docs/sql.md "Tables" says. */
  const stored = (text: string) =>
    text
      .slice(0, 4096)
      .replaceAll("\0", "\ufffd")
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

  it("keeps names as they are, in all formats", async () => {
    const names = Object.values(NAMES);
    for (const [at, name] of names.entries()) {
      place.write(`logs/${at + 10}.jsonl`, session({ cwd: name, sessionId: name }, `/${name}`, name));
    }
    const [parquet, ndjson, csv] = await Promise.all(FORMATS.map(format => exportedRows(format, "logs")));
    expect(parquet?.["sessions"]?.map(row => row["session_id"])).toEqual(names.map(stored));
    expect(parquet?.["sessions"]?.map(row => row["project"])).toEqual(names.map(stored));
    expect(parquet?.["results"]?.map(row => row["tool"])).toEqual(names.flatMap(name => [stored(name), stored(name)]));
    expect(ndjson).toEqual(parquet);
    const defused = JSON.parse(
      JSON.stringify(parquet, (_key, value) =>
        typeof value === "string" && FORMULA.test(value) ? `'${value}` : value,
      ),
    );
    expect(csv).toEqual(defused);
    const database = await Database.of(place.path("parquet"));
    const rows = await database.rows("SELECT project FROM sessions ORDER BY file");
    expect(rows.map(row => row["project"])).toEqual(names.map(stored));
    database.close();
  });

  it("creates no formula in a spreadsheet", async () => {
    const formulas = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"];
    for (const [at, name] of formulas.entries()) {
      place.write(`logs/${at}.jsonl`, session({ cwd: name, sessionId: name }, "/a", name));
    }
    const { sessions, results } = await exportedRows("csv", "logs");
    expect(sessions?.map(row => row["project"])).toEqual(formulas.map(name => `'${name}`));
    const cells = [...(sessions ?? []), ...(results ?? [])].flatMap(row => Object.values(row));
    expect(cells.filter(cell => typeof cell === "string" && FORMULA.test(cell))).toEqual([]);
  });

  it("has no time if the log has no valid one", async () => {
    const times = [null, 5, "", "soon", "-000001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2200-01-01T00:00:00Z"];
    const lines = times.flatMap((timestamp, at) => [
      read(`c${at}`, "/a", { timestamp }),
      result(`c${at}`, textOf(300, `${at}`), { timestamp }),
    ]);
    place.write("logs/s.jsonl", logText(...lines));
    const { results, sessions } = await exportedRows("parquet", "logs");
    expect(results).toHaveLength(times.length);
    for (const row of [...(results ?? []), ...(sessions ?? [])]) {
      expect(row).toMatchObject({ day: "day=__HIVE_DEFAULT_PARTITION__" });
      expect(row["logged_at"] ?? row["started_at"] ?? null).toBeNull();
    }
    const database = await Database.of(place.path("parquet"));
    expect(await database.row("SELECT count(*) AS n, count(day) AS days FROM results")).toEqual({ n: 7, days: 0 });
    database.close();
  });

  it("counts what it can count: invalid numbers become null, large ones stay", async () => {
    const usage = [{}, { input_tokens: 1e300 }, { input_tokens: -1 }, { input_tokens: "9" }, { input_tokens: 1e14 }];
    const lines = usage.map((one, at) => ({ ...answer(`m${at}`, 0, { message: { usage: one } }) }));
    place.write("logs/s.jsonl", logText(...lines));
    const { requests } = await exportedRows("parquet", "logs");
    expect(requests?.map(row => row["prompt_tokens"])).toEqual([null, null, null, null, 1e14]);
  });

  it("has all tables, even without rows", async () => {
    place.write("logs/s.jsonl", logText(prompt("hello")));
    for (const format of FORMATS) await exportedRows(format, "logs");
    const database = await Database.of(place.path("parquet"));
    for (const table of TABLE_NAMES) {
      expect(await database.row(`SELECT count(*) AS n FROM ${table}`)).toEqual({ n: table === "sessions" ? 1 : 0 });
    }
    database.close();
  });

  it("contains no text of the conversation", async () => {
    const lines = [
      prompt("SECRET prompt"),
      call("c1", "Bash", { command: "SECRET command" }),
      result("c1", `SECRET ${textOf(900)}`),
      call("c2", "Grep", { pattern: "SECRET pattern", path: "/a" }),
      result("c2", `SECRET ${textOf(900)}`),
      boundary(),
      { type: "assistant", message: { content: [{ type: "text", text: "SECRET answer" }] } },
    ];
    place.write("logs/s.jsonl", logText(...lines));
    const rows = await exportedRows("parquet", "logs");
    expect(rows["results"]).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain("SECRET");
  });

  it("is reported as in a report, and the others are exported", async () => {
    place.write("logs/good.jsonl", session());
    place.write("logs/foreign.jsonl", "not a log\n");
    const paths = ["logs", "missing.jsonl"];
    const report = await place.ask(["report", ...paths, "--json"]);
    const run = await exported(...paths, "--out", "out");
    expect([run.status, run.stderr]).toEqual([1, report.stderr]);
    expect(run.stderr).toContain("missing.jsonl");
    expect(await rowsIn(place.path("out"), "results")).toHaveLength(2);
  });
});

describe("a request", () => {
  const said = (id: string, output: number, cacheRead = 0) => {
    const usage = { input_tokens: 3, cache_read_input_tokens: cacheRead, output_tokens: output };
    return answer(id, 0, { timestamp: "2026-02-03T10:00:00.000Z", message: { usage } });
  };
  const first = [said("m1", 2, 5000)];
  const later = [
    said("m1", 2, 5000),
    said("m1", 120, 5000),
    said("interrupted", 7, 5100),
    prompt("[Request interrupted by user]"),
    answer("late", 0, { message: { usage: {} } }),
    said("late", 40, 5200),
    answer("unknown", 0, { message: { usage: {} } }),
  ];

  it("has the tokens of its whole answer and what was read from the cache, however its log was read", async () => {
    place.write("logs/s.jsonl", logText(...first));
    await reported("logs");
    place.write("logs/s.jsonl", logText(...first, ...later));
    const grown = await exportedRows("ndjson", "logs");
    const tokens = grown["requests"]?.map(row => [row["prompt_tokens"], row["read_tokens"], row["output_tokens"]]);
    expect(tokens).toEqual([
      [5003, 5000, 120],
      [5103, 5100, 7],
      [5203, 5200, 40],
      [null, null, null],
    ]);
    for (const format of FORMATS) expect(await exportedRows(format, "logs", "--no-cache")).toEqual(grown);
  });
});

describe("options", () => {
  it("select the same sessions as in a report", async () => {
    place.write("logs/one.jsonl", session({ cwd: "/one" }));
    place.write("logs/two.jsonl", session({ cwd: "/two", timestamp: "2026-04-01T00:00:00.000Z" }));
    for (const args of [["--since", "2026-03-01"], ["--project", "two"], ["--project", "nowhere"], []]) {
      const { sessions } = await reported("logs", ...args);
      const rows = await exportedRows("ndjson", "logs", ...args);
      expect(rows["sessions"]?.map(row => row["file"])).toEqual(sessions.map(({ file }) => file));
    }
  });

  it.each([
    ["--capacity", "1"],
    ["--min-bytes", "2000"],
    ["--near-ref"],
    ["--verbosity", "terse"],
    ["--invalidates", "invalidates.json"],
    ["--no-runs"],
    ["--span-min-bytes", "4096"],
    ["--door", "hooks"],
    ["--chars-per-token", "5"],
    ["--prices", "prices.json"],
  ])("of the engine and of figures apply as in a report: %s %s", async (...option) => {
    place.write("invalidates.json", '{"Bash":["Read"]}');
    place.write("prices.json", '{"claude-opus-5":900}');
    const args = option.filter(one => one !== undefined);
    const { totals, cost } = await reported(SAMPLE, ...args);
    await exportedRows("parquet", SAMPLE, ...args);
    const database = await Database.of(place.path("parquet"));
    expect(
      await database.row(
        `SELECT round(sum(saved_tokens)) AS saved, sum(saved_bytes) AS bytes, round(sum(saved_usd), 4) AS usd,
         round(sum(tokens)) AS tokens FROM results WHERE NOT is_copy`,
      ),
    ).toEqual({ saved: totals.savedTokens, bytes: totals.savedBytes, usd: cost.hits.usd, tokens: totals.tokens });
    database.close();
  });

  it.each([
    [["--format", "xml"], /--format must be one of parquet, ndjson, csv/],
    [["--out", ""], /--out/],
    [["--key", "key"], /--key requires --anonymous/],
    [["--anonymous", "--key", "missing"], /--key: no such file or folder: missing/],
    [["--anonymous", "--key", "short"], /--key: a key must have at least 16 bytes: short/],
    [["--since", "soon"], /--since/],
  ])("that make no sense are refused, and nothing is written: %j", async (args, words) => {
    place.write("short", "123456789012345\n");
    const before = readdirSync(place.folder).sort();
    const run = await exported(SAMPLE, ...args);
    expect([run.status, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toMatch(words);
    expect(readdirSync(place.folder).sort()).toEqual(before);
  });

  it("read from the cache or from scratch, an export has the same bytes, and reports stay the same", async () => {
    const before = await reported(SAMPLE);
    for (const [at, args] of [["--no-cache"], [], [], ["--no-cache"]].entries()) {
      expect((await exported(SAMPLE, "--out", `out${at}`, ...args)).status).toBe(0);
      expect(snapshot(place.path(`out${at}`))).toEqual(snapshot(place.path("out0")));
    }
    expect(await reported(SAMPLE)).toEqual(before);
  });
});

describe("an anonymous export", () => {
  /** Everything that a log can name is called SECRET. */
  const SECRETS = () => {
    const model = "arn:aws:bedrock:SECRET:claude-SECRET";
    const more = { cwd: "/SECRET/project", sessionId: "SECRET-session", version: "SECRET", gitBranch: "SECRET" };
    const asked = (id: string, tool: string, line: Json = {}) =>
      call(
        id,
        tool,
        { file_path: "/SECRET/file" },
        { ...more, ...line, message: { id: `m${id}`, model, usage: { input_tokens: 9 } } },
      );
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at} of a text`).join("\n");
    return logText(
      { type: "custom-title", customTitle: "SECRET title", ...more },
      asked("SECRET1", "Read"),
      result("SECRET1", lines, more),
      asked("SECRET2", "mcp__SECRET__tool"),
      result("SECRET2", `${lines}\nand more`, more),
      asked("SECRET3", "SECRETTool"),
      result("SECRET3", lines, more),
      asked("SECRET4", "Edit"),
      result("SECRET4", "done", more),
      asked("SECRET5", "Read", { isSidechain: true, agentId: "SECRETagent" }),
      result("SECRET5", lines, { ...more, isSidechain: true, agentId: "SECRETagent" }),
      boundary(["SECRET"], more),
    );
  };

  it("reveals no names, and joins as before", async () => {
    place.write("SECRET/SECRET.jsonl", SECRETS());
    place.write("invalidates.json", '{"SECRET*":["SECRET"]}');
    const log = place.path("SECRET");
    const options = ["--invalidates", "invalidates.json"];
    const named = await exportedRows("ndjson", log, ...options);
    for (const table of TABLE_NAMES) expect(named[table]?.length).toBeGreaterThan(0);
    expect(JSON.stringify(named)).toContain("SECRET title");
    const hidden = await exportedRows("csv", log, "--anonymous", ...options);
    for (const file of filesUnder(place.path("csv"))) expect(readFileSync(file, "latin1")).not.toMatch(/SECRET/i);

    // The same rows: equal where they were equal, and different where they were different.
    for (const table of TABLE_NAMES) {
      for (const { name, type } of columnsOf(table)) {
        const [before, after] = [named, hidden].map(rows => rows[table]?.map(row => row[name]) ?? []);
        if (type !== "text") expect(after).toEqual(before);
        else expect(after?.map(one => after.indexOf(one))).toEqual(before?.map(one => before.indexOf(one)));
      }
    }
    const calls = new Set(hidden["results"]?.map(row => row["call_id"]));
    expect(hidden["runs"]?.every(row => calls.has(row["source_call_id"]))).toBe(true);
    expect(hidden["results"]?.map(row => row["tool"])).toEqual([
      "Read",
      expect.stringMatching(/^mcp__[\da-f]{32}$/),
      expect.stringMatching(/^[\da-f]{32}$/),
      "Edit",
      "Read",
    ]);
    expect(hidden["requests"]?.map(row => row["context"])).toContain("main");
  });

  const hashOf = (rows: Rows) => rows["sessions"]?.[0]?.["project"];

  it("has a key that only its user can read, the same every time", async () => {
    place.write("s.jsonl", session({ cwd: "/project" }));
    const key = place.path("home", ".local", "share", "dedup-inspector", "export.key");
    const first = hashOf(await exportedRows("ndjson", "s.jsonl", "--anonymous"));
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, "utf8")).toMatch(/^[\da-f]{64}\n$/);
    expect(hashOf(await exportedRows("ndjson", "s.jsonl", "--anonymous"))).toBe(first);
    writeFileSync(key, "0123456789abcdef");
    expect(hashOf(await exportedRows("ndjson", "s.jsonl", "--anonymous"))).not.toBe(first);
  });

  it("accepts another key, with or without a line ending, and does not create the user's own", async () => {
    place.write("s.jsonl", session({ cwd: "/project" }));
    place.write("one", "a key of a whole team");
    place.write("same", "a key of a whole team\r\n");
    place.write("other", "a key of another team");
    const keyed = async (file: string) => hashOf(await exportedRows("ndjson", "s.jsonl", "--anonymous", "--key", file));
    const hash = await keyed("one");
    expect(hash).toMatch(/^[\da-f]{32}$/);
    expect(await keyed("same")).toBe(hash);
    expect(await keyed("other")).not.toBe(hash);
    expect(existsSync(place.path("home", ".local"))).toBe(false);
  });

  it("keeps what everybody has: public models, plain versions, Claude Code's tools", async () => {
    const { sessions, requests, results } = await exportedRows("ndjson", SAMPLE, "--anonymous");
    const named = await exportedRows("csv", SAMPLE);
    expect(sessions?.[0]?.["version"]).toBe(named["sessions"]?.[0]?.["version"]);
    expect(new Set(requests?.map(row => row["model"]))).toEqual(new Set(named["requests"]?.map(row => row["model"])));
    expect(results?.filter(row => row["tool"] === "Bash").length).toBeGreaterThan(0);
  });
});

/** docs/sql.md: every query runs on a real DuckDB, and agrees with the report. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columnsOf, TABLE_NAMES } from "../../src/export/tables.js";
import type { Figures } from "../../src/inspect/figures.js";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { answer, call, logText, result, textOf } from "../support/log.js";
import { FIXTURES, REPOSITORY } from "../support/replay.js";
import { Database, documentedColumns, QUERIES, rowsIn, type SqlRow } from "../support/sql.js";

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const place = new Place();
const OUT = place.path("out");
/** A model that asks again after every hint. */
const DOUBTING = place.path("doubting.jsonl");
/** All kinds of logs: subagents, forks, compactions, live hints. */
const LOGS = [FIXTURES, SAMPLE, DOUBTING];

let report: Report;
let database: Database;
let sample: Database;

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await place.ask(args);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

beforeAll(async () => {
  await built();
  const doubts = Array.from({ length: 12 }, (_, at) => [
    ...answered(`first${at}`, at, textOf(600, `${at}`)),
    ...answered(`hint${at}`, at, `> [ref: first${at}]`),
    ...answered(`again${at}`, at, textOf(600, `${at}`)),
  ]);
  place.write("doubting.jsonl", logText(...doubts.flat()));
  report = JSON.parse(await run("report", ...LOGS, "--json", "--events", "--no-cache")) as Report;
  await run("export", ...LOGS, "--out", OUT);
  for (const format of ["ndjson", "csv"]) {
    await run("export", ...LOGS, "--format", format, "--out", place.path(format));
  }
  await run("export", SAMPLE, "--out", place.path("sample"), "--no-cache");
  database = await Database.of(OUT);
  sample = await Database.of(place.path("sample"));
});
afterAll(() => {
  for (const one of [database, sample]) one?.close();
  place.remove();
});

const query = (title: string, of = database) => of.rows(QUERIES.get(title) ?? "");
const sum = (rows: readonly SqlRow[], column: string) =>
  rows.reduce((total, row) => total + Number(row[column] ?? 0), 0);
/** Sums of rounded figures are off by at most one half per figure. */
const within = (rows: readonly unknown[]) => rows.length / 2 + 1;

function answered(id: string, number: number, text: string) {
  const message = { id: `m-${id}`, model: "m" };
  return [
    call(id, "Bash", { command: `print ${number}` }, { uuid: `c-${id}`, message }),
    result(id, text, { uuid: `r-${id}` }),
  ];
}

describe("the queries of docs/sql.md", () => {
  it("are a dozen or more", () => {
    expect(QUERIES.size).toBeGreaterThanOrEqual(12);
  });

  it.each([...QUERIES.keys()])("run on the sample and find something: %s", async title => {
    const rows = await query(title, sample);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.values(row).some(value => value !== null)).toBe(true);
  });
});

describe("in SQL as in the report", () => {
  it("are the totals", async () => {
    const { totals } = report;
    expect(await query("Everything at a glance")).toEqual([
      {
        results: totals.results,
        hits: totals.hits,
        run_hits: totals.runHits,
        tokens: totals.tokens,
        saved_tokens: totals.savedTokens,
        saved_percent: expect.closeTo((100 * totals.savedTokens) / totals.tokens, 1),
        carried_tokens: totals.carriedTokens,
        native_tokens: totals.nativeTokens,
        realised_tokens: totals.realisedTokens,
      },
    ]);
    expect(totals.copiedResults).toBeGreaterThan(0);
    expect(await database.row("SELECT count(*) AS n, sum(bytes) AS bytes FROM results WHERE is_copy")).toMatchObject({
      n: totals.copiedResults,
    });
    expect(
      await database.row("SELECT sum(bytes) AS bytes, sum(saved_bytes) AS saved FROM results WHERE NOT is_copy"),
    ).toEqual({ bytes: totals.bytes, saved: totals.savedBytes });
  });

  it("are the weeks together", async () => {
    const weeks = await query("What repeats, by week");
    expect(sum(weeks, "results")).toBe(report.totals.results);
    expect(Math.abs(sum(weeks, "saved_tokens") - report.totals.savedTokens)).toBeLessThan(within(weeks));
    expect(weeks.length).toBeGreaterThan(1);
  });

  it("are the tools", async () => {
    const rows = await query("What repeats, by tool");
    const expected = report.tools.map(({ tool, results, hits, runHits, tokens, savedTokens }) => ({
      tool: tool === "" ? null : tool,
      results,
      whole: hits,
      in_part: runHits,
      tokens,
      saved_tokens: savedTokens,
    }));
    const byName = (left: SqlRow, right: SqlRow) => (String(left["tool"]) < String(right["tool"]) ? -1 : 1);
    expect(rows.map(row => ({ ...row, tokens: row["tokens"] ?? 0 })).sort(byName)).toEqual(expected.sort(byName));
  });

  it("are the files", async () => {
    const rows = new Map((await query("The files that cost the most")).map(row => [row["path"], row]));
    const shared = report.gates.files.filter(({ path }) => rows.has(path));
    expect(shared.length).toBeGreaterThan(5);
    for (const { path, results, tokens, rereads } of shared) {
      expect(rows.get(path)).toMatchObject({ path, results, tokens, rereads });
    }
  });

  it("are the projects and what their savings cost", async () => {
    const rows = await query("Cost, by project");
    const withResults = report.projects.filter(({ results }) => results > 0);
    expect(new Map(rows.map(row => [row["project"] ?? "", row["saved_tokens"]]))).toEqual(
      new Map(withResults.map(({ project, savedTokens }) => [project, savedTokens])),
    );
    const { units, usd } = await database.row(
      "SELECT round(sum(saved_units)) AS units, round(sum(saved_usd), 4) AS usd FROM results WHERE NOT is_copy",
    );
    expect([units, usd]).toEqual([report.cost.hits.units, report.cost.hits.usd]);
    expect(report.cost.hits.usd).toBeGreaterThan(0);
    const unpriced = await database.row(
      "SELECT round(sum(saved_tokens)) AS n FROM results WHERE NOT is_copy AND saved_usd IS NULL",
    );
    expect(unpriced["n"] ?? 0).toBe(report.cost.hits.unpricedTokens);
  });

  it("are the reasons", async () => {
    const rows = await query("Why nothing was saved");
    const counts = Object.fromEntries(rows.map(row => [`${row["outcome"]} ${row["reason"]}`, row["results"]]));
    const { bypassed, forgone, misses } = report.totals;
    const named = (kind: string, of: Readonly<Record<string, number>>) =>
      Object.entries(of).flatMap(([reason, count]) => (count > 0 ? [[`${kind} ${reason}`, count] as const] : []));
    const known = misses - Object.values(forgone).reduce((total, count) => total + count, 0);
    const expected = [...named("miss", { ...forgone, new: known }), ...named("bypass", bypassed)];
    expect(counts).toEqual(Object.fromEntries(expected));
    expect(Math.abs(sum(rows, "forgone_tokens") - report.totals.forgoneTokens)).toBeLessThan(within(rows));
  });

  it("are the gates", async () => {
    const rows = await database.rows("SELECT gate, count(*) AS results FROM results WHERE NOT is_copy GROUP BY gate");
    expect(new Map(rows.map(row => [row["gate"], row["results"]]))).toEqual(
      new Map(report.gates.gates.map(({ gate, results }) => [gate, results])),
    );
  });

  it("are the sessions, with everything they contain", async () => {
    const rows = new Map((await database.rows("SELECT * FROM sessions")).map(row => [row["file"], row]));
    expect(rows.size).toBe(report.sessions.length);
    for (const session of report.sessions) {
      const partitions = session.contexts.flatMap(context => context.partitions);
      const total = (figure: (figures: Figures) => number) => partitions.reduce((all, one) => all + figure(one), 0);
      const requests = session.contexts.reduce((all, context) => all + context.requests, 0);
      const row = rows.get(session.file) ?? {};
      expect(row).toMatchObject({
        session_id: session.sessionId,
        project: session.project,
        contexts: session.contexts.length,
        requests,
        results: total(({ results }) => results),
        hits: total(({ hits }) => hits),
        misses: total(({ misses }) => misses),
        run_hits: total(({ runHits }) => runHits),
        native: total(({ bypassed }) => bypassed.native),
        realised: total(({ bypassed }) => bypassed.realised),
        bytes: total(({ bytes }) => bytes),
        saved_bytes: total(({ savedBytes }) => savedBytes),
        calibration: session.calibration.basis,
        chars_per_token: session.calibration.charsPerToken,
        bad_lines: session.badLines,
      });
      expect(Math.abs(Number(row["tokens"]) - total(({ tokens }) => tokens))).toBeLessThan(within(partitions));
    }
    const { n } = await database.row("SELECT count(*) AS n FROM requests");
    expect(n).toBe(report.sessions.flatMap(({ contexts }) => contexts).reduce((all, one) => all + one.requests, 0));
  });

  it("are the events and the runs of lines", async () => {
    const events = report.sessions.flatMap(({ contexts }) => contexts.flatMap(context => context.events ?? []));
    const isOfResult = (kind: string) => ["hit", "nearHit", "miss", "bypass"].includes(kind);
    const counts = new Map<string, number>();
    for (const { kind } of events) if (!isOfResult(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const rows = await database.rows("SELECT kind, count(*) AS n FROM events GROUP BY kind");
    expect(new Map(rows.map(row => [row["kind"], row["n"]]))).toEqual(counts);
    const runs = events.flatMap(event => (event.kind === "miss" ? (event.runs ?? []) : []));
    expect(await database.row("SELECT count(*) AS n, sum(bytes) AS bytes FROM runs")).toEqual({
      n: runs.length,
      bytes: runs.reduce((all, { bytes }) => all + bytes, 0),
    });
    expect(runs.length).toBeGreaterThan(0);
  });
});

describe("answers and cache reads", () => {
  it("match the log, whose answers span several lines, and count once in a forked session", async () => {
    const said = (id: string, day: string, model: string, [fresh, read, output]: readonly number[]) => {
      const usage = { input_tokens: fresh, cache_read_input_tokens: read, output_tokens: output };
      return answer(id, 0, { timestamp: `${day}T10:00:00.000Z`, message: { model, usage } });
    };
    const common = [
      said("m1", "2026-11-02", "large", [100, 0, 1]),
      said("m1", "2026-11-02", "large", [100, 0, 50]),
      said("m2", "2026-11-08", "large", [100, 300, 70]),
      said("m3", "2026-11-08", "small", [10, 90, 5]),
    ];
    const [one, fork] = [said("m4", "2026-11-09", "large", [1, 0, 2]), said("m5", "2026-11-10", "large", [0, 2, 4])];
    place.write("forks/a.jsonl", logText(...common, one));
    place.write("forks/b.jsonl", logText(...common, fork));
    await run("export", place.path("forks"), "--out", place.path("forks-out"));
    const forks = await Database.of(place.path("forks-out"));
    const rows = await query("Answers and cache reads, by week and model", forks);
    forks.close();
    const columns = ["model", "requests", "prompt_tokens", "output_tokens", "read_percent"];
    const weekOf = (row: SqlRow) => String(row["week"]).slice(0, 10);
    expect(rows.map(row => [weekOf(row), ...columns.map(column => row[column])])).toEqual([
      ["2026-11-02", "large", 2, 500, 120, 60],
      ["2026-11-02", "small", 1, 100, 5, 90],
      ["2026-11-09", "large", 2, 3, 6, 66.7],
    ]);
  });
});

describe("the tables", () => {
  const TYPES: Readonly<Record<string, string>> = {
    text: "VARCHAR",
    int32: "INTEGER",
    int64: "BIGINT",
    double: "DOUBLE",
    boolean: "BOOLEAN",
    timestamp: "TIMESTAMP WITH TIME ZONE",
  };

  it.each(TABLE_NAMES)("have the documented columns, and no others: %s", async table => {
    const documented = documentedColumns(table);
    expect(documented).toEqual(columnsOf(table));
    const described = await database.rows(`DESCRIBE ${table}`);
    expect(described.map(row => [row["column_name"], row["column_type"]])).toEqual([
      ...documented.map(({ name, type }) => [name, TYPES[type]]),
      ["day", "DATE"],
    ]);
  });

  it.each(TABLE_NAMES)(
    "have a value wherever the document promises one, and null somewhere otherwise: %s",
    async table => {
      for (const { name, isNullable } of columnsOf(table)) {
        const { missing, present } = await database.row(
          `SELECT count(*) FILTER (${name} IS NULL) AS missing, count(${name}) AS present FROM ${table}`,
        );
        if (!isNullable) expect([name, missing]).toEqual([name, 0]);
        expect([name, Number(present) > 0]).toEqual([name, true]);
      }
    },
  );

  it("join: every result, run and event belongs to a session, and every reference to a result", async () => {
    for (const table of ["requests", "results", "runs", "events"]) {
      const { n } = await database.row(`SELECT count(*) AS n FROM ${table} ANTI JOIN sessions USING (file)`);
      expect([table, n]).toEqual([table, 0]);
    }
    const { n } = await database.row(
      `SELECT count(*) AS n FROM results AS one ANTI JOIN results AS other
       ON (one.file, one.context, one.ref_call_id) = (other.file, other.context, other.call_id)
       WHERE one.ref_call_id IS NOT NULL`,
    );
    expect(n).toBe(0);
  });

  it.each(TABLE_NAMES)("are under the day of their rows: %s", async table => {
    const column = table === "sessions" ? "started_at" : "logged_at";
    const wrong = `(${column} AT TIME ZONE 'UTC')::DATE IS DISTINCT FROM day`;
    expect(await database.row(`SELECT count(*) FILTER (${wrong}) AS n FROM ${table}`)).toEqual({ n: 0 });
  });

  it.each(TABLE_NAMES)("have the same rows in every format, and for another Parquet reader: %s", async table => {
    const parquet = await rowsIn(OUT, table);
    const { n } = await database.row(`SELECT count(*) AS n FROM ${table}`);
    expect(parquet).toHaveLength(Number(n));
    for (const format of ["ndjson", "csv"]) expect(await rowsIn(place.path(format), table)).toEqual(parquet);
  });
});

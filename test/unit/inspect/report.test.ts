import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyFigures } from "../../../src/inspect/figures.js";
import { buildReport, type Report, sessionFigures } from "../../../src/inspect/report.js";
import { answer, call, type Json, logText, read, result, textOf } from "../../support/log.js";
import { dataOf, reportOf, reportOn } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

const file = (path: string, ...lines: Json[]) => dataOf(path, logText(...lines));

describe("a report on nothing", () => {
  it("is complete: settings, empty sums, a sweep and advice", () => {
    expect(reportOf([])).toMatchObject({
      schema: 2,
      settings: { capacity: 5, minBytes: 200 },
      sessions: [],
      totals: { ...emptyFigures(), copiedResults: 0 },
    });
  });
});

describe("a session", () => {
  const line = (more: Json) => ({ type: "attachment", ...more });

  it("has the metadata from its lines", () => {
    const report = reportOf([
      file(
        "p/s1.jsonl",
        { type: "summary", summary: "x" },
        line({ sessionId: "S", cwd: "/w", version: "2.1.0", timestamp: "2026-01-02T00:00:00.000Z" }),
        line({ sessionId: "T", cwd: "/v", version: "2.1.1", timestamp: "2026-01-01T00:00:00.000Z" }),
        answer("m1", 5, { message: { model: "big" } }),
        answer("m2", 5, { message: { model: "small" } }),
        answer("m3", 0, { message: { model: "<synthetic>" } }),
      ),
    ]);
    expect(report.sessions[0]).toMatchObject({
      file: "p/s1.jsonl",
      sessionId: "S",
      project: "/w",
      badLines: 0,
      leftOutLines: 0,
      // Timestamps are not always in order.
      firstAt: "2026-01-01T00:00:00.000Z",
      lastAt: "2026-01-02T00:00:00.000Z",
      models: ["big", "small"],
      versions: ["2.1.0", "2.1.1"],
      calibration: { charsPerToken: 2.6, samples: 0, medianAbsError: null, basis: "default" },
    });
  });

  it("is named by its file if no line has its id", () => {
    const [session] = reportOf([file("/p/q/0123.jsonl", line({}))]).sessions;
    expect(session).toMatchObject({ sessionId: "0123", project: null, firstAt: null, lastAt: null });
  });

  it("has its subagents' files as contexts, each with its own cache", () => {
    const repeated = (id: string) => [read(id, "/a"), result(id, textOf(300))];
    const report = reportOf([
      file("p/s.jsonl", line({ sessionId: "s" }), ...repeated("1"), ...repeated("2")),
      file("p/s/subagents/agent-x.jsonl", ...repeated("3"), { type: "user", message: 1 }),
      file("p/agent-y.jsonl", line({ sessionId: "s" }), ...repeated("4"), ...repeated("5"), ...repeated("6")),
    ]);
    expect(report.sessions).toHaveLength(1);
    const contexts = report.sessions[0]?.contexts.map(({ id, file: own, partitions }) => [
      id,
      own,
      partitions[0]?.hits,
    ]);
    expect(contexts).toEqual([
      ["main", undefined, 1],
      ["y", "p/agent-y.jsonl", 2],
      ["x", "p/s/subagents/agent-x.jsonl", 0],
    ]);
  });

  it("counts the bad lines of all its files", () => {
    const main = dataOf("p/s.jsonl", `x\n${logText(line({ sessionId: "s" }))}y\n`);
    const agent = dataOf("p/s/subagents/agent-x.jsonl", "z\n");
    expect(reportOf([main, agent]).sessions[0]?.badLines).toBe(3);
  });
});

describe("tokens", () => {
  /** Seven requests, between them six results whose characters ÷ tokens are 3, 3, 4, 4, 5 and 5. */
  const calibrating = [3, 3, 4, 4, 5, 5].flatMap((ratio, at) => [
    answer(`m${at}`, 1000 + at * 1010),
    result(`r${at}`, textOf(ratio * 1000, `${at}`)),
  ]);
  const lines = [...calibrating, answer("m6", 1000 + 6 * 1010)];

  it("are estimated with the ratio of the session's own model", () => {
    const [session] = reportOn(lines).sessions;
    expect(session?.calibration).toMatchObject({ charsPerToken: 4, samples: 6, basis: "session" });
    // 24,000 characters ÷ 4.
    expect(session?.contexts[0]?.partitions[0]?.tokens).toBe(6000);
  });

  it("are estimated with the model's ratio of all sessions if the session has too few samples", () => {
    const known = file("a.jsonl", ...lines);
    const other = file("b.jsonl", answer("n", 5), result("1", textOf(400)));
    const stranger = file("c.jsonl", answer("n", 5, { message: { model: "other" } }), result("1", textOf(260)));
    const sessions = reportOf([known, other, stranger]).sessions;
    expect(sessions.map(({ calibration }) => calibration.basis)).toEqual(["session", "model", "default"]);
    expect(sessions.map(({ contexts }) => contexts[0]?.partitions[0]?.tokens)).toEqual([6000, 100, 100]);
  });

  it("of a hidden session still calibrate the ones shown", () => {
    const known = file("a.jsonl", { type: "attachment", cwd: "/hidden" }, ...lines);
    const other = file("b.jsonl", { type: "attachment", cwd: "/shown" }, answer("n", 5), result("1", textOf(400)));
    const settings = reportOf([]).settings;
    const report = buildReport([known, other], settings, ({ project }) => project === "/shown");
    expect(report.sessions.map(({ file: path }) => path)).toEqual(["b.jsonl"]);
    expect(report.sessions[0]?.calibration.basis).toBe("model");
    expect(report.totals).toMatchObject({ results: 1, tokens: 100 });
  });
});

describe("sums by project and by tool", () => {
  it("each add up to the totals", () => {
    const inProject = (path: string, cwd: string, tool: string) =>
      file(
        path,
        { type: "attachment", cwd },
        ...["1", "2"].flatMap(id => [call(id, tool), result(id, textOf(300, path))]),
      );
    const report = reportOf([
      inProject("a.jsonl", "/p", "Read"),
      inProject("b.jsonl", "/p", "Bash"),
      inProject("c.jsonl", "/q", "Bash"),
    ]);
    expect(report.projects.map(({ project, sessions, results, hits }) => [project, sessions, results, hits])).toEqual([
      ["/p", 2, 4, 2],
      ["/q", 1, 2, 1],
    ]);
    expect(report.tools.map(({ tool, results, hits }) => [tool, results, hits])).toEqual([
      ["Bash", 4, 2],
      ["Read", 2, 1],
    ]);
    expect(report.totals).toMatchObject({ sessions: 3, results: 6, hits: 3, copiedResults: 0 });
  });

  it("make one project of a Windows folder, whether it was opened in VS Code or in a shell", () => {
    const inFolder = (path: string, cwd: string) => file(path, { type: "attachment", cwd }, call("1", "Bash"));
    const report = reportOf([inFolder("a.jsonl", "c:\\work\\app"), inFolder("b.jsonl", "C:\\work\\app")]);
    expect(report.projects.map(({ project, sessions }) => [project, sessions])).toEqual([["C:\\work\\app", 2]]);
  });
});

/** The whole numbers that must agree wherever they are summed. */
function counts({
  results,
  hits,
  nearHits,
  misses,
  bypassed,
  invalidations,
  evictions,
  forgone,
  bytes,
  savedBytes,
}: Report["totals"] | ReturnType<typeof emptyFigures>) {
  return { results, hits, nearHits, misses, bypassed, invalidations, evictions, forgone, bytes, savedBytes };
}

describe("for any session", () => {
  it("partitions, tools, projects and events add up to the same totals", async () => {
    await fc.assert(
      turning(anySession(60), fc.constantFrom(1, 3, 20), (text, capacity) => {
        const report = reportOf([dataOf("s.jsonl", text, { settings: { capacity, invalidates: { Bash: ["*"] } } })]);
        const totals = counts(report.totals);
        const [session] = report.sessions;
        expect(counts(session ? sessionFigures(session) : emptyFigures())).toEqual(totals);
        const sum = (rows: readonly { results: number; hits: number; bytes: number }[]) =>
          [rows.reduce((n, row) => n + row.results, 0), rows.reduce((n, row) => n + row.hits, 0)].join();
        expect(sum(report.tools)).toBe(`${totals.results},${totals.hits}`);
        expect(sum(report.projects)).toBe(`${totals.results},${totals.hits}`);
        const events = session?.contexts.flatMap(context => context.events ?? []) ?? [];
        const of = (kind: string) => events.filter(event => event.kind === kind).length;
        expect([of("hit"), of("miss"), of("invalidate"), of("evict")]).toEqual([
          totals.hits,
          totals.misses,
          totals.invalidations,
          totals.evictions,
        ]);
        const bypassed = Object.values(totals.bypassed).reduce((n, count) => n + count, 0);
        expect(totals.hits + totals.nearHits + totals.misses + bypassed).toBe(totals.results);
      }),
      { numRuns: 60 },
    );
  });

  it("the order in which files come does not matter", async () => {
    const files = fc.tuple(anySession(30), anySession(30), anySession(30));
    await fc.assert(
      turning(files, ([one, two, three]) => {
        const logs = [dataOf("a.jsonl", one), dataOf("b.jsonl", two), dataOf("a/subagents/agent-x.jsonl", three)];
        expect(JSON.stringify(reportOf(logs))).toBe(JSON.stringify(reportOf(logs.toReversed())));
      }),
      { numRuns: 30 },
    );
  });
});

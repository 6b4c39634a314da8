/** The WebAssembly sums against the JavaScript ones: a report must be the same to the last character. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BYPASS_REASONS, FORGONE_REASONS } from "../../../src/dedup/events.js";
import {
  DEFAULT_SETTINGS,
  type DedupSettings,
  SWEEP_CAPACITIES,
  SWEEP_RUN_BYTES,
} from "../../../src/dedup/settings.js";
import { LONGEST_LIST } from "../../../src/inspect/gateFigures.js";
import { GATES } from "../../../src/inspect/gates.js";
import type { ContextData, LogData } from "../../../src/inspect/logData.js";
import { OUTCOMES } from "../../../src/inspect/outcomes.js";
import { buildReport, type ReportOptions } from "../../../src/inspect/report.js";
import { packSweep, ROW_LAYOUT, ROW_WIDTH } from "../../../src/inspect/rows.js";
import * as Layout from "../../../src/sums/layout.js";
import { reportOf } from "../../../src/sums/report.js";
import { CompiledSums } from "../../../src/sums/sums.js";
import { answer, call, type Json, logText, read, result, textOf } from "../../support/log.js";
import { dataOf } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

const PRICES: ReportOptions["prices"] = {
  source: "a test",
  models: {
    m: {
      input: 3,
      before: { date: "2026-02-01", input: 5, cacheRead: 0.7 },
      above: { promptTokens: 500, input: 6 },
      source: "a test",
    },
    free: { input: 0, cacheRead: 0, source: "a test" },
  },
};

const CASES: readonly (readonly [Partial<DedupSettings>, ReportOptions])[] = [
  [{}, {}],
  [{ capacity: 2, minBytes: 60, spanMinBytes: 200 }, { prices: PRICES }],
  [
    { capacity: 40, minBytes: 0, runs: false },
    { charsPerToken: 3.7, prices: PRICES },
  ],
  [{ nearRef: true, runs: false, minBytes: 60 }, {}],
];

/** Compares reports on logs with these contents, the first of them again as a fork. */
function compare(texts: readonly string[]): void {
  const contents = [...texts, `${texts[0] ?? ""}${texts.at(-1) ?? ""}`];
  for (const [at, [some, options]] of CASES.entries()) {
    const settings = { ...DEFAULT_SETTINGS, ...some };
    const logs = contents.map((text, index) => dataOf(nameOf(index), text, { settings }));
    sameReport(logs, settings, options);
    // Not in each case: replaying all strategies takes a while.
    if (at % 2 === 0) continue;
    const compared = contents.map((text, index) => dataOf(nameOf(index), text, { settings, strategies: true }));
    sameReport(compared, settings, { ...options, strategies: true });
  }
}

const NAMES = ["p/s.jsonl", "p/s/subagents/agent-x.jsonl", "q/t.jsonl"];
const nameOf = (at: number) => NAMES[at] ?? `q/${at}.jsonl`;

function sameReport(logs: readonly LogData[], settings: DedupSettings, options: ReportOptions = {}): string {
  const expected = JSON.stringify(buildReport(logs, settings, () => true, options));
  const rows = logs.flatMap(({ contexts }) => contexts).reduce((sum, one) => sum + one.rows.length / ROW_WIDTH, 0);
  const made = buildReport(logs, settings, () => true, options, new CompiledSums(settings, rows, options.strategies));
  expect(JSON.stringify(made)).toBe(expected);
  return expected;
}

describe("compiled sums match the rules", () => {
  it("on nothing", () => compare([""]));

  it("on sessions in which anything may happen", async () => {
    await fc.assert(turning(fc.array(anySession(60), { minLength: 1, maxLength: 3 }), compare), { numRuns: 15 });
  });

  it("on a long session", async () => {
    await fc.assert(
      turning(anySession(600), text => compare([text])),
      { numRuns: 2 },
    );
  });

  it("on reads of the same lines, of others and of all, before and after edits", () => {
    const lines: Json[] = [];
    const ranges = [{}, { offset: 5 }, { offset: 5, limit: 10 }, { offset: 12, limit: 3 }, { limit: 4 }];
    for (let at = 0; at < 60; at++) {
      const id = `r${at}`;
      lines.push(answer(`m${at}`, 1000 + at * 50, { message: { model: "m" } }));
      if (at % 7 === 6) lines.push(call(id, "Edit", { file_path: `/w/${at % 3}` }), result(id, textOf(20)));
      else {
        const input = { file_path: `/w/${at % 3}`, ...ranges[at % ranges.length] };
        lines.push(call(id, "Read", input), result(id, `${textOf(300)}${Math.floor(at / 20)}`));
      }
    }
    const report = sameReport([dataOf("s.jsonl", logText(...lines))], DEFAULT_SETTINGS);
    const { gates } = JSON.parse(report) as ReturnType<typeof buildReport>;
    expect(gates.gates.map(({ gate }) => gate)).toEqual(expect.arrayContaining(["changed", "otherRange"]));
    expect([gates.reread, gates.overlapping, gates.stale].map(({ length }) => length)).toEqual([3, 3, 3]);
  });

  it("where more results and files are equal than fit in lists", () => {
    const many = 3 * LONGEST_LIST;
    const steps = Array.from({ length: many }, (_, at) => [
      read(`r${at}`, `/w/${(at * 7) % many}`),
      result(`r${at}`, textOf(250 + (at % 3))),
    ]);
    const twice = [...steps, ...steps].flat();
    const report = sameReport([dataOf("s.jsonl", logText(...twice))], DEFAULT_SETTINGS);
    const { gates } = JSON.parse(report) as ReturnType<typeof buildReport>;
    expect([gates.largest, gates.files].map(({ length }) => length)).toEqual([LONGEST_LIST, LONGEST_LIST]);
  });

  it("where results grow from one to the next", () => {
    const steps = Array.from({ length: 300 }, (_, at) => [read(`r${at}`, "/w"), result(`r${at}`, textOf(300 + at))]);
    sameReport([dataOf("s.jsonl", logText(...steps.flat()))], DEFAULT_SETTINGS);
  });

  it("for cells that no replay writes", async () => {
    await fc.assert(
      turning(fc.array(anyRow, { maxLength: 40 }), fc.double({ min: 0.5, max: 9 }), (rows, charsPerToken) => {
        const log = dataOf("s.jsonl", logText(read("1", "/a"), result("1", textOf(9))));
        const contexts = log.contexts.map(context => ({ ...context, ...STRANGE, rows: Uint32Array.from(rows.flat()) }));
        sameReport([{ ...log, contexts }], DEFAULT_SETTINGS, { charsPerToken, prices: PRICES });
      }),
      { numRuns: 200 },
    );
  });
});

/** Three partitions, of which the last one has had no request yet. */
const STRANGE: Partial<ContextData> = {
  model: "m",
  models: ["m", "free", "strange"],
  requests: 5,
  partitionRequests: [3, 2, 0],
  requestCosts: [[2, 400, 0, 0, 0, 900, 1.8e9, 1, 1.25, 600, 1.6e9, 0], [1, 0, 1.6e9, 2, 1.25, 501, 0, 0], []],
  tools: ["Read", "Edit", "Bash"],
  files: ["/a", "/b"],
  sweep: packSweep([
    { row: 0, slots: 0xffffffff, unbounded: true, savedBytes: 7, savedChars: 5 },
    { row: 3, slots: 0x80000001, unbounded: false, savedBytes: 2 ** 32 - 1, savedChars: 3 },
    { row: 3, slots: 0x10, unbounded: true, savedBytes: 9, savedChars: 2 },
    { row: 3, slots: 0x11, unbounded: true, savedBytes: 4, savedChars: 1 },
    { row: 50, slots: 1, unbounded: true, savedBytes: 1, savedChars: 1 },
  ]),
};

/** A row: small where it counts something, anything where it does not. */
const anyRow = fc
  .tuple(fc.array(fc.nat(2 ** 32 - 1), { minLength: ROW_WIDTH, maxLength: ROW_WIDTH }), fc.infiniteStream(fc.nat(1000)))
  .map(([cells, stream]) => {
    const limits: Readonly<Record<string, number>> = {
      partition: 4,
      outcome: OUTCOMES.length + 1,
      request: 4,
      tool: 3,
      cause: 2,
      evicted: 2,
      copyHigh: 2,
      copyLow: 3,
      file: 3,
      rangeFrom: 4,
      rangeLines: 4,
      runs: 3,
    };
    const fields = ROW_LAYOUT.split(",");
    return cells.map((cell, at) => {
      const limit = limits[fields[at] ?? ""];
      return limit === undefined ? cell : Number(stream.next().value) % limit;
    });
  });

describe("a report", () => {
  it("has the sums of replayed strategies, too, in all logs or in some", () => {
    const text = logText(read("1", "/a"), result("1", textOf(600)), read("2", "/b"), result("2", textOf(600)));
    const log = dataOf("s.jsonl", text, { strategies: true });
    const other = dataOf("t.jsonl", text);
    for (const logs of [[log], [log, other], [other]]) {
      for (const strategies of [true, false]) {
        const report = reportOf(logs, DEFAULT_SETTINGS, () => true, { strategies });
        expect(report).toEqual(buildReport(logs, DEFAULT_SETTINGS, () => true, { strategies }));
      }
    }
  });

  it("shows only some sessions", () => {
    const logs = ["a", "b"].map(cwd =>
      dataOf(`${cwd}.jsonl`, logText({ type: "user", cwd }, read("1", "/a"), result("1", textOf(300)))),
    );
    const report = reportOf(logs, DEFAULT_SETTINGS, ({ project }) => project === "b");
    expect(report).toEqual(buildReport(logs, DEFAULT_SETTINGS, ({ project }) => project === "b"));
    expect(report.totals).toMatchObject({ sessions: 1, results: 1 });
  });
});

describe("the layout", () => {
  it("is that of rows", () => {
    const fields = ROW_LAYOUT.split(",").slice(0, ROW_WIDTH);
    const cells = Object.entries(Layout).filter(([name]) => /^ROW_(?!WORDS)/.test(name));
    const nameOf = (constant: string) =>
      constant
        .slice(4)
        .toLowerCase()
        .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(cells.map(([constant, at]) => [nameOf(constant), at])).toEqual(
      cells.map(([constant]) => [nameOf(constant), fields.indexOf(nameOf(constant))]),
    );
    expect(Layout.ROW_WORDS).toBe(ROW_WIDTH);
  });

  it("has room for all reasons and gates", () => {
    expect(BYPASS_REASONS.length).toBeLessThanOrEqual(Layout.MAX_BYPASSES);
    expect(FORGONE_REASONS.length).toBeLessThanOrEqual(Layout.MAX_FORGONE);
    expect(GATES.length).toBeLessThanOrEqual(Layout.MAX_GATES);
    expect(SWEEP_RUN_BYTES.length).toBeLessThanOrEqual(Layout.MAX_SIZES);
  });

  it("counts on a sweep that ends without a limit", () => {
    expect(SWEEP_CAPACITIES.indexOf(Number.POSITIVE_INFINITY)).toBe(SWEEP_CAPACITIES.length - 1);
    expect(SWEEP_CAPACITIES.slice(0, -1)).toEqual(SWEEP_CAPACITIES.slice(0, -1).map((_, slot) => slot + 1));
  });
});

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { SWEEP_CAPACITIES } from "../../../src/dedup/settings.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { OUTCOMES } from "../../../src/inspect/outcomes.js";
import { ResultRows, sweepRows } from "../../../src/inspect/rows.js";
import { advise, emptySweep } from "../../../src/inspect/sweepFigures.js";
import { boundary, call, type Json, read, result, textOf } from "../../support/log.js";
import { dataOf, eventsOn, reportOf, reportOn } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

function reportAt(text: string, settings: Partial<DedupSettings>) {
  return reportOf([dataOf("s.jsonl", text, { settings })], settings);
}

const variants = fc.constantFrom<Partial<DedupSettings>>(
  {},
  { minBytes: 0, verbosity: "verbose" },
  { minBytes: 0, invalidates: { Bash: ["*"], Write: ["Grep"] } },
  { nearRef: true, verbosity: "terse" },
);

/** Per context, the rows with hits and what each saves: as the sweep reports it for one of its capacities. */
function sweptHits({ contexts }: LogData, slot: number): string[][] {
  return contexts.map(({ sweep }) =>
    sweepRows(sweep)
      .filter(({ slots, unbounded }) => (slot === 32 ? unbounded : (slots >>> slot) & 1))
      .map(({ row, savedBytes, savedChars }) => `${row}: ${savedBytes} ${savedChars}`),
  );
}

/** The same, from a replay with only that capacity. */
function replayedHits({ contexts }: LogData): string[][] {
  return contexts.map(context => {
    const rows = new ResultRows();
    rows.append(context.rows);
    return Array.from({ length: rows.length }, (_, row) => row)
      .filter(row => ["hit", "nearHit"].includes(OUTCOMES[rows.get(row, "outcome")] ?? ""))
      .map(row => `${row}: ${rows.get(row, "savedBytes")} ${rows.get(row, "savedChars")}`);
  });
}

function expectSweepToBeReplays(text: string, settings: Partial<DedupSettings>): void {
  const swept = dataOf("s.jsonl", text, { settings });
  for (const [slot, capacity] of SWEEP_CAPACITIES.entries()) {
    const alone = dataOf("s.jsonl", text, { settings: { ...settings, capacity } });
    expect(sweptHits(swept, slot), `capacity ${capacity}`).toEqual(replayedHits(alone));
  }
}

/**
 * Found with seed -1111486753 when "a larger cache never finds less" was still assumed to be a law. It has fewer hits
 * at capacity 3 than at 2: see the explanation below.
 */
const LARGER_FINDS_LESS = new URL("largerFindsLess.jsonl", import.meta.url);

describe("the sweep of any session", () => {
  it("shows for every capacity, result by result, what a replay at that capacity shows", async () => {
    await fc.assert(
      turning(anySession(50), variants, (text, settings) => expectSweepToBeReplays(text, settings)),
      { numRuns: 25 },
    );
  });

  it("also if a larger cache finds less", () => {
    expectSweepToBeReplays(readFileSync(LARGER_FINDS_LESS, "utf8"), { minBytes: 0 });
  });

  it("sums that up, whatever the current capacity is", async () => {
    await fc.assert(
      turning(anySession(50), variants, fc.constantFrom(1, 2, 3, 5, 32), (text, settings, capacity) => {
        const { totals, sweep } = reportAt(text, { ...settings, capacity });
        const point = sweep.find(candidate => candidate.capacity === capacity);
        expect(point?.hits).toBe(totals.hits + totals.nearHits);
        expect(point?.savedBytes).toBe(totals.savedBytes);
        expect(Math.abs((point?.savedTokens ?? Number.NaN) - totals.savedTokens)).toBeLessThanOrEqual(1);
        expect(reportAt(text, { ...settings, capacity: 7 }).sweep).toEqual(sweep);
      }),
      { numRuns: 40 },
    );
  });

  it("ends with a cache that never evicts", async () => {
    await fc.assert(
      turning(anySession(50), variants, (text, settings) => {
        const { totals, sweep } = reportAt(text, { ...settings, capacity: 1_000_000 });
        expect(totals.evictions).toBe(0);
        expect(sweep.at(-1)).toMatchObject({ capacity: null, hits: totals.hits + totals.nearHits });
        expect(sweep.at(-1)?.savedBytes).toBe(totals.savedBytes);
      }),
      { numRuns: 30 },
    );
  });
});

describe("a larger cache", () => {
  const command = (id: string, text: string) => [call(id, "Bash", { command: id }), result(id, text)];
  const file = (id: string, path: string, text: string) => [read(id, path), result(id, text)];
  const texts = fc.array(fc.nat(39), { maxLength: 120 });
  const hitsAt = (lines: Json[], capacity: number) =>
    eventsOn(lines, { capacity }).flatMap(event => (event.kind === "hit" ? [event.id] : []));

  it("never finds less if only compactions remove texts: it has the texts of every smaller one", async () => {
    await fc.assert(
      turning(texts, fc.integer({ min: 5, max: 40 }), (numbers, compactEvery) => {
        const lines = numbers.flatMap((number, at) => [
          ...(at % compactEvery === compactEvery - 1 ? [boundary()] : []),
          ...(number % 2 === 0
            ? file(`t${at}`, `/${number}`, textOf(300, `${number}`))
            : command(`t${at}`, textOf(300, `${number}`))),
        ]);
        const hits = reportOn(lines).sweep.map(point => point.hits);
        expect(hits).toEqual(hits.toSorted((left, right) => left - right));
      }),
      { numRuns: 60 },
    );
  });

  it("may lose to an edit what a smaller one has from elsewhere", () => {
    // At capacity 1 the file's text is evicted by B and comes back as a command's, which no edit of the file drops.
    const [text, other] = [textOf(300, "A"), textOf(300, "B")];
    const edit = [call("edit", "Edit", { file_path: "/a" }), result("edit", "done")];
    const lines = [
      ...file("read", "/a", text),
      ...command("other", other),
      ...command("cat", text),
      ...edit,
      ...file("read again", "/b", text),
    ];
    expect(hitsAt(lines, 1)).toEqual(["read again"]);
    expect(hitsAt(lines, 2)).toEqual(["cat"]);
  });
});

/** A sweep that saves these amounts at capacity 1, 2, 3 …, the last one from there on and without a limit. */
function saving(...amounts: number[]) {
  return emptySweep().map((point, slot) => {
    const amount = amounts[slot] ?? amounts.at(-1) ?? 0;
    return { ...point, hits: amount, savedBytes: amount, savedTokens: amount };
  });
}

describe("the advice", () => {
  it("is the smallest capacity that reaches 95 % of the unbounded saving", () => {
    expect(advise(saving(10, 60, 94, 95, 99, 100))).toEqual({ capacity: 4, of: "unbounded saving", share: 0.95 });
    expect(advise(saving(10, 60, 94.9, 96, 100)).capacity).toBe(4);
    expect(advise(saving(100)).capacity).toBe(1);
  });

  it("is none if even 32 falls short", () => {
    const sweep = saving(1).map(point =>
      point.capacity === null ? { ...point, savedBytes: 100, savedTokens: 100 } : point,
    );
    expect(advise(sweep).capacity).toBeNull();
  });
});

/**
 * The counts of a report are those of the rules, implemented a second time (test/reference): over every log in a clone,
 * and over the genuine logs next to the repository, if they exist.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { agentOfFile, isTranscript } from "../../src/log/sessionFiles.js";
import { type ReferenceSettings, referenceReplay } from "../reference/replay.js";
import { built, Place } from "../support/cli.js";
import { call, logText, result } from "../support/log.js";
import { FIXTURES, filesUnder, GENUINE, genuineLogs, REPOSITORY, WHOLE_RESULTS } from "../support/replay.js";

const present = genuineLogs().length > 0;
if (!present) console.log(`skipped: the counts over genuine logs, because ${GENUINE} is not there`);

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");

/**
 * `genuine`: the counts over the genuine logs, in the columns of `columnsOf`, from another implementation, written
 * independently from the same rules.
 */
const TABLE = [
  {
    capacity: 5,
    minBytes: 200,
    genuine: "14 | 4104 / 10 / 3 / 3 / 6 | 2285 / 1601 / 410 / 44 / 2 | 623 | 2967 | 8 | 3 | 9 | 2 | 0",
  },
  {
    capacity: 20,
    minBytes: 200,
    genuine: "24 | 4104 / 0 / 3 / 3 / 6 | 2285 / 1601 / 410 / 44 / 2 | 746 | 1824 | 8 | 3 | 9 | 2 | 0",
  },
  {
    capacity: 1,
    minBytes: 1000,
    genuine: "3 | 2150 / 6 / 1 / 2 / 3 | 4260 / 1601 / 410 / 44 / 2 | 264 | 1798 | 8 | 0 | 9 | 2 | 0",
  },
  {
    capacity: 1_000_000,
    minBytes: 200,
    genuine: "24 | 4104 / 0 / 3 / 3 / 6 | 2285 / 1601 / 410 / 44 / 2 | 784 | 0 | 8 | 3 | 9 | 2 | 0",
  },
];

/** How often each kind of event occurs, with its reason if any, and the number of bad lines. */
type Counts = Map<string, number>;

function add(counts: Counts, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function addEvents(counts: Counts, events: readonly object[]): void {
  for (const event of events as { kind: string; why?: string; reason?: string; runs?: unknown[] }[]) {
    if (event.runs !== undefined) add(counts, "runs", event.runs.length);
    add(counts, [event.kind, event.why ?? event.reason ?? ""].join(" ").trim());
  }
}

function countsOf(report: Report): Counts {
  const counts: Counts = new Map();
  for (const { badLines, contexts } of report.sessions) {
    add(counts, "bad lines", badLines);
    for (const { events } of contexts) addEvents(counts, events ?? []);
  }
  return counts;
}

function countsByReference(files: readonly string[], settings: Partial<ReferenceSettings>): Counts {
  const counts: Counts = new Map();
  const all = { ...WHOLE_RESULTS, invalidates: {}, ...settings };
  for (const file of files) {
    const { badLines, contexts } = referenceReplay(readFileSync(file), all, agentOfFile(file));
    add(counts, "bad lines", badLines);
    for (const { events } of contexts) addEvents(counts, events);
  }
  return counts;
}

/** The counts as a line of the table; what the table has no column for must not occur. */
function columnsOf(counts: Counts): string {
  const rest = new Map(counts);
  const take = (name: string) => {
    const count = rest.get(name) ?? 0;
    rest.delete(name);
    return count;
  };
  const misses = ["new", "evicted", "afterEdit", "compacted", "rewound"].map(why => take(`miss ${why}`)).join(" / ");
  const bypasses = ["small", "mutation", "error", "nonText", "native"]
    .map(reason => take(`bypass ${reason}`))
    .join(" / ");
  const others = ["invalidate", "evict", "boundary", "clear", "rewind", "shrink", "bad lines"].map(take);
  return [[take("hit"), misses, bypasses, ...others].join(" | "), ...rest.keys()].join(" and also ");
}

const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

async function report(...args: (string | number)[]): Promise<Report> {
  const { stdout, stderr, status } = await place.ask(["report", "--json", ...args.map(String)]);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Report;
}

describe("over the fixtures and the sample", () => {
  const logs = [...filesUnder(FIXTURES).filter(isTranscript), SAMPLE];
  const paths = [FIXTURES, SAMPLE];

  it.each(TABLE)("the counts are those of the second implementation: $capacity, $minBytes", async settings => {
    const { capacity, minBytes } = settings;
    const args = [...paths, "--events", "--no-cache", "--capacity", capacity, "--min-bytes", minBytes];
    expect(countsOf(await report(...args, "--no-runs"))).toEqual(countsByReference(logs, { capacity, minBytes }));
    const withRuns = countsOf(await report(...args, "--span-min-bytes", 200));
    expect(withRuns).toEqual(countsByReference(logs, { capacity, minBytes, runs: true, spanMinBytes: 200 }));
    expect(withRuns.get("runs")).toBeGreaterThan(0);
  });

  it("the cache gives the same report without reading the logs again", async () => {
    const fresh = await report(...paths, "--events", "--no-cache");
    expect(await report(...paths, "--events")).toEqual(fresh);
    expect(await report(...paths, "--events")).toEqual(fresh);
  });

  it("what live runs saved is reported whether runs are on or off", async () => {
    const body = Array.from({ length: 60 }, (_, at) => `line ${at} of what a command prints`).join("\n");
    const texts = [body, "first\n> [ref: t0 lines 1-50]\nlast"];
    const lines = texts.flatMap((text, at) => [
      call(`t${at}`, "Bash", { command: "print" }, { uuid: `c${at}`, message: { id: `m${at}`, model: "m" } }),
      result(`t${at}`, text, { uuid: `r${at}` }),
    ]);
    place.write("live.jsonl", logText(...lines));
    const path = place.path("live.jsonl");
    const [on, off] = [await report(path), await report(path, "--no-runs")];
    expect(on.totals.realisedTokens).toBeGreaterThan(400);
    expect(off.totals.realisedTokens).toBe(on.totals.realisedTokens);
  });

  it("the token estimate of the sample is off by at most 10 % in the median", async () => {
    expect((await report(SAMPLE)).estimate.medianAbsError).toBeLessThanOrEqual(0.1);
  });
});

describe.skipIf(!present)("over all genuine logs", () => {
  it("there are 229 files", () => {
    expect(genuineLogs()).toHaveLength(229);
  });

  it.each(TABLE)("the counts are those of the table: $capacity, $minBytes", async ({ capacity, minBytes, genuine }) => {
    const settings = ["--no-runs", "--capacity", capacity, "--min-bytes", minBytes];
    const told = await report(GENUINE, "--events", ...settings);
    expect(columnsOf(countsOf(told))).toBe(genuine);
  });

  it("the cache gives the same report without reading the logs again", async () => {
    const [first] = TABLE;
    const settings = ["--capacity", first?.capacity ?? 0, "--min-bytes", first?.minBytes ?? 0];
    const fresh = await report(GENUINE, "--events", "--no-cache", ...settings);
    expect(await report(GENUINE, "--events", ...settings)).toEqual(fresh);
  });

  it("the token estimate is off by at most 10 % in the median", async () => {
    expect((await report(GENUINE)).estimate.medianAbsError).toBeLessThanOrEqual(0.1);
  });
});

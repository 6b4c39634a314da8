/** The counts that the rules, implemented a second time elsewhere, give over all the genuine logs beside the repository. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

const LOGS = join(REPOSITORY, "..", "shared", "logs");
const present = existsSync(LOGS);
if (!present) console.log(`skipped: the counts over genuine logs, because ${LOGS} is not there`);

/** The table at the end of the specification of the report, whose counts an independent implementation gave. */
const TABLE = [
  {
    settings: "capacity 5, minBytes 200",
    options: ["--capacity", "5", "--min-bytes", "200"],
    counts: "14 | 4104 / 10 / 3 / 3 / 6 | 2285 / 1601 / 410 / 44 / 2 | 623 | 2967 | 8 | 3 | 9 | 2 | 0",
  },
  {
    settings: "capacity 20, minBytes 200",
    options: ["--capacity", "20", "--min-bytes", "200"],
    counts: "24 | 4104 / 0 / 3 / 3 / 6 | 2285 / 1601 / 410 / 44 / 2 | 746 | 1824 | 8 | 3 | 9 | 2 | 0",
  },
  {
    settings: "capacity 1, minBytes 1000",
    options: ["--capacity", "1", "--min-bytes", "1000"],
    counts: "3 | 2150 / 6 / 1 / 2 / 3 | 4260 / 1601 / 410 / 44 / 2 | 264 | 1798 | 8 | 0 | 9 | 2 | 0",
  },
  {
    settings: "no limit, minBytes 200",
    options: ["--capacity", "1000000", "--min-bytes", "200"],
    counts: "24 | 4104 / 0 / 3 / 3 / 6 | 2285 / 1601 / 410 / 44 / 2 | 784 | 0 | 8 | 3 | 9 | 2 | 0",
  },
];

/** A report's events, counted in the columns of the table; everything the table does not name must not occur. */
function countsOf(report: Report): string {
  const counts = new Map<string, number>();
  const events = report.sessions.flatMap(session => session.contexts.flatMap(context => context.events ?? []));
  for (const event of events) {
    const detail = event.kind === "miss" ? event.why : event.kind === "bypass" ? event.reason : "";
    const name = `${event.kind} ${detail}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const take = (name: string) => {
    const count = counts.get(name) ?? 0;
    counts.delete(name);
    return count;
  };
  const misses = ["new", "evicted", "afterEdit", "compacted", "rewound"].map(why => take(`miss ${why}`)).join(" / ");
  const bypasses = ["small", "mutation", "error", "nonText", "native"]
    .map(reason => take(`bypass ${reason}`))
    .join(" / ");
  const others = ["invalidate", "evict", "boundary", "clear", "rewind", "shrink"].map(take);
  const badLines = report.sessions.reduce((sum, session) => sum + session.badLines, 0);
  const columns = [take("hit"), misses, bypasses, ...others, badLines].join(" | ");
  return [columns, ...counts.keys()].join(" and also ");
}

describe.skipIf(!present)("over all genuine logs", () => {
  // Not before: where the logs are not, nothing here is run, and nobody would remove it.
  let place: Place;
  beforeAll(async () => {
    await built();
    place = new Place();
  });
  afterAll(() => place.remove());

  const report = async (...args: string[]) => {
    const { stdout, stderr, status } = await place.run(["report", LOGS, "--json", ...args]);
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as Report;
  };

  it("there are 229 files", () => {
    expect(filesUnder(LOGS).filter(path => path.endsWith(".jsonl"))).toHaveLength(229);
  });

  it.each(TABLE)("the counts are those of the table: $settings", async ({ options, counts }) => {
    expect(countsOf(await report("--events", "--no-cache", ...options))).toBe(counts);
  });

  it("the cache gives the same counts without reading the logs again", async () => {
    const [first] = TABLE;
    const fresh = await report("--events", ...(first?.options ?? []));
    const cached = await report("--events", ...(first?.options ?? []));
    expect(cached).toEqual(fresh);
    expect(countsOf(cached)).toBe(first?.counts);
  });

  it("the token estimate is off by at most 10 % in the median", async () => {
    expect((await report()).estimate.medianAbsError).toBeLessThanOrEqual(0.1);
  });
});

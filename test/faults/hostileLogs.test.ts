/**
 * Logs of 2.5 MB that repeat one kind of thing. The program gets a heap that is large enough for any real log of that
 * size, and no log may fill it by repeating the start of something.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { HOSTILE_KINDS, hostileLog } from "../support/hostileLogs.js";

const BYTES = 2_500_000;
const HEAP = { NODE_OPTIONS: "--max-old-space-size=144" };
const ALL = ["report", "--json", "--no-cache", "--strategies", "--near-ref", "--passes"];

const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

describe("a log that is designed to fill the memory", () => {
  it.each(Object.keys(HOSTILE_KINDS))(
    "does not: %s",
    async kind => {
      place.write("log.jsonl", hostileLog(kind, BYTES));
      const { status, stdout, stderr } = await place.run([...ALL, "log.jsonl"], HEAP, 120_000);
      expect([status, stderr.replace(/^dedup-inspector: .*\n/gm, "")], stderr.slice(0, 2000)).toEqual([0, ""]);
      const report = JSON.parse(stdout) as Report;
      expect(report).toHaveProperty("passes.partitions");
      const [session] = report.sessions;
      const isBeyond = /^(?:contexts|compactions)/.test(kind);
      expect((session?.leftOutLines ?? 0) > 0).toBe(isBeyond);
      expect(/ lines left out, more than 4096 contexts or 10000 compactions in one log: log.jsonl/.test(stderr)).toBe(
        isBeyond,
      );
    },
    120_000,
  );

  it("is reported by watch, once", async () => {
    place.write("watched.jsonl", hostileLog("contexts with a text", BYTES));
    const args = ["watch", "watched.jsonl", "--json", "--from-start", "--idle-exit", "1"];
    const { status, stdout, stderr } = await place.run(args, HEAP, 120_000);
    expect(status).toBe(0);
    expect(stdout.split("\n").length - 1).toBe(4096);
    expect(stderr).toMatch(/^dedup-inspector: [\d,]+ lines left out, .*: watched\.jsonl\n$/);
  }, 120_000);
});

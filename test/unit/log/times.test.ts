import { describe, expect, it } from "vitest";
import { isResultEvent } from "../../../src/dedup/events.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { timestampOf } from "../../../src/log/times.js";
import { byKernel, byReplay } from "../../support/kernel.js";
import { answer, logText, read, result, textOf } from "../../support/log.js";
import { checkLines } from "../../support/readers.js";
import { eventsOn } from "../../support/replay.js";

const INVALID = [
  ...["soon", "", "2026-13-01T00:00:00.000Z", "+275760-09-13T00:00:00.001Z", "é".repeat(24), 7, null, {}],
  // `Date` has no doubts about these.
  ...["x 5", "Nov 1 2020", "2026-01-02", "2026-01-02T03:04:05.678", "2026-01-02 03:04Z", "9999-12-31T23:59-14:00"],
];

/** The latest is neither the last nor the greatest text. */
const ZONED = ["2026-01-02T08:00:00+09:00", "2026-01-01T23:30:00Z", "2026-01-01T14:45-09:00", "2026-01-02T07:59+09:00"];

describe("times in different zones", () => {
  const lines = ZONED.flatMap((timestamp, at) => [
    answer(`m${at}`, 1000, { timestamp }),
    read(`t${at}`, "/a", { timestamp }),
    result(`t${at}`, textOf(600), { timestamp }),
  ]);

  it("are in order, in both readers", () => {
    checkLines(...lines);
    for (const run of [byReplay, byKernel]) {
      const { firstAt, lastAt } = run("s.jsonl", Buffer.from(logText(...lines)), DEFAULT_SETTINGS);
      expect([firstAt, lastAt]).toEqual(["2026-01-01T22:59:00.000Z", "2026-01-01T23:45:00.000Z"]);
    }
  });

  it("are told in UTC", () => {
    const times = eventsOn(lines).flatMap(event => (isResultEvent(event) ? event.at : []));
    const utc = ["23:00", "23:30", "23:45", "22:59"].map(clock => `2026-01-01T${clock}:00.000Z`);
    expect(times).toEqual(utc);
  });

  it.each([
    ["2026-02-28T23:59:59.999Z", "2026-02-28T23:59:59.999Z"],
    ["2026-02-29T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
    ["2026-01-01T24:00:00.000Z", "2026-01-02T00:00:00.000Z"],
    ["1969-12-31T23:59:59.1Z", "1969-12-31T23:59:59.100Z"],
    ["2026-01-02T03:04:05.678912+00:00", "2026-01-02T03:04:05.678Z"],
  ])("are brought into the usual form: %s", (given, usual) => {
    expect(timestampOf(given)).toBe(usual);
  });
});

describe("an invalid timestamp counts as none", () => {
  for (const timestamp of INVALID) {
    const title = JSON.stringify(timestamp);
    const lines = [
      answer("m1", 1000, { timestamp }),
      read("t1", "/a", { timestamp }),
      result("t1", "some text", { timestamp }),
    ];

    it(`${title}: in both readers`, () => checkLines(...lines));

    it(`${title}: in figures`, () => {
      const log = Buffer.from(logText(...lines, { type: "x", timestamp }));
      for (const run of [byReplay, byKernel]) {
        const data = run("s.jsonl", log, DEFAULT_SETTINGS);
        expect([data.firstAt, data.lastAt]).toEqual([undefined, undefined]);
      }
      const valid = "2026-01-02T03:04:05.678Z";
      const more = Buffer.concat([log, Buffer.from(logText(answer("m2", 2000, { timestamp: valid })))]);
      for (const run of [byReplay, byKernel]) {
        const data = run("s.jsonl", more, DEFAULT_SETTINGS);
        expect([data.firstAt, data.lastAt]).toEqual([valid, valid]);
      }
    });
  }
});

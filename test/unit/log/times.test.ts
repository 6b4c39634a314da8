import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { byKernel, byReplay } from "../../support/kernel.js";
import { answer, logText, read, result } from "../../support/log.js";
import { checkLines } from "../../support/readers.js";

const INVALID = ["soon", "", "2026-13-01T00:00:00.000Z", "+275760-09-13T00:00:00.001Z", "é".repeat(24), 7, null, {}];

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

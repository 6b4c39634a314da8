/** Several processes, one cache. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place } from "../../support/cli.js";
import { append, Chance, LineSource } from "../../support/liveLog.js";
import { logsSettled } from "../../support/until.js";

const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

describe("processes that read the same logs at once", () => {
  it("all give the same report, and leave one valid cache behind", async () => {
    const source = new LineSource(new Chance(2));
    const paths = [0, 1, 2, 3].map(log => place.write(`logs/${log}.jsonl`, source.take(200)));
    const report = (...more: string[]) => place.run(["report", "--json", place.path("logs"), ...more], {}, 60_000);
    for (let round = 0; round < 3; round++) {
      await logsSettled();
      const runs = await Promise.all([report(), report(), report(), report(), report("--capacity", "2")]);
      const expected = await report("--no-cache");
      for (const run of runs) expect(run).toMatchObject({ status: 0, stderr: "" });
      for (const run of runs.slice(0, 4)) expect(run.stdout).toBe(expected.stdout);
      const cache = place.path("home", "cache", "dedup-inspector");
      const names = readdirSync(cache).filter(name => name !== "reports" && name !== "tidied");
      for (const name of names) expect(name).toMatch(/^[0-9a-z]+\.pack$/);
      for (const name of readdirSync(join(cache, "reports"))) expect(name).toMatch(/^[0-9a-f]{8}$/);
      expect((await report("--capacity", "3")).stdout).toBe((await report("--capacity", "3", "--no-cache")).stdout);
      for (const path of paths) append(path, source.take(10));
    }
  });
});

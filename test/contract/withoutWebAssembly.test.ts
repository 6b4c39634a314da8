/** Without WebAssembly, logs are read by JSON.parse, which only takes longer. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { FIXTURES, REPOSITORY } from "../support/replay.js";

const LOGS = [join(REPOSITORY, "media", "sample.jsonl"), FIXTURES];
const JITLESS = { NODE_OPTIONS: "--jitless" };

describe("without WebAssembly", () => {
  const place = new Place();
  beforeAll(built);
  afterAll(() => place.remove());

  it("Node with --jitless has none", () => {
    const args = ["--jitless", "-p", "typeof WebAssembly"];
    expect(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout).toBe("undefined\n");
  });

  it("a report is the same to the last byte", async () => {
    const report = ["report", "--json", "--events", "--strategies", "--no-cache", ...LOGS];
    const [with_, without] = [await place.run(report), await place.run(report, JITLESS)];
    expect(without.status).toBe(0);
    expect(without.stdout).toBe(with_.stdout);
    expect(without.stdout).toContain('"kind":"hit"');
  });
});

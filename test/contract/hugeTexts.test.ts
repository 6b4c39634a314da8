/** Results as large and as deep as a line may be: every command handles them, with correct line numbers after them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { call, logText, result, textOf } from "../support/log.js";

const place = new Place();
afterAll(() => place.remove());

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const HUGE: Readonly<Record<string, (value: number) => string>> = {
  "a JSON string of 10 MB": value => `{"value":${value},"text":"${"x".repeat(10_000_000)}"}`,
  "a JSON string of 4 MB of escapes": value => `{"value":${value},"text":"${"\\n".repeat(2_000_000)}"}`,
  "lists nested 100,000 deep": value => `{"value":${value},"lists":${deep(100_000)}}`,
};

describe.each(Object.keys(HUGE))("a log with %s, twice with another value", kind => {
  const log = `${kind.replaceAll(/\W/g, "-")}.jsonl`;

  beforeAll(async () => {
    await built();
    const texts = [1, 2].map(value => HUGE[kind]?.(value) ?? "");
    const results = Object.entries({ huge0: texts[0], huge1: texts[1], small: textOf(300), again: textOf(300) });
    place.write(log, logText(...results.flatMap(([id, text = ""]) => [call(id, "Bash", {}), result(id, text)])));
  });

  it("watch --near-ref reports every event at its line", async () => {
    const args = ["watch", log, "--json", "--from-start", "--near-ref", "--idle-exit", "1"];
    const { status, stdout, stderr } = await place.run(args);
    const told = stdout.split("\n").flatMap(line => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]));
    expect([status, stderr]).toEqual([0, ""]);
    expect(told.map(({ line, kind: event, id, ref }) => [line, event, id, ref])).toEqual([
      [2, "miss", "huge0", undefined],
      [4, "nearHit", "huge1", "huge0"],
      [6, "miss", "small", undefined],
      [8, "hit", "again", "small"],
    ]);
  });

  it.each([
    [["--near-ref"], 1],
    [[], 0],
  ] as const)("report --strategies %j counts every result", async (args, near) => {
    const { status, stdout, stderr } = await place.run([
      "report",
      log,
      "--strategies",
      "--json",
      "--no-cache",
      ...args,
    ]);
    expect([status, stderr]).toEqual([0, ""]);
    const { totals, sessions } = JSON.parse(stdout) as Report;
    expect([totals.results, totals.nearHits, totals.hits, sessions[0]?.badLines]).toEqual([4, near, 1, 0]);
  });
});

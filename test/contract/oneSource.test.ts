/**
 * The same input gives the same figures wherever they are shown. The extension's exported report is the CLI's own;
 * open.test.ts tests that the browser's is the same.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { grouped, percent, short } from "../../src/words/numbers.js";
import { built, Place } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

async function output(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await place.ask(["report", SAMPLE, "--strategies", ...args]);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

/** The cells of the table's lines after a heading, as far as the next empty line; a sentence below the table has none. */
function block(table: string, heading: string): string[][] {
  const lines = table.split("\n");
  const start = lines.findIndex(line => line.startsWith(heading));
  expect(start).toBeGreaterThan(0);
  const end = lines.indexOf("", start);
  const cells = lines.slice(start + 2, end < 0 ? undefined : end).map(line => line.trim().split(/ {2,}/));
  return cells.filter(({ length }) => length > 1);
}

describe("one report", () => {
  it("says the same in the table and in JSON", async () => {
    const report = JSON.parse(await output("--json")) as Report;
    const table = await output("--gates", "--limit", "100");
    expect(report.strategies.some(({ strategy, hints }) => strategy === "span" && hints > 0)).toBe(true);
    const mostFirst = report.strategies.toSorted((one, other) => other.savedTokens - one.savedTokens);
    expect(block(table, "Ways to save").map(([, ...figures]) => figures)).toEqual(
      mostFirst.map(one => [
        grouped(one.results),
        grouped(one.hints),
        percent(one.share ?? 0, 1),
        short(one.savedTokens),
        short(one.carriedTokens),
        one.cost.usd === null ? "no price" : `$${one.cost.usd.toFixed(2)}`,
      ]),
    );
    const shown = block(table, "Where the tokens went").map(([, results, tokens]) => `${results} ${tokens}`);
    const told = report.gates.gates.map(({ results, tokens }) => `${grouped(results)} ${short(tokens)}`);
    expect(shown.toSorted()).toEqual(told.toSorted());
    expect(table).toContain(`${short(report.totals.savedTokens)} tokens`);
    expect(table).toContain(`${short(report.totals.forgoneTokens)} tokens`);
  });

  it("says the same about other systems in the table and in JSON, and adds up", async () => {
    const report = JSON.parse(await output("--json", "--passes")) as Report;
    const table = await output("--passes");
    const passes = report.passes?.passes ?? [];
    expect(passes.length).toBeGreaterThan(0);
    expect(
      block(table, "Rewriting history").map(([, changed, hits, frees, , rewritten]) => [
        changed,
        hits,
        frees,
        rewritten,
      ]),
    ).toEqual(
      passes.map(one => [
        grouped(one.changed),
        grouped(one.stats.dedupHits + one.stats.snippetHits),
        short(one.savedTokens),
        short(one.rewrittenTokens),
      ]),
    );
    const partitions = report.sessions.flatMap(({ contexts }) => contexts.flatMap(one => one.partitions));
    expect(block(table, "By partition")).toHaveLength(partitions.filter(one => one.passes).length);
    for (const [at, { savedTokens, units }] of passes.entries()) {
      const sum = (of: "savedTokens" | "units") =>
        partitions.reduce((all, one) => all + (one.passes?.passes[at]?.[of] ?? 0), 0);
      expect([sum("savedTokens"), sum("units")]).toEqual([savedTokens, units]);
    }
  });

  it.each([[], ["--markdown"], ["--html"]])("recommends only a capacity that saves no less (%s)", async (...format) => {
    expect(await output("--capacity", "1", ...format)).toMatch(
      /Capacity 3 is the smallest .* tokens more than with 1\./,
    );
    const enough = await output("--capacity", "200", ...format);
    expect(enough).toContain("The current capacity of 200 already saves almost as much as an unlimited cache would.");
    expect(enough).not.toContain("recommended");
  });

  it("is the same fresh and cached", async () => {
    const fresh = await output("--json", "--no-cache");
    expect(await output("--json")).toBe(fresh);
    expect(await output("--json")).toBe(fresh);
  });

  it("adds up: a context's partitions sum to the whole, strategy by strategy", async () => {
    const report = JSON.parse(await output("--json")) as Report;
    const partitions = report.sessions.flatMap(({ contexts }) => contexts.flatMap(one => one.partitions));
    for (const { strategy, hints, savedBytes } of report.strategies) {
      const sum = (of: "hints" | "savedBytes") =>
        partitions.reduce((all, { strategies }) => all + (strategies?.[strategy]?.[of] ?? 0), 0);
      expect([sum("hints"), sum("savedBytes")]).toEqual([hints, savedBytes]);
    }
  });
});

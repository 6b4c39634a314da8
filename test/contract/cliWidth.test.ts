/** What people read in a terminal: nothing is wider than it, and nothing irrelevant is reported. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportCommand } from "../../src/cli/reportCommand.js";
import { built, Place } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";

const sample = join(REPOSITORY, "media", "sample.jsonl");
const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

async function report(width: number, ...options: string[]): Promise<string> {
  const printed: string[] = [];
  const terminal = { colour: false, width, out: (text: string) => printed.push(text), say: () => {} };
  expect(await reportCommand([...options, "--no-cache", sample], terminal)).toBe(0);
  return printed.join("");
}

describe.each([60, 80, 120])("a report in a terminal of %i columns", width => {
  it.each([[[]], [["--strategies"]], [["--passes"]], [["--gates"]]])("with %j is no wider", async options => {
    const lines = (await report(width, ...options)).split("\n");
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter(line => [...line].length > width)).toEqual([]);
  });
});

it("does not cut the name of any strategy, even in a narrow terminal", async () => {
  const narrow = await report(60, "--strategies");
  const table = narrow.slice(narrow.indexOf("Ways to save")).split("\n\n")[0] ?? "";
  expect(table.split("\n").length).toBeGreaterThan(5);
  expect(table).not.toContain("…");
});

it("begins with the answer, uncut, and the command that turns it on", async () => {
  const [answer = "", command = ""] = (await report(80)).split("\n");
  expect(answer).toMatch(/^Could save [\d.]+k? tokens · [\d.]+ % of tool results/);
  expect(answer).not.toContain("…");
  expect(command).toContain("hooks install");
});

it("an eviction is reported with the miss that it causes, and not on its own", async () => {
  const { stdout: json } = await place.ask(["report", "--json", "--no-cache", sample]);
  expect(JSON.parse(json).totals.evictions).toBeGreaterThan(0);
  const { stdout } = await place.run(["watch", "--from-start", "--idle-exit", "1", sample]);
  const told = stdout.split("\n").filter(Boolean);
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter(line => line.includes("Eviction"))).toEqual([]);
});

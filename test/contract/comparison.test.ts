/** What a page gets about strategies, passes and all sessions, against `report --strategies --json`. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PartitionPasses } from "../../src/inspect/passFigures.js";
import type { Report } from "../../src/inspect/report.js";
import type { RunStrategy } from "../../src/inspect/strategies.js";
import type { ContextComparison } from "../../src/protocol/comparison.js";
import type { PanelDelta, PanelState } from "../../src/protocol/messages.js";
import type { EmittedText } from "../../src/protocol/requests.js";
import { Place } from "../support/cli.js";
import { call, logText, result } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";
import { openedIn, Tab, until } from "../unit/serve/opened.js";

const place = new Place();
const start = openedIn(place);

const OPTIONS = ["--chars-per-token", "3", "--span-min-bytes", "250"];

async function opened(folder: string): Promise<Tab> {
  const program = start([folder, ...OPTIONS]);
  await program.started;
  const tab = await Tab.open(program);
  await tab.post({ type: "ready" });
  await tab.state((state: PanelState) => state.context !== null && state.progress === null);
  return tab;
}

async function reportOf(folder: string, ...options: string[]): Promise<Report> {
  const { stdout } = await place.ask(["report", folder, "--json", "--strategies", ...OPTIONS, ...options], {}, 30_000);
  return JSON.parse(stdout) as Report;
}

/** The newest delta for which this holds. */
async function told(tab: Tab, holds: (delta: PanelDelta) => boolean): Promise<PanelDelta> {
  const deltas = () => tab.messages.flatMap(message => (message.type === "delta" ? [message.delta] : []));
  await until(() => deltas().some(holds));
  return deltas().findLast(holds) as PanelDelta;
}

const lines = (from: number, to: number, word = "line") =>
  Array.from({ length: to - from + 1 }, (_, at) => `${word} ${from + at} says something of its own`).join("\n");

it("the sample's strategies match the report, for every partition, and at another capacity too", async () => {
  place.write("sample/a.jsonl", readFileSync(join(REPOSITORY, "media", "sample.jsonl")));
  const tab = await opened("sample");
  const check = async (...options: string[]) => {
    const compared = (await tab.ask({ method: "strategies" })) as ContextComparison;
    const main = (await reportOf("sample", ...options)).sessions[0]?.contexts.find(({ id }) => id === "main");
    expect(compared.partitions.length).toBeGreaterThan(1);
    expect(compared.partitions).toEqual(main?.partitions.map(({ strategies }) => strategies));
    // What live hints would save matches the report's own figures.
    expect(compared.partitions.map(({ live }) => live?.savedBytes)).toEqual(
      main?.partitions.map(one => one.savedBytes),
    );
    // The whole is the sum of the partitions, apart from rounding.
    for (const { strategy, savedBytes, hints, savedTokens } of compared.strategies) {
      const sum = (of: "savedBytes" | "hints" | "savedTokens") =>
        compared.partitions.reduce((total, partition) => total + (partition[strategy]?.[of] ?? 0), 0);
      expect([strategy, savedBytes, hints]).toEqual([strategy, sum("savedBytes"), sum("hints")]);
      expect(Math.abs(savedTokens - sum("savedTokens"))).toBeLessThanOrEqual(compared.partitions.length);
    }
    return compared;
  };
  const before = await check();
  const { passes } = (await tab.ask({ method: "passes" })) as PartitionPasses;
  expect(passes.map(({ pass }) => pass)).toContain("streamingTrim");
  await tab.ask({ method: "setCapacity", capacity: 2 });
  const after = await check("--capacity", "2");
  const whole = ({ strategies }: ContextComparison) => strategies.find(({ strategy }) => strategy === "whole");
  expect(whole(after)?.savedBytes).toBeLessThan(whole(before)?.savedBytes ?? 0);
  tab.close();
});

it("for all sessions everything matches the report", async () => {
  place.write("all/a.jsonl", readFileSync(join(REPOSITORY, "media", "sample.jsonl")));
  place.write("all/b.jsonl", logText(call("1", "Bash", {}), result("1", lines(1, 20)), call("2", "Bash", {})));
  const tab = await opened("all");
  await tab.ask({ method: "compareAll", on: true });
  const { all } = await told(tab, delta => delta.all?.report != null);
  const report = await reportOf("all");
  expect(all?.report?.strategies).toEqual(report.strategies);
  expect(all?.report?.runSizes).toEqual(report.runSizes);
  expect(all?.report?.gates).toEqual(report.gates);
  expect([all?.report?.sessions, all?.report?.results]).toEqual([report.totals.sessions, report.totals.results]);
  // With another capacity it stays visible, and says for which one it was computed.
  await tab.ask({ method: "setCapacity", capacity: 2 });
  await tab.state(state => state.all.report?.capacity === 5 && state.settings.capacity === 2);
  tab.close();
});

it("a result is shown with its hints, each with the lines it replaces, while the log grows", async () => {
  const log = place.write(
    "spans/a.jsonl",
    logText(call("one", "Bash", { command: "a" }), result("one", lines(1, 20)), call("two", "Bash", { command: "b" })),
  );
  const tab = await opened("spans");
  await tab.ask({ method: "strategies" });
  // Repeats lines 11 to 20, with ten new ones; then some of both.
  const second = `${lines(11, 20)}\n${lines(1, 10, "other")}`;
  const third = `head\n${lines(11, 20)}\n${lines(3, 10, "other")}\ntail`;
  appendFileSync(log, logText(result("two", second), call("three", "Bash", { command: "c" }), result("three", third)));
  await told(tab, delta => delta.grown?.ids.at(-1) === "three");
  const emitted = async (row: number, strategy: RunStrategy = "span") =>
    (await tab.ask({ method: "emitted", row, strategy })) as EmittedText;
  expect(await emitted(1)).toEqual({
    text: `> [ref: one lines 11-20]\n${lines(1, 10, "other")}`,
    cut: false,
    lines: 20,
    hints: [{ line: 0, row: 0, input: null, from: 11, to: 20 }],
  });
  // The second result was emitted with its first ten lines as one: its lines 4-11 are 13-20 in the log.
  expect(await emitted(2)).toEqual({
    text: "head\n> [ref: one lines 11-20]\n> [ref: two lines 4-11]\ntail",
    cut: false,
    lines: 20,
    hints: [
      { line: 1, row: 0, input: null, from: 11, to: 20 },
      { line: 2, row: 1, input: null, from: 13, to: 20 },
    ],
  });
  // Live hints also say which calls they are from.
  expect((await emitted(2, "live")).text).toBe(
    "head\n> [ref: one lines 11-20, from: Bash(a)]\n> [ref: two lines 4-11, from: Bash(b)]\ntail",
  );
  expect((await emitted(2, "live")).hints).toEqual((await emitted(2)).hints);
  const saved = (await tab.ask({ method: "savings", strategy: "span" })) as number[];
  expect(saved).toEqual([
    1,
    lines(11, 20).length - "> [ref: one lines 11-20]".length,
    2,
    lines(11, 20).length + lines(3, 10, "other").length - "> [ref: one lines 11-20]> [ref: two lines 4-11]".length,
  ]);
  expect(await tab.ask({ method: "compare", row: 2, strategy: "span" })).toMatchObject({
    left: { text: third },
    right: { text: (await emitted(2)).text },
  });
  tab.close();
});

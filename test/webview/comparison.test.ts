/** What if and Why: the numbers shown are the report's, and each line leads to what it is about. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { buildReport, type Report } from "../../src/inspect/report.js";
import { ResultRows } from "../../src/inspect/rows.js";
import { StrategyRows } from "../../src/inspect/strategyRows.js";
import { NO_SESSIONS_COMPARED } from "../../src/protocol/comparison.js";
import { grouped, percent, short } from "../../src/words/numbers.js";
import { strings } from "../../src/words/strings.js";
import { TestPage } from "./page.js";
import { allCompared, answerFromSample, WITH_RUNS } from "./scenes.js";
import { mainOf, panelState, sampleLog } from "./states.js";

const log = sampleLog({}, true);
/** Only of the main conversation, as on the page. */
const report: Report = buildReport([{ ...log, contexts: [mainOf(log)] }], DEFAULT_SETTINGS, () => true, {
  strategies: true,
});
let opened: TestPage;

beforeEach(async () => {
  opened = await TestPage.open({ answer: answerFromSample });
  await opened.show(panelState(log));
});
afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

/** Those that save something, largest first. */
function bySaving({ strategies }: Report) {
  return strategies
    .filter(({ savedTokens }) => savedTokens > 0)
    .sort((one, other) => other.savedTokens - one.savedTokens);
}

/** The rows of a table as lists of texts. */
function cells(name: string): Promise<string[][]> {
  return opened.page
    .getByRole("table", { name })
    .locator("tbody tr")
    .evaluateAll(rows => rows.map(row => [...row.children].map(cell => (cell.textContent ?? "").trim())));
}

test("strategies have the report's figures, the current one is marked, and one is shown in the timeline", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByRole("table", { name: "Ways to save" }).waitFor();
  const shown = await cells("Ways to save");
  expect(shown.map(row => row.slice(1))).toEqual(
    bySaving(report).map(({ savedTokens, share, results, hints, carriedTokens, cost }) => [
      short(savedTokens),
      percent(share ?? 0, 1),
      grouped(results),
      grouped(hints),
      short(carriedTokens),
      `$${cost.usd?.toFixed(2)}`,
    ]),
  );
  const names = shown.map(([name]) => name);
  expect(names.filter(name => name?.includes("now"))).toEqual(["Live hints (last 5, from 512 bytes)now"]);
  const bounds = names.filter(name => name?.includes("upper bound"));
  expect(bounds).toEqual(
    expect.arrayContaining([
      "All runs of lines (from 200 bytes)upper bound",
      "All runs of lines, call inputs too (from 200 bytes)upper bound",
      "Whole results, no limitupper bound",
    ]),
  );
  const runs = page.getByRole("button", { name: "All runs of lines (from 200 bytes)" });
  await runs.click();
  expect(await runs.getAttribute("aria-pressed")).toBe("true");
  await runs.click();
  expect(await runs.getAttribute("aria-pressed")).toBe("false");
});

test("it is requested once, not on every visit; and again for another capacity", async () => {
  const { page } = opened;
  const asked = async () => (await opened.asks()).filter(({ method }) => method === "strategies").length;
  expect(await asked()).toBe(0);
  for (const tab of ["What if", "Breakdown", "What if"]) await page.getByRole("tab", { name: tab }).click();
  await page.getByRole("table", { name: "Ways to save" }).waitFor();
  expect(await asked()).toBe(1);
  const settings = { ...panelState(log).settings, capacity: 12 };
  await opened.show(panelState(sampleLog({ capacity: 12 }), { settings }), 2);
  await expect.poll(asked).toBe(2);
});

test("a comparison that fails says why, and can be tried again", async () => {
  const { page } = opened;
  await page.evaluate("window.answered = answerAsk; answerAsk = () => Promise.reject(new Error('The log is gone'))");
  await page.getByRole("tab", { name: "What if" }).click();
  const failed = page.getByText("Could not compare the ways to save: The log is gone");
  await failed.waitFor();
  await opened.expectAccessible("a failed comparison");
  await page.evaluate("answerAsk = answered");
  await page.getByRole("button", { name: "Try again" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "Ways to save" }).waitFor();
  expect(await failed.count()).toBe(0);
  await page.locator("summary", { hasText: "Rewriting history" }).waitFor();
  expect(await page.evaluate("document.activeElement === document.body")).toBe(false);
});

test("if it fails under other settings, the figures of the earlier ones go", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByRole("table", { name: "Ways to save" }).waitFor();
  await page.evaluate("answerAsk = () => Promise.reject(new Error('The log is gone'))");
  const settings = { ...panelState(log).settings, capacity: 12 };
  await opened.show(panelState(sampleLog({ capacity: 12 }), { settings }), 2);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  expect(await page.getByRole("table", { name: "Ways to save" }).count()).toBe(0);
});

test("passes say what they free, what is rewritten and when that pays off; unknown is not 0", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "What if" }).click();
  await page.locator("summary", { hasText: "Rewriting history" }).click();
  await page.getByRole("table", { name: "Rewriting history" }).waitFor();
  const shown = await cells("Rewriting history");
  const trimmed = shown.find(([name]) => name === "All but the first and the most recent messages") ?? [];
  const priced = [...trimmed.slice(1, 3), ...trimmed.slice(6)];
  expect(priced).toHaveLength(4);
  expect(priced.every(cell => /\d|immediately/.test(cell))).toBe(true);
  // The sample's thinking has no text, which does not mean a saving of 0 tokens.
  for (const row of shown) expect(row.slice(1)).not.toContain("0");
});

test("all sessions are compared on request, with progress, and can be cancelled", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByRole("radio", { name: "All sessions" }).check({ force: true });
  await page.getByRole("button", { name: "Compare all sessions" }).click();
  expect(await opened.asks()).toContainEqual({ method: "compareAll", on: true });
  const progress = { filesDone: 3, files: 9, bytesDone: 5e6, bytes: 2e7, secondsLeft: 4 };
  await opened.delta(2, { all: { ...NO_SESSIONS_COMPARED, progress } });
  await page.getByText("3 of 9 files · 5.0 MB of 20.0 MB · about 4 s left").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await opened.asks()).toContainEqual({ method: "compareAll", on: false });
  await opened.delta(3, { all: allCompared() });
  const saved = (await cells("Ways to save")).map(row => row[1]);
  const whole = buildReport([log], DEFAULT_SETTINGS, () => true, { strategies: true });
  expect(saved).toEqual(bySaving(whole).map(({ savedTokens }) => short(savedTokens)));
  await page.getByRole("tab", { name: "Breakdown" }).click();
  expect((await cells("Where the tokens went")).length).toBe(whole.gates.gates.length);
});

test("every gate has the report's figures and leads to its events", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Breakdown" }).click();
  const all = report.gates.gates.reduce((sum, { tokens }) => sum + tokens, 0);
  const expected = [...report.gates.gates]
    .sort((left, right) => right.tokens - left.tokens || right.results - left.results)
    .map(({ tokens, results }) => [short(tokens), percent(tokens, all), grouped(results)]);
  expect((await cells("Where the tokens went")).map(row => row.slice(1))).toEqual(expected);
  const exact = ["hit", "small", "error", "evicted", "invalidated", "compacted", "cleared", "rewound", "shrunk"];
  for (const { gate, results } of report.gates.gates.filter(one => exact.includes(one.gate))) {
    await page.getByRole("tab", { name: "Breakdown" }).click();
    await page.locator(`.gate-${gate} button`).click();
    await opened.settled();
    expect([gate, await page.locator(".event-list").getAttribute("aria-rowcount")]).toEqual([gate, String(results)]);
  }
});

test("files, tools and large results lead to their events", async () => {
  const { page } = opened;
  const toWhy = () => page.getByRole("tab", { name: "Breakdown" }).click();
  await toWhy();
  const [file] = report.gates.reread;
  await page.getByRole("list", { name: "Files read again" }).getByRole("button").first().click();
  await opened.settled();
  expect(await page.locator(".event-row").count()).toBeGreaterThanOrEqual(file?.reads ?? 99);
  const reads = page.locator(".event-row", { has: page.locator(".cell-tool", { hasText: "Read" }) });
  const targets = new Set(await reads.locator(".target-name").allTextContents());
  expect(targets.size).toBe(1);
  expect(file?.path).toContain([...targets][0]);
  await toWhy();
  const [tool] = report.gates.tools;
  await page.getByRole("list", { name: "Tools" }).getByRole("button").first().click();
  await opened.settled();
  expect(await page.getByRole("combobox", { name: "Tool" }).textContent()).toContain(tool?.tool);
  await toWhy();
  await page.getByRole("list", { name: "Largest results" }).getByRole("button").first().click();
  const asked = (await opened.asks()).find(ask => ask.method === "openCall");
  const rows = new ResultRows(mainOf(log).rows, mainOf(log).ids.length);
  expect(asked && "row" in asked && rows.get(asked.row, "line")).toBe(report.gates.largest[0]?.line);
});

test("with a strategy in the timeline its results say what it would save", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByRole("button", { name: "All runs of lines (from 200 bytes)" }).click();
  expect(await opened.asks()).toContainEqual({ method: "savings", strategy: "span" });
  await opened.post({ type: "reveal", row: WITH_RUNS });
  await page.locator(".timeline").focus();
  const { savedChars = 0 } = new StrategyRows(mainOf(log).strategies).find(WITH_RUNS, "span") ?? {};
  const chars = new ResultRows(mainOf(log).rows, mainOf(log).ids.length).get(WITH_RUNS, "chars");
  const tokens = Math.round(savedChars / (report.sessions[0]?.calibration.charsPerToken ?? 0));
  const said = `All runs of lines: ${tokens} tokens less (${percent(savedChars, chars)})`;
  // The timeline announces what the keys select: there and back, until the answer has arrived.
  const announced = async () => {
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await opened.settled();
    return page.getByRole("status").textContent();
  };
  await expect.poll(announced).toContain(said);
});

test("a hint inside a result expands to the lines it replaces, and can be compared with the original", async () => {
  const { page } = opened;
  await opened.post({ type: "reveal", row: WITH_RUNS });
  await page.getByText("Text", { exact: true }).click();
  const hint = page.locator(".emitted-hint button").first();
  await hint.click();
  await page.locator(".referenced pre").filter({ hasNotText: strings.details.loading }).waitFor();
  const [, call, from, to] = /^call (\d+) lines (\d+) to (\d+)/.exec(await opened.text(".referenced p")) ?? [];
  const row = Number(call) - 1;
  const lines = { from: Number(from), to: Number(to) };
  expect(await opened.asks()).toContainEqual({ method: "lines", row, input: null, ...lines });
  // The lines are the result's own.
  const whole = await page.locator(".preview .block").last().locator("pre").textContent();
  const [first = ""] = (await page.locator(".referenced pre").textContent())?.split("\n") ?? [];
  expect(whole).toContain(first.replace(/^\s*\d+[\t→]/, ""));
  await page.getByRole("button", { name: "Compare with hints" }).last().click();
  expect(await opened.asks()).toContainEqual({ method: "openComparison", row: WITH_RUNS, strategy: "live" });
  await page
    .locator(".referenced")
    .getByRole("button", { name: `call ${call}` })
    .click();
  expect(await opened.asks()).toContainEqual({ method: "openCall", row });
});

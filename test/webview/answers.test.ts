/** The host's answers are valid for one snapshot: for other settings or another session they are requested again. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PanelState } from "../../src/protocol/messages.js";
import type { PageAsk } from "../../src/protocol/requests.js";
import { TestPage } from "./page.js";
import { A_HIT, answerFromSample } from "./scenes.js";
import { panelState, sampleLog } from "./states.js";

const log = sampleLog();
let opened: TestPage;
/** The answer from now on. */
let hint = "";
let result: string | null = "";

function answer(ask: PageAsk): unknown {
  if (ask.method === "setAxis") throw new Error("settings.json cannot be written");
  if (ask.method === "details") return { id: "", tool: "", input: "", result, cut: false, hint };
  if (ask.method === "logLine") return { file: "", line: 1, text: `a line of the log: ${hint}` };
  return answerFromSample(ask);
}

async function show(seq: number, change: Partial<PanelState>): Promise<void> {
  await opened.show(panelState(log, { place: "browser", ...change }), seq);
}

beforeEach(async () => {
  opened = await TestPage.open({ answer, width: 900, height: 900 });
});

afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

test("the texts of the selected call", async () => {
  const { page } = opened;
  hint = "> [ref: terse]";
  await show(1, {});
  await opened.post({ type: "reveal", row: A_HIT });
  await page.locator(".preview summary").click();
  await page.locator(".preview pre", { hasText: hint }).waitFor();
  hint = "> [ref: verbose, byte-identical, from: other]";
  await show(2, { basis: "other settings" });
  // The old text is gone immediately; the new one may take a while.
  expect(await page.locator(".preview pre", { hasText: "terse" }).count()).toBe(0);
  await page.locator(".preview pre", { hasText: hint }).waitFor();
});

test("a result that is not text is not called empty", async () => {
  const { page } = opened;
  const shown = () => page.locator(".block", { has: page.getByRole("heading", { name: "Result" }) }).locator("pre");
  for (const [seq, answered, text] of [
    [1, null, "(not text)"],
    [2, "", "(empty)"],
  ] as const) {
    result = answered;
    await show(seq, { basis: text });
    await opened.post({ type: "reveal", row: A_HIT });
    if (seq === 1) await page.locator(".preview summary").click();
    await shown().getByText(text, { exact: true }).waitFor();
  }
});

test("a text that replaces everything, which closes with its session", async () => {
  const { page } = opened;
  hint = "before";
  await show(1, {});
  await opened.post({ type: "reveal", row: A_HIT });
  await page.getByText("Log line", { exact: true }).click();
  await page.locator(".overlay", { hasText: "a line of the log: before" }).waitFor();
  hint = "after";
  await show(2, { basis: "other settings" });
  await page.locator(".overlay", { hasText: "a line of the log: after" }).waitFor();
  const [, other] = panelState(log).sessions;
  await show(3, { selected: { session: other?.key ?? "", context: "main" } });
  expect(await page.locator(".overlay").count()).toBe(0);
  expect(await page.locator(".event-row").count()).toBeGreaterThan(0);
});

test("an axis that is refused: the switch shows the one that is drawn, and can be used again", async () => {
  const { page } = opened;
  await show(1, {});
  const axis = (name: string) => page.getByRole("radio", { name });
  for (const times of [1, 2]) {
    await axis("Time").check({ force: true });
    await expect.poll(() => axis("Order").isChecked()).toBe(true);
    expect((await opened.asks()).filter(({ method }) => method === "setAxis")).toHaveLength(times);
  }
  expect(await page.locator(".problem", { hasText: "settings.json cannot be written" }).count()).toBeGreaterThan(0);
});

test("a session without messages is not said to be read", async () => {
  await show(1, { context: null, contexts: [], progress: null });
  await opened.page.getByText("No messages in this session yet", { exact: true }).waitFor();
  expect(await opened.page.getByRole("progressbar").count()).toBe(0);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContextState, PanelState } from "../../src/protocol/messages.js";
import { TestPage } from "./page.js";
import { A_HIT, answerFromSample, ITS_TOOL } from "./scenes.js";
import { contextState, grown, mainOf, panelState, replay, sampleLines, sampleLog } from "./states.js";

const lines = sampleLines();
/** The number of lines in this share of the sample. */
const part = (share: number) => Math.round(share * lines.length);
/** The sample after that many of its lines. */
const sampleAfter = (count: number): ContextState => contextState(replay(lines.slice(0, count).join("")));
const whole = panelState(sampleLog());
const liveFrom = (context: ContextState): PanelState => ({
  ...whole,
  context,
  following: true,
  sessions: whole.sessions.map((session, index) => (index === 0 ? { ...session, live: true } : session)),
});

let opened: TestPage;

beforeEach(async () => {
  opened = await TestPage.open({ answer: answerFromSample });
});

afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

const readies = async () => (await opened.messages()).filter(({ type }) => type === "ready").length;

describe("a session that is being written to", () => {
  test("grows row by row to exactly what a full snapshot shows", async () => {
    let known = sampleAfter(part(0.4));
    await opened.show(liveFrom(known), 1);
    let seq = 1;
    for (let count = part(0.4) + 20; count < lines.length + 20; count += 20) {
      const next = sampleAfter(Math.min(count, lines.length));
      await opened.delta(++seq, { grown: grown(known, next) });
      known = next;
    }
    const live = await opened.text(".figures");
    const last = await opened.text(".event-row:last-child .cell-number");
    expect(last).toBe(`${mainOf(sampleLog()).ids.length}`);
    expect(await readies()).toBe(1);
    await opened.show(liveFrom(known), 100);
    expect(await opened.text(".figures")).toBe(live);
  });

  test("stays at the end while the user is there, and only then", async () => {
    const first = sampleAfter(part(0.6));
    const second = sampleAfter(part(0.8));
    const third = sampleAfter(part(1));
    await opened.show(liveFrom(first), 1);
    const top = () => opened.page.evaluate<number>("document.querySelector('.event-list').scrollTop");
    const atFirst = await top();
    expect(atFirst).toBeGreaterThan(0);
    await opened.delta(2, { grown: grown(first, second) });
    expect(await top()).toBeGreaterThan(atFirst);
    await opened.page.locator(".event-list").hover();
    await opened.page.mouse.wheel(0, -600);
    await opened.settled();
    const away = await top();
    await opened.delta(3, { grown: grown(second, third) });
    expect(await top()).toBe(away);
    await opened.page.getByRole("button", { name: "Go to newest" }).click();
    await opened.settled();
    expect(await top()).toBeGreaterThan(away);
  });

  test("is still at its end, or where it was left, after another tab or a reload", async () => {
    const { page } = opened;
    const [first, second, third] = [sampleAfter(part(0.4)), sampleAfter(part(0.6)), sampleAfter(part(0.8))];
    const reloaded = async (state: PanelState) => {
      await page.reload();
      await opened.waitForMessage("ready");
      await opened.show(state, 1);
    };
    const otherTab = async (meanwhile: () => Promise<void>) => {
      await page.getByRole("tab", { name: "Partitions" }).click();
      await meanwhile();
      await page.getByRole("tab", { name: "Events" }).click();
      await opened.settled();
    };
    const list = (of: string) =>
      page.evaluate<number>(`Math.round((list => ${of})(document.querySelector(".event-list")))`);
    const fromEnd = () => list("list.scrollHeight - list.clientHeight - list.scrollTop");
    const toEnd = page.getByRole("button", { name: "Go to newest" });
    await opened.show(liveFrom(first), 1);
    await otherTab(() => opened.delta(2, { grown: grown(first, second) }));
    expect([await fromEnd(), await toEnd.count()]).toEqual([0, 0]);
    await reloaded(liveFrom(third));
    expect([await fromEnd(), await toEnd.count()]).toEqual([0, 0]);
    await page.locator(".event-list").hover();
    await page.mouse.wheel(0, -300);
    await toEnd.waitFor();
    const top = await list("list.scrollTop");
    await otherTab(() => opened.delta(2, { grown: grown(third, sampleAfter(part(1))) }));
    expect([await list("list.scrollTop"), await toEnd.count()]).toEqual([top, 1]);
    await toEnd.click();
    await toEnd.waitFor({ state: "detached" });
    // An ended session too; on a narrow page, rows are higher than at first.
    await page.setViewportSize({ width: 420, height: 700 });
    await reloaded(whole);
    await list("list.scrollTop = list.scrollHeight");
    await opened.settled();
    await reloaded(whole);
    expect(await fromEnd()).toBe(0);
  });

  test("offers to go to its end once that is out of view, also if a selection keeps the list in place", async () => {
    const first = sampleAfter(part(0.6));
    await opened.show(liveFrom(first), 1);
    await opened.page.locator(".event-list").press("End");
    await opened.delta(2, { grown: grown(first, sampleAfter(part(0.8))) });
    await opened.page.getByRole("button", { name: "Go to newest" }).waitFor();
  });

  test("never shows a frame without rows if many arrive at once", async () => {
    const steps = [0.2, 0.4, 0.6, 0.8, 1].map(share => sampleAfter(part(share)));
    await opened.page.setViewportSize({ width: 1020, height: 270 });
    await opened.show(liveFrom(steps[0] as ContextState), 1);
    // After each frame has been painted, and before the next one begins.
    await opened.page.evaluate(`{
      const list = document.querySelector(".event-list").getBoundingClientRect();
      const after = new MessageChannel();
      window.painted = [0, 0];
      after.port1.onmessage = () => {
        const there = document.elementFromPoint(list.left + list.width / 2, list.top + list.height / 2);
        window.painted[there?.closest(".event-row") ? 1 : 0]++;
        requestAnimationFrame(() => after.port2.postMessage(0));
      };
      after.port2.postMessage(0);
    }`);
    for (const [at, next] of steps.slice(1).entries()) {
      await opened.delta(at + 2, { grown: grown(steps[at] as ContextState, next) });
    }
    const [blank, full] = await opened.page.evaluate<[number, number]>("window.painted");
    expect(full).toBeGreaterThan(0);
    expect(blank).toBe(0);
  });

  test("keeps the selection while rows come in", async () => {
    const first = sampleAfter(part(0.6));
    await opened.show(liveFrom(first), 1);
    await opened.post({ type: "reveal", row: 20 });
    await opened.delta(2, { grown: grown(first, sampleAfter(part(0.8))) });
    expect(await opened.text(".event-row.selected .cell-number")).toBe("21");
  });
});

test("a call revealed before there is data is shown once there is", async () => {
  await opened.post({ type: "reveal", row: A_HIT });
  await opened.show({ ...whole, context: null });
  await opened.show(whole, 2);
  expect(await opened.text(".event-row.selected .cell-number")).toBe(`${A_HIT + 1}`);
});

describe("what does not fit", () => {
  test("a missing delta makes the page request a snapshot, once", async () => {
    const first = sampleAfter(part(0.6));
    await opened.show(liveFrom(first), 1);
    const before = await opened.text(".figures");
    await opened.delta(3, { grown: grown(first, sampleAfter(part(0.8))) });
    await opened.delta(4, { problems: ["late"] });
    expect(await readies()).toBe(2);
    expect(await opened.text(".figures")).toBe(before);
    await opened.show(liveFrom(sampleAfter(part(0.8))), 9);
    await opened.delta(10, { problems: ["now it fits"] });
    expect(await opened.text(".problems")).toContain("now it fits");
    expect(await readies()).toBe(2);
  });

  test("so do rows that begin elsewhere", async () => {
    await opened.show(liveFrom(sampleAfter(part(0.6))), 1);
    await opened.delta(2, { grown: grown(sampleAfter(part(0.62)), sampleAfter(part(0.8))) });
    expect(await readies()).toBe(2);
  });

  test("a delta before any snapshot is ignored", async () => {
    await opened.delta(1, { problems: ["x"] });
    expect(await opened.page.locator(".problems").count()).toBe(0);
    expect(await readies()).toBe(1);
  });
});

describe("a page that is hidden and shown again", () => {
  const setVisible = (state: "hidden" | "visible") =>
    opened.page.evaluate(`(() => {
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    })()`);

  test("says when it is hidden, and requests a snapshot when it is visible again", async () => {
    await opened.show(whole);
    await setVisible("hidden");
    expect((await opened.messages()).at(-1)).toEqual({ type: "hidden" });
    await setVisible("visible");
    expect((await opened.messages()).at(-1)).toEqual({ type: "ready" });
    await opened.post({ type: "delta", seq: 2, delta: { problems: ["of before"] } });
    expect(await opened.page.locator(".problems").count()).toBe(0);
  });

  test("restores selection, filter, tab and sizes after a reload, and nothing else", async () => {
    await opened.show(whole);
    await opened.post({ type: "reveal", row: A_HIT });
    await opened.page.getByRole("textbox", { name: "Filter events" }).fill(ITS_TOOL);
    await opened.page.getByRole("separator").focus();
    await opened.page.keyboard.press("ArrowLeft");
    const split = await opened.page.getByRole("separator").getAttribute("aria-valuenow");
    await opened.settled();
    await opened.page.reload();
    await opened.waitForMessage("ready");
    const saved = await opened.page.evaluate<string>("sessionStorage.getItem('fake-vscode-state')");
    expect(saved.length).toBeLessThan(1000);
    expect(saved).not.toContain("docs/api.md");
    await opened.show(whole);
    expect(await opened.text(".event-row.selected .cell-number")).toBe(`${A_HIT + 1}`);
    expect(await opened.page.getByRole("textbox", { name: "Filter events" }).inputValue()).toBe(ITS_TOOL);
    expect(await opened.page.getByRole("separator").getAttribute("aria-valuenow")).toBe(split);
    await opened.page.getByRole("tab", { name: "What if" }).click();
    await opened.page.reload();
    await opened.waitForMessage("ready");
    await opened.show(whole);
    expect(await opened.page.locator(".what-if").count()).toBe(1);
  });

  test("a saved state of another version is ignored", async () => {
    await opened.page.evaluate(
      `sessionStorage.setItem("fake-vscode-state", '{"v":99,"tab":"whatIf","splitWide":"x"}')`,
    );
    await opened.page.reload();
    await opened.waitForMessage("ready");
    await opened.show(whole);
    expect(await opened.page.locator(".event-list").count()).toBe(1);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PanelState } from "../../src/protocol/messages.js";
import { TestPage } from "./page.js";
import { A_HIT, answerFromSample, rowsOfKind, WHAT_IT_HITS, WITH_RUNS } from "./scenes.js";
import { panelState, SESSION, sampleLog } from "./states.js";

const log = sampleLog();
let opened: TestPage;

async function start(change: Partial<PanelState> = {}): Promise<void> {
  opened = await TestPage.open({ answer: answerFromSample });
  await opened.show(panelState(log, change));
}

afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

describe("with a mouse", () => {
  beforeEach(() => start());

  test("another session is selected by searching for it", async () => {
    const { page } = opened;
    await page.getByRole("button", { name: /^Session:/ }).click();
    await page.getByRole("combobox", { name: "Filter by project or title" }).fill("segment posh");
    expect(await page.getByRole("option").count()).toBe(1);
    await page.getByRole("option").click();
    expect(await opened.messages()).toContainEqual({ type: "select", session: expect.stringContaining("oh-my-posh") });
    expect(await page.getByRole("option").count()).toBe(0);
  });

  test("a subagent is selected", async () => {
    await opened.page.getByRole("button", { name: /^Conversation: main/ }).click();
    await opened.page.getByRole("option").nth(1).click();
    const [choice] = (await opened.messages()).filter(({ type }) => type === "select");
    expect(choice).toMatchObject({ session: SESSION, context: log.contexts[1]?.id });
  });

  test("following is switched on", async () => {
    await opened.page.getByRole("button", { name: /^Follow/ }).click();
    expect(await opened.messages()).toContainEqual({ type: "follow", on: true });
  });

  test("the host changes the axis", async () => {
    await opened.page.getByRole("radio", { name: "Time" }).check({ force: true });
    expect(await opened.asks()).toContainEqual({ method: "setAxis", axis: "time" });
    await opened.delta(2, { settings: { ...panelState(log).settings, axis: "time" } });
    expect(await opened.page.getByRole("radio", { name: "Time" }).isChecked()).toBe(true);
  });

  test.each([
    ["first", 0],
    ["last", -1],
  ])(
    "a double click opens the %s row in sight, though the first click moves what is below the pointer",
    async (_, at) => {
      const { page } = opened;
      await page.locator(".event-list").evaluate(list => list.scrollTo(0, 900));
      await opened.settled();
      // Real clicks at one place, as by hand; the details appear between them.
      const inSight = await page.evaluate<{ x: number; y: number; number: string }[]>(`(() => {
      const list = document.querySelector(".event-list").getBoundingClientRect();
      return [...document.querySelectorAll(".event-row")]
        .map(row => ({ box: row.getBoundingClientRect(), number: row.querySelector(".cell-number").textContent }))
        .filter(({ box, number }) => number !== "" && box.top >= list.top && box.bottom <= list.bottom)
        .map(({ box, number }) => ({ x: box.left + 150, y: box.top + box.height / 2, number }));
    })()`);
      const target = inSight.at(at);
      if (target === undefined) throw new Error("no row is in sight");
      await page.mouse.dblclick(target.x, target.y, { delay: 60 });
      await opened.settled();
      expect(await opened.asks()).toContainEqual({ method: "openCall", row: Number(target.number) - 1 });
      expect((await opened.asks()).filter(({ method }) => method !== "details")).toHaveLength(1);
      expect(await opened.text(".event-row.selected .cell-number")).toBe(target.number);
    },
  );

  test("the selected call or mark stays selected through a gap, other settings and a reload", async () => {
    const { page } = opened;
    const selected = () => opened.text(".event-row.selected");
    for (const kind of ["boundary", "invalidate", "hit"]) {
      const list = page.locator(".event-list");
      for (let top = 0; (await page.locator(`.event-${kind}`).count()) === 0; top += 200) {
        await list.evaluate((element, to) => element.scrollTo(0, to), top);
        await opened.settled();
      }
      await page
        .locator(`.event-${kind}`)
        .last()
        .click({ position: { x: 8, y: 8 } });
      const before = await selected();
      expect(before).not.toBe("");
      // A gap: the page requests a snapshot.
      await opened.delta(99, {});
      await opened.show(panelState(log), 100);
      expect(await selected()).toBe(before);
      // A larger cache evicts less: marks and rows change, but what happened does not.
      const settings = { ...panelState(log).settings, capacity: 40 };
      await opened.show(panelState(sampleLog({ capacity: 40 }), { settings }), 200);
      expect(await page.locator(`.event-row.selected.event-${kind}`).count()).toBe(1);
      await page.reload();
      await opened.waitForMessage("ready");
      await opened.show(panelState(log));
      expect(await selected()).toBe(before);
    }
  });

  test("filters narrow the list, say how far, and are cleared", async () => {
    const { page } = opened;
    const rows = page.locator(".event-list");
    const all = Number(await rows.getAttribute("aria-rowcount"));
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Missed hits" }).click();
    await opened.settled();
    const missed = rowsOfKind("forgone").length;
    expect(await rows.getAttribute("aria-rowcount")).toBe(`${missed}`);
    expect(await opened.text(".filter-count")).toBe(`${missed} of ${all}`);
    await page.getByRole("textbox", { name: "Filter events" }).fill("after an edit");
    await opened.settled();
    const outcomes = await page.locator(".event-row").allTextContents();
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.every(line => line.includes("after an edit"))).toBe(true);
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await opened.settled();
    expect(Number(await rows.getAttribute("aria-rowcount"))).toBe(all);
  });

  test("only one path is shown", async () => {
    const { page } = opened;
    await page.getByRole("button", { name: /^Path:/ }).click();
    await page.getByRole("combobox", { name: "Filter paths" }).fill("api.md");
    await page.getByRole("option").first().click();
    await opened.settled();
    const targets = await page.locator(".event-row .cell-target").allTextContents();
    expect(new Set(targets.map(target => target.replace(/ \d+–\d+/, "")))).toEqual(new Set(["api.md docs"]));
  });

  test("a figure lists the events behind it", async () => {
    await opened.page.locator(".figure-saved").click();
    await opened.settled();
    const repeating = [...rowsOfKind("hit"), ...rowsOfKind("partial")].length;
    expect(await opened.page.locator(".event-list").getAttribute("aria-rowcount")).toBe(`${repeating}`);
    await opened.page.locator(".figure-rest").click();
    await opened.settled();
    expect(await opened.page.locator(".why").count()).toBeGreaterThan(0);
  });

  test("VS Code learns which calls the user selects, and which ones were only shown again", async () => {
    const selected = async () => (await opened.messages()).filter(({ type }) => type === "selected");
    await opened.post({ type: "reveal", row: A_HIT });
    await opened.settled();
    expect((await selected()).at(-1)).toEqual({ type: "selected", row: A_HIT, restored: true });
    const before = (await selected()).length;
    await opened.page.locator(".timeline").focus();
    await opened.page.keyboard.press("ArrowRight");
    await opened.page.keyboard.press("Escape");
    await opened.settled();
    const since = (await selected()).slice(before);
    expect(since.filter(message => "restored" in message)).toEqual([]);
    expect(since.at(-1)).toEqual({ type: "selected", row: null });
  });

  test("a hint leads to the call it points at, and back", async () => {
    await opened.post({ type: "reveal", row: A_HIT });
    expect(await opened.text(".details-title")).toMatch(/^Hit /);
    await opened.page.locator(".event-row.selected .link").click();
    await opened.settled();
    expect(await opened.asks()).toContainEqual({ method: "openCall", row: WHAT_IT_HITS });
    expect(await opened.text(".event-row.selected .cell-number")).toBe(`${WHAT_IT_HITS + 1}`);
    expect(await opened.text(".details-facts")).toContain(`Referenced by call ${A_HIT + 1}`);
    await opened.page.getByRole("button", { name: "Back to the previous call" }).click();
    await opened.settled();
    expect(await opened.text(".event-row.selected .cell-number")).toBe(`${A_HIT + 1}`);
  });

  test("the selected result is compared, read and found in the log", async () => {
    await opened.post({ type: "reveal", row: A_HIT });
    for (const name of ["Compare", "Transcript", "Log line"]) {
      await opened.page.getByRole("button", { name, exact: true }).click();
    }
    expect(await opened.asks()).toEqual([
      { method: "openComparison", row: A_HIT },
      { method: "openCall", row: A_HIT },
      { method: "openLogLine", row: A_HIT },
    ]);
  });

  test("what repeats of a result, and where, is shown immediately, and side by side after two clicks", async () => {
    await opened.post({ type: "reveal", row: WITH_RUNS });
    await opened.page.locator(".fact-main", { hasText: / lines are in call \d+ \(lines / }).waitFor();
    await opened.page.getByRole("button", { name: "Compare with hints" }).click();
    expect((await opened.asks()).at(-1)).toEqual({ method: "openComparison", row: WITH_RUNS, strategy: "live" });
  });

  test("its text is requested on demand", async () => {
    await opened.post({ type: "reveal", row: A_HIT });
    expect(await opened.asks()).toEqual([]);
    await opened.page.getByText("Text", { exact: true }).click();
    await opened.page.locator(".preview pre").first().waitFor();
    expect(await opened.text(".preview pre")).toMatch(/^> \[ref: toolu_\w+, byte-identical\]$/);
    expect(await opened.asks()).toEqual([{ method: "details", row: A_HIT }]);
  });

  test("the recommended capacity is applied", async () => {
    const { page } = opened;
    const settings = { ...panelState(log).settings, capacity: 1 };
    await opened.show(panelState(sampleLog({ capacity: 1 }), { settings }), 1);
    await page.getByRole("tab", { name: "What if" }).click();
    await page.getByRole("button", { name: /^Use \d+$/ }).click();
    const advised = (await opened.asks()).find(ask => ask.method === "setCapacity");
    expect(advised?.capacity).toBeGreaterThan(1);
    await page.getByText("All capacities").click();
    await page.locator(".sweep-table").getByRole("button", { name: "12", exact: true }).click();
    await page.getByRole("button", { name: "Use 12" }).click();
    expect(await opened.asks()).toContainEqual({ method: "setCapacity", capacity: 12 });
    await opened.delta(2, { settings: { ...settings, capacity: 12 } });
    expect(await opened.text(".used")).toContain("The capacity is now 12 instead of 1.");
    // The figures behind it stay visible.
    expect(await page.locator(".figures-table").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await opened.settled();
    expect((await opened.asks()).at(-1)).toEqual({ method: "setCapacity", capacity: 1 });
    await opened.delta(3, { settings });
    expect(await page.locator(".used").count()).toBe(0);
  });

  test("the splitter is dragged", async () => {
    const bar = opened.page.getByRole("separator");
    const place = await bar.boundingBox();
    if (place === null) throw new Error("There is no splitter");
    await opened.page.mouse.move(place.x, place.y + 100);
    await opened.page.mouse.down();
    await opened.page.mouse.move(place.x - 280, place.y + 100, { steps: 4 });
    await opened.page.mouse.up();
    expect(Number(await bar.getAttribute("aria-valuenow"))).toBe(28);
  });

  test("a failure is shown, and can be dismissed", async () => {
    await opened.post({ type: "reveal", row: A_HIT });
    await opened.page.evaluate("window.answerAsk = () => Promise.reject(new Error('The log is gone'))");
    await opened.page.getByRole("button", { name: "Compare", exact: true }).click();
    await opened.page.locator(".problem", { hasText: "Could not compare the results: The log is gone" }).waitFor();
    await opened.page.getByRole("button", { name: "Dismiss" }).click();
    expect(await opened.page.locator(".problems").count()).toBe(0);
  });
});

describe("without sessions", () => {
  const nothing = { sessions: [], selected: null, contexts: [], context: null };

  test("it says where it looked and offers the sample", async () => {
    await start(nothing);
    expect(await opened.text(".roots")).toContain("/home/ana/.claude/projects");
    await opened.page.getByRole("button", { name: "Open the sample session" }).click();
    expect(await opened.asks()).toEqual([{ method: "openSample" }]);
  });

  test("it shows the progress of reading", async () => {
    await start({ ...nothing, progress: { filesDone: 1, files: 3, bytesDone: 5e6, bytes: 2e7, secondsLeft: 4 } });
    expect(await opened.text(".state")).toContain("1 of 3 files · 5.0 MB of 20.0 MB · about 4 s left");
  });
});

/** As people work: several sessions, returning to conversations, small panels, help. */
import { afterEach, describe, expect, test } from "vitest";
import type { ContextState, PanelState, SessionItem } from "../../src/protocol/messages.js";
import { type OpenOptions, TestPage } from "./page.js";
import { A_HIT, answerFromSample, ITS_TOOL } from "./scenes.js";
import { panelState, sampleLog } from "./states.js";

const log = sampleLog();
const whole = panelState(log);
let opened: TestPage;

async function open(options: OpenOptions = {}, state: PanelState = whole): Promise<void> {
  opened = await TestPage.open({ answer: answerFromSample, ...options });
  await opened.show(state);
}

afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

const monthsAgo = (months: number) => new Date(Date.now() - months * 30.5 * 86_400_000).toISOString();
/** The state with its selected session changed. */
const selectedIs = (change: Partial<SessionItem>, more: Partial<PanelState> = {}): PanelState => ({
  ...whole,
  ...more,
  sessions: whole.sessions.map((session, at) => (at === 0 ? { ...session, ...change } : session)),
});

describe("the session that is shown", () => {
  test("says whether it is live, and when it ended: without a reload", async () => {
    await open({}, selectedIs({ live: true }, { following: true }));
    expect(await opened.text(".live-status")).toBe("Live");
    const silent = selectedIs({ live: false, lastAt: new Date(Date.now() - 6 * 60_000).toISOString() });
    await opened.delta(2, { sessions: { changed: silent.sessions.slice(0, 1), gone: [] } });
    expect(await opened.text(".live-status")).toMatch(/^Latest session · ended \d minutes ago$/);
    await opened.show(selectedIs({ lastAt: monthsAgo(7) }, { following: true }), 3);
    expect(await opened.text(".live-status")).toBe("Latest session · ended 7 months ago");
    await opened.show(selectedIs({ lastAt: monthsAgo(7) }), 4);
    expect(await opened.text(".live-status")).toBe("Ended 7 months ago");
  });

  test("says that it is the sample, and that the sample does not count", async () => {
    await open({}, { ...selectedIs({ sample: true, live: true }), following: false });
    expect(await opened.text(".live-status")).toBe("Sample session");
    expect(await opened.text(".session-picker .badge")).toBe("Sample");
    await opened.page.locator("#tab-whatIf").click();
    await opened.page.getByRole("radio", { name: "All sessions" }).check({ force: true });
    expect(await opened.page.getByText("Compare all sessions").count()).toBe(1);
    await opened.show({ ...whole, sessions: selectedIs({ sample: true }).sessions.slice(0, 1) }, 2);
    expect(await opened.text(".what-if")).toContain("You have no sessions of your own yet. The sample does not count.");
    expect(await opened.page.getByText("Compare all sessions").count()).toBe(0);
  });

  test("is selected from this folder's sessions first, and titles are cut between words", async () => {
    const title = "Rewrite the import of recipes so that fractions and units survive the round trip";
    const [first, second, third, last] = whole.sessions as [SessionItem, SessionItem, SessionItem, SessionItem];
    const sessions = [first, second, { ...third, here: true as const, title }, { ...last, here: true as const }];
    await open({}, { ...whole, sessions });
    await opened.page.locator(".session-picker .picker-button").click();
    await opened.page.getByRole("option").first().waitFor();
    const items = await opened.page
      .locator(".picker-item")
      .evaluateAll(all =>
        all.map(item => [
          item.querySelector(".picker-group")?.textContent ?? "",
          item.querySelector(".session-title")?.textContent,
        ]),
      );
    expect(items.map(([group]) => group)).toEqual(["This folder", "", "Others", ""]);
    expect(items[0]?.[1]).toBe(title);
    // Too long for its line; each word is a box, which a browser paints as a whole or not at all.
    const line = opened.page.locator(".picker-item .session-title").first();
    expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    const boxes = await opened.page.evaluate<string[]>(
      `[...document.querySelector(".picker-item").querySelectorAll(".word")].map(word => getComputedStyle(word).display)`,
    );
    expect(new Set(boxes)).toEqual(new Set(["inline-block"]));
    expect(boxes).toHaveLength(title.split(" ").length);
    await opened.page.locator(".picker-filter").fill("rewrite");
    expect(await opened.page.locator(".picker-item").count()).toBe(1);
  });

  test("names its subagents by their tasks", async () => {
    const contexts = [
      ...whole.contexts.filter(({ id }) => id === "main"),
      { key: "a", id: "a8d8087d", task: "Find the slow tests", results: 4 },
      { key: "b", id: "b1c2", task: "", results: 2 },
    ];
    await open({}, { ...whole, contexts });
    await opened.page.locator(".context-picker .picker-button").click();
    await opened.page.getByRole("option").first().waitFor();
    const names = await opened.page.locator(".picker-item .session-title").allTextContents();
    expect(names).toEqual(["main", "Find the slow tests", "agent b1c2"]);
    await opened.page.locator(".picker-filter").fill("a8d8");
    expect(await opened.page.locator(".picker-item").count()).toBe(1);
  });
});

describe("returning to a conversation", () => {
  const other: PanelState = { ...whole, selected: { session: whole.sessions[2]?.key ?? "", context: "main" } };
  const top = () => opened.page.evaluate<number>("document.querySelector('.event-list').scrollTop");

  test("restores its filter, selection and place in the list", async () => {
    await open();
    await opened.post({ type: "reveal", row: A_HIT });
    await opened.page.getByRole("textbox", { name: "Filter events" }).fill(ITS_TOOL);
    await opened.settled();
    const place = await top();
    expect(place).toBeGreaterThan(0);

    await opened.show(other, 2);
    expect(await opened.page.getByRole("textbox", { name: "Filter events" }).inputValue()).toBe("");
    expect(await opened.page.locator(".event-row.selected").count()).toBe(0);
    expect(await top()).toBe(0);
    await opened.page.locator(".event-list").evaluate(list => {
      list.scrollTop = 440;
    });
    await opened.settled();

    await opened.show(whole, 3);
    expect(await opened.page.getByRole("textbox", { name: "Filter events" }).inputValue()).toBe(ITS_TOOL);
    expect(await opened.text(".event-row.selected .cell-number")).toBe(`${A_HIT + 1}`);
    expect(await top()).toBe(place);
    await opened.show(other, 4);
    expect(await top()).toBe(440);
  });
});

describe("the list of events", () => {
  /** Every file has a long name, deep in the project. */
  const NAME = "checkpoint-scenarios-1.md";
  const FILE = `/home/ana/ladle/docs/architecture/decisions/recorded/${NAME}`;
  const context = whole.context as ContextState;
  const deep: PanelState = {
    ...selectedIs({ project: "/home/ana/ladle" }),
    context: { ...context, files: context.files.map(() => FILE) },
  };

  test.each([
    [1020, 270],
    [1400, 470],
    [700, 800],
    [300, 800],
  ])("shows the whole name of a file first, then its lines, then its folder, at %i × %i", async (width, height) => {
    await open({ width, height }, deep);
    const cells = await opened.page.locator(".event-row:has(.target-name.is-file) .cell-target").evaluateAll(all =>
      all.map(cell => {
        const [name] = cell.children;
        const end = name?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY;
        return {
          name: name?.textContent,
          isWhole:
            end <= cell.getBoundingClientRect().right + 1 && (name?.scrollWidth ?? 0) <= (name?.clientWidth ?? 0),
          order: [...cell.children].map(part => part.className.replace("target-", "").replace(" is-file", "")),
        };
      }),
    );
    expect(cells.length).toBeGreaterThan(2);
    expect(cells.filter(({ name, isWhole }) => name !== NAME || !isWhole)).toEqual([]);
    for (const { order } of cells) expect(["name folder", "name range folder"]).toContain(order.join(" "));
  });

  test.each([
    [1020, 270],
    [560, 420],
    [300, 800],
  ])("cuts no file's lines, however long the names of tools and files are, at %i × %i", async (width, pageHeight) => {
    const long = FILE.replace(NAME, `2026-11-17-${NAME}`);
    const files = context.files.map(() => long);
    const tools = context.tools.map(tool => (tool === "Read" ? tool : `${tool}UserQuestion`));
    await open({ width, height: pageHeight }, { ...deep, context: { ...context, files, tools } });
    const found = opened.page.locator(".event-row .cell-target:has(.target-range)");
    const list = opened.page.locator(".event-list");
    const height = await list.evaluate(({ scrollHeight }) => scrollHeight);
    // Scrolls down the list until such a row is on the page.
    for (let top = 0; top < height && (await found.count()) === 0; top += 60) {
      await list.evaluate((element, to) => {
        element.scrollTop = to;
      }, top);
      await opened.settled();
    }
    const ranges = await found.evaluateAll(all =>
      all.map(cell => {
        const range = cell.querySelector(".target-range")?.getBoundingClientRect();
        return { isWhole: (range?.right ?? Number.POSITIVE_INFINITY) <= cell.getBoundingClientRect().right + 1 };
      }),
    );
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.filter(({ isWhole }) => !isWhole)).toEqual([]);
  });

  test("has headings above its columns", async () => {
    await open({ width: 1020, height: 270 });
    const lefts = (row: string) =>
      opened.page
        .locator(`${row} > span`)
        .evaluateAll(all => all.map(cell => Math.round(cell.getBoundingClientRect().left)));
    expect(await lefts(".event-head")).toEqual(await lefts(".event-list .event-row:first-child"));
    expect(await opened.text(".event-head")).toBe("CallToolFile or commandTokensOutcome");
  });

  test.each([
    [1400, 470, false],
    [1020, 270, true],
    [300, 800, true],
  ])("at %i × %i, filters are folded: %s", async (width, height, folds) => {
    await open({ width, height });
    const { page } = opened;
    const bar = page.locator(".filter-bar");
    expect(await bar.count()).toBe(folds ? 0 : 1);
    const button = page.getByRole("button", { name: "Filter events", exact: true });
    expect(await button.count()).toBe(folds ? 1 : 0);
    if (!folds) return;
    await button.click();
    await opened.settled();
    await page.keyboard.type("Read");
    await opened.settled();
    await page.getByRole("button", { name: "Hide the filters" }).click();
    expect(await bar.count()).toBe(0);
    // The filter is still shown.
    expect(await opened.text(".filter-button")).toMatch(/^\d+ of \d+$/);
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    await opened.expectAccessible("filtered and folded");
  });
});

describe("help", () => {
  test("explains every mark and every key, and closes", async () => {
    await open();
    await opened.page.getByRole("button", { name: "Marks and keys" }).click();
    const help = opened.page.locator(".help");
    expect(await help.locator("dt .glyph").count()).toBe(11);
    const keys = await help.locator("kbd").allTextContents();
    for (const key of ["H", "R", "+", "0", "/", "?", "Enter", "Esc", "Home"]) expect(keys).toContain(key);
    await opened.expectAccessible("help");
    await opened.page.keyboard.press("Escape");
    expect(await help.count()).toBe(0);
  });

  test("its keys work from anywhere, even while nothing has the focus", async () => {
    await open();
    const { page } = opened;
    const press = async (key: string) => {
      await page.keyboard.press(key);
      await opened.settled();
    };
    const selected = () => opened.text(".event-row.selected .cell-number");
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    await press("ArrowDown");
    expect(await selected()).toBe("1");
    // The list has the focus now.
    await press("h");
    expect(await page.locator(".event-row.selected:is(.event-hit, .event-partial)").count()).toBe(1);
    const hit = await selected();
    await press("r");
    expect(await selected()).not.toBe(hit);
    await press("Shift+H");
    await press("?");
    expect(await page.locator(".help").count()).toBe(1);
    await press("Escape");
    await press("/");
    await page.keyboard.type("h?r");
    expect(await page.getByRole("textbox", { name: "Filter events" }).inputValue()).toBe("h?r");
    expect(await page.locator(".help").count()).toBe(0);
  });
});

test.each(["hcDark", "hcLight"] as const)("in %s the selected segment is filled", async theme => {
  await open({ theme });
  const colors = await opened.page.evaluate<{ chosen: boolean; backgroundColor: string; color: string }[]>(`
    [...document.querySelectorAll(".bar .segment")].map(segment => {
      const { backgroundColor, color } = getComputedStyle(segment.querySelector("span"));
      return { chosen: segment.querySelector("input").checked, backgroundColor, color };
    })`);
  const [chosen, others] = [true, false].map(is => colors.find(one => one.chosen === is));
  expect(chosen?.backgroundColor).toBe(others?.color);
  expect(chosen?.color).not.toBe(others?.color);
  await opened.expectAccessible("the chosen segment");
});

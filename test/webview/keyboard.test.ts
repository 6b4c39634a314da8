import { afterEach, beforeEach, expect, test } from "vitest";
import { TestPage } from "./page.js";
import { A_HIT, answerFromSample, WHAT_IT_HITS } from "./scenes.js";
import { mainOf, panelState, sampleLog } from "./states.js";

const log = sampleLog();
let opened: TestPage;

beforeEach(async () => {
  opened = await TestPage.open({ answer: answerFromSample });
  await opened.show(panelState(log));
});

afterEach(async () => {
  await opened.expectClean();
  await opened.close();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await opened.page.keyboard.press(key);
  await opened.settled();
};
const selected = () => opened.text(".event-row.selected .cell-number");
/** What has the focus, as a screen reader would name it. */
const focused = () =>
  opened.page.evaluate<string>(`(() => {
    const { activeElement: at } = document;
    return [at.getAttribute("role") ?? at.localName, at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30)].join(" ");
  })()`);

test("Tab goes through everything, each group with one stop", async () => {
  const stops: string[] = [];
  for (let stop = 0; stop < 30; stop++) {
    await opened.page.keyboard.press("Tab");
    const at = await focused();
    if (at.startsWith("body")) break;
    stops.push(at);
  }
  expect(stops.map(stop => stop.split(/[: ]/)[0])).toEqual([
    "button", // session
    "button", // conversation
    "button", // follow
    "input", // axis
    "button", // partition
    "button", // zoom in
    "button", // zoom out
    "button", // show all
    "button", // help
    "button", // more
    "button", // figures
    "application", // timeline
    "separator",
    "tab",
    "vscode-text-field",
    "combobox", // kind
    "combobox", // tool
    "button", // path
    "grid", // events
  ]);
});

test("the list can be navigated, opened and followed", async () => {
  await opened.page.locator(".event-list").focus();
  await press("ArrowDown");
  expect(await selected()).toBe("1");
  await press("ArrowDown", "ArrowDown");
  expect(await selected()).toBe("3");
  await press("End");
  expect(await selected()).toBe(`${mainOf(log).ids.length}`);
  await press("Home", "PageDown");
  expect(Number(await selected())).toBeGreaterThan(5);
  await opened.post({ type: "reveal", row: A_HIT });
  await press("ArrowRight");
  expect(await selected()).toBe(`${WHAT_IT_HITS + 1}`);
  await press("ArrowLeft");
  expect(await selected()).toBe(`${A_HIT + 1}`);
  await press("Enter");
  expect(await opened.asks()).toEqual([{ method: "openCall", row: A_HIT }]);
  const active = await opened.page.locator(".event-list").getAttribute("aria-activedescendant");
  expect(await opened.text(`#${active} .cell-number`)).toBe(`${A_HIT + 1}`);
  await press("Escape");
  expect(await opened.page.locator(".details").count()).toBe(0);
});

test("from a row that the filter hides, arrow keys go to the nearest one that is listed", async () => {
  await opened.page.getByRole("textbox", { name: "Filter events" }).fill("Read");
  const after = async (row: number, key: string) => {
    await opened.post({ type: "reveal", row });
    await opened.page.locator(".event-list").press(key);
    await opened.settled();
    return selected();
  };
  expect(await after(4, "ArrowUp")).toBe("4");
  expect(await after(4, "ArrowDown")).toBe("8");
  expect(await after(0, "ArrowUp")).toBe("3");
});

test("a list shows that it has the focus, by its selected row or, if that is out of view, by itself", async () => {
  const { page } = opened;
  const outlines = (selector: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll("${selector}")].map(element => getComputedStyle(element).outlineStyle)`,
    );
  for (const [tab, name] of [
    ["Partitions", "partition"],
    ["Events", "event"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator(`.${name}-list`).press("Shift");
    expect(await outlines(`.${name}-list`)).toEqual(["solid"]);
    await press("Home");
    expect(await outlines(`.${name}-list`)).toEqual(["none"]);
    expect(await outlines(`.${name}-row.selected`)).toEqual(["solid"]);
  }
  await page.locator(".event-list").hover();
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => outlines(".event-list")).toEqual(["solid"]);
});

test("tabs are selected with arrow keys", async () => {
  await opened.page.getByRole("tab", { name: "Events" }).focus();
  await press("ArrowRight");
  expect(await opened.page.locator(".partition-list").count()).toBe(1);
  await press("ArrowRight");
  expect(await opened.page.locator(".what-if").count()).toBe(1);
  await press("Home");
  expect(await opened.page.locator(".event-list").count()).toBe(1);
});

test("partitions can be navigated and shown in the timeline", async () => {
  await opened.page.getByRole("tab", { name: "Partitions" }).click();
  await opened.page.locator(".partition-list").focus();
  await press("ArrowDown", "ArrowDown", "Enter");
  const isShown = (name: string) => opened.page.getByRole("button", { name: `Partition: ${name}` }).waitFor();
  const rows = () => opened.page.locator(".partition-row[aria-selected=true]").count();
  await isShown("Partition 1");
  expect(await rows()).toBe(1);
  // Whatever else is shown then, it is no longer that partition, and can become it again.
  for (const move of ["0", "-", "+"]) {
    await press(move);
    await isShown("All partitions");
    expect(await rows()).toBe(0);
    await press("Enter");
    await isShown("Partition 1");
  }
  await opened.page.getByRole("button", { name: "Show all" }).click();
  await isShown("All partitions");
  // A click on a header is a choice, too.
  await opened.page.locator(".timeline-canvas").click({ position: { x: 120, y: 8 } });
  await isShown("Partition 0");
  await opened.page.getByRole("button", { name: "Partition: Partition 0" }).click();
  await opened.page.getByRole("option", { name: "All partitions" }).click();
  await isShown("All partitions");
});

test("figures can be navigated and are explained", async () => {
  await opened.page.locator(".figure").first().focus();
  await press("ArrowRight");
  expect(await opened.text(".tooltip")).toContain("What the tokens that could be saved");
  const described = await opened.page.locator(".figure-worth").getAttribute("aria-describedby");
  expect(await opened.page.locator(".tooltip").getAttribute("id")).toBe(described);
  await press("Escape");
  expect(await opened.page.locator(".tooltip").count()).toBe(0);
});

test("pickers and menus open, select and restore the focus", async () => {
  const session = opened.page.getByRole("button", { name: /^Session:/ });
  await session.focus();
  await press("ArrowDown");
  expect(await focused()).toContain("combobox");
  await press("ArrowDown", "ArrowDown", "Enter");
  expect(await opened.messages()).toContainEqual({ type: "select", session: expect.stringContaining("website") });
  expect(await focused()).toContain("button Session");
  await press("Enter", "Escape");
  expect(await opened.page.getByRole("listbox").count()).toBe(0);

  await opened.page.getByRole("button", { name: "More actions" }).focus();
  await press("Enter");
  expect(await focused()).toBe("menuitem Export report…");
  await press("ArrowDown", "Enter");
  expect(await opened.asks()).toEqual([{ method: "openSettings" }]);
  expect(await focused()).toContain("More actions");
});

test("arrow keys move the splitter", async () => {
  const bar = opened.page.getByRole("separator");
  await bar.focus();
  const before = Number(await bar.getAttribute("aria-valuenow"));
  await press("ArrowLeft", "ArrowLeft");
  expect(Number(await bar.getAttribute("aria-valuenow"))).toBe(before - 4);
  await press("Enter");
  expect(Number(await bar.getAttribute("aria-valuenow"))).toBe(before);
});

test("list and timeline share one selection", async () => {
  await opened.post({ type: "reveal", row: A_HIT });
  await opened.page.getByRole("application").focus();
  await press("ArrowLeft");
  const inList = await selected();
  expect(inList).not.toBe(`${A_HIT + 1}`);
  expect(await opened.text("[role=status]")).not.toBe("");
  expect(await opened.text(".fact-place")).toContain(`call ${inList}`);
});

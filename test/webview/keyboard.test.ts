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
  expect(await opened.page.getByRole("button", { name: "Partition: Partition 1" }).count()).toBe(1);
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

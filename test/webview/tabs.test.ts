/** Tabs of a browser: what they show when they come back, and the connections that they take. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServedPage } from "./servedPage.js";

let served: ServedPage;

beforeEach(async () => {
  served = await ServedPage.open();
});

afterEach(() => served.close());

test("what the user has chosen in a tab is selected again after a reload, which the server knows nothing of", async () => {
  const selected = { session: "/logs/chosen.jsonl", context: "main" };
  // The page that goes says that it is hidden.
  const sent = () => served.received.filter(({ type }) => type !== "hidden");
  served.shown = { selected, following: false };
  await served.reload();
  served.received = [];
  await served.reload();
  expect(sent().slice(0, 2)).toEqual([{ type: "select", ...selected }, { type: "ready" }]);
  // While following, the newest session is right.
  served.shown = { selected, following: true };
  await served.reload();
  served.received = [];
  await served.reload();
  expect(sent()[0]).toEqual({ type: "ready" });
});

test("a tab that stays hidden leaves its connection to others, and returns to what it showed", async () => {
  const { page } = served.opened;
  const selected = { session: "/logs/chosen.jsonl", context: "main" };
  served.shown = { selected, following: false };
  await page.clock.install();
  await served.reload();
  const turn = (state: "hidden" | "visible") =>
    page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
  // The page says so first, then its connection's end does.
  const hidden = () => served.received.filter(({ type }) => type === "hidden").length;
  served.received = [];
  await turn("hidden");
  await expect.poll(hidden).toBe(1);
  await page.clock.runFor(20_000);
  expect(hidden()).toBe(1);
  await page.clock.runFor(20_000);
  await expect.poll(hidden).toBe(2);
  served.received = [];
  served.shown = { ...served.shown, problems: ["seen after it came back"] };
  await turn("visible");
  await page.locator(".problem", { hasText: "seen after it came back" }).waitFor();
  expect(served.received.slice(0, 2)).toEqual([{ type: "select", ...selected }, { type: "ready" }]);
  expect(await served.opened.text("[role=status]")).not.toContain("Lost the connection");
});

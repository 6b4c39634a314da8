import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Handover } from "../../src/serve/handover.js";
import { connected } from "./page.js";
import { A_HIT } from "./scenes.js";
import { ServedPage } from "./servedPage.js";
import { panelState, sampleLog } from "./states.js";

let served: ServedPage;

const LOST = "Lost the connection to Dedup Inspector";
/** Where it is shown. */
const lost = () => served.opened.page.locator(".problem", { hasText: LOST });
/** What screen readers are told. */
const announced = () => served.opened.text("[role=status]");
const asked = () => served.received.flatMap(message => (message.type === "request" ? [message.ask.method] : []));

beforeEach(async () => {
  served = await ServedPage.open();
});

afterEach(() => served.close());

test("it starts with the token, hides it, and violates no policy", async () => {
  expect(served.opened.page.url()).not.toContain("token");
  expect(served.received[0]).toEqual({ type: "ready" });
  await served.opened.page.reload();
  await served.opened.page.locator(".event-row").first().waitFor();
  expect(served.problems).toEqual([]);
});

test("it follows the system's colours", async () => {
  const background = () =>
    served.opened.page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
  await served.opened.page.emulateMedia({ colorScheme: "light" });
  await served.opened.settled();
  expect(await background()).toBe("rgb(255, 255, 255)");
  await served.opened.expectAccessible("light");
  await served.opened.page.emulateMedia({ colorScheme: "dark" });
  await served.opened.settled();
  expect(await background()).toBe("rgb(31, 31, 31)");
  await served.opened.page.emulateMedia({ colorScheme: "dark", contrast: "more" });
  await served.opened.settled();
  expect(await background()).toBe("rgb(0, 0, 0)");
  await served.opened.expectAccessible("high contrast");
});

test("a hint leads to the referenced call in the page's own transcript", async () => {
  await served.opened.page.locator(".event-list").focus();
  await served.opened.page.keyboard.press("End");
  await served.opened.page.keyboard.press("ArrowUp");
  const link = served.opened.page.locator(".event-row.event-hit .link").last();
  const named = /call (\d+)/.exec((await link.textContent()) ?? "")?.[1];
  await link.click();
  await served.opened.page.locator(".call.selected pre").first().waitFor();
  const number = /call (\d+)/.exec(await served.opened.text(".call.selected .call-name"))?.[1];
  expect(Number(number)).toBeGreaterThan(0);
  expect(number).toBe(named);
  const box = await served.opened.page.locator(".call.selected").boundingBox();
  const view = await served.opened.page.locator(".transcript").boundingBox();
  expect(Math.abs((box?.y ?? 0) - (view?.y ?? 0))).toBeLessThan(4);
});

test("the transcript is read page by page, from any place", async () => {
  await served.opened.page.getByRole("tab", { name: "Transcript" }).click();
  await served.opened.page.locator(".call pre").first().waitFor();
  await served.opened.page
    .locator(".transcript")
    .evaluate("element => { element.scrollTop = element.scrollHeight / 2; }" as never);
  await served.opened.page.evaluate("document.querySelector('.transcript').scrollTop = 12000");
  await served.opened.page.locator(".call pre").first().waitFor();
  const asks = served.received.flatMap(message => (message.type === "request" ? [message.ask] : []));
  expect(asks.every(ask => ask.method === "transcript" && ask.count <= 20)).toBe(true);
  expect(asked.length).toBeLessThan(8);
  const drawn = await served.opened.page.locator(".call").count();
  expect(drawn).toBeLessThan(15);
});

test("the transcript is searched, including what is not rendered", async () => {
  const { page } = served.opened;
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.locator(".call pre").first().waitFor();
  await page.locator(".transcript").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("servings");
  await page.keyboard.press("Enter");
  const found = () => served.opened.text(".find-state");
  await expect.poll(found).toMatch(/^call \d+$/);
  const first = await found();
  await page.locator(".call.selected pre").first().waitFor();
  expect(await served.opened.text(".call.selected .call-name")).toContain(first);
  const marked = () => page.evaluate<string[]>("[...CSS.highlights.get('found')].map(range => range.toString())");
  await expect.poll(async () => [...new Set(await marked())]).toEqual(["servings"]);
  await page.keyboard.press("Enter");
  // Not while it is still searching.
  await expect.poll(found).toMatch(new RegExp(`^(?!${first}$)call \\d+$`));
  await page.keyboard.press("Shift+Enter");
  await expect.poll(found).toBe(first);
  await served.opened.expectAccessible("searching");
  await page.keyboard.press("Escape");
  await page.keyboard.type("nowhere in the sample");
  await page.keyboard.press("Enter");
  await expect.poll(found).toBe("Not found");
  expect(served.problems).toEqual([]);
});

test("a call that is selected already is brought into view again, in the list and in the transcript", async () => {
  const { page } = served.opened;
  const away = async (list: string) => {
    await page.locator(list).hover();
    await page.mouse.wheel(0, 3000);
    await expect.poll(() => top(list)).toBeGreaterThan(500);
    return top(list);
  };
  const top = (list: string) => page.evaluate<number>(`document.querySelector("${list}").scrollTop`);
  await page.locator(".event-list").press("Home");
  await away(".event-list");
  await page.locator(".event-list").press("Home");
  await expect.poll(() => top(".event-list")).toBe(0);
  await page.keyboard.press("Enter");
  await page.locator(".call.selected pre").first().waitFor();
  const there = await away(".transcript");
  // Not by new data.
  const snapshots = served.received.length;
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
  await expect.poll(() => served.received.length).toBeGreaterThan(snapshots);
  await served.opened.settled();
  expect(await top(".transcript")).toBeCloseTo(there, -2);
  await page.getByRole("application").press("Enter");
  await expect.poll(() => top(".transcript")).toBe(0);
  await page.getByRole("tab", { name: "Partitions" }).click();
  // The sample has only a few.
  await page.evaluate("document.querySelector('.partition-list').style.height = '20px'");
  await page.locator(".partition-list").press("Home");
  await page.locator(".partition-list").hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(() => top(".partition-list")).toBeGreaterThan(10);
  await page.locator(".partition-list").press("Home");
  await expect.poll(() => top(".partition-list")).toBe(0);
});

test("on a low page, everything that can be done with a call stays in view: there is no menu", async () => {
  const { page } = served.opened;
  // Half of a common laptop's: a zoom of 200 %.
  await page.setViewportSize({ width: 683, height: 330 });
  served.server.tabs.send(1, { type: "reveal", row: A_HIT });
  await page.locator(".details").waitFor();
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(".details").boundingBox()) ?? {};
  for (const name of [/^Go to call/, "Compare", "Transcript", "Log line", "Clear the selection"]) {
    const box = await page.locator(".details").getByRole("button", { name, exact: true }).boundingBox();
    expect(box?.x, String(name)).toBeGreaterThanOrEqual(x);
    expect((box?.x ?? 0) + (box?.width ?? 9999), String(name)).toBeLessThanOrEqual(x + width);
    expect((box?.y ?? 0) + (box?.height ?? 9999), String(name)).toBeLessThanOrEqual(y + height);
  }
  expect(y + height).toBeLessThanOrEqual(330);
});

test("Compare and Log line are shown in the page, and Escape leads back", async () => {
  const { page } = served.opened;
  served.server.tabs.send(1, { type: "reveal", row: A_HIT });
  await page.locator(".event-row.selected.event-hit").waitFor();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("The two texts are identical.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Log line", exact: true }).click();
  await page.locator(".log-line").first().waitFor();
  expect(await served.opened.text(".log-lines")).toContain('"tool_result"');
  await page.keyboard.press("Escape");
  await page.locator(".event-list").waitFor();
});

async function exportReport(format: "HTML" | "Markdown" | "JSON"): Promise<void> {
  await served.opened.page.getByRole("button", { name: "More actions" }).click();
  await served.opened.page.getByRole("menuitem", { name: "Export report…" }).click();
  await served.opened.page.getByRole("button", { name: format }).click();
}

test("a report of any length is downloaded, however long it takes to create", async () => {
  const report: { finish?: () => void } = {};
  const piece = `${"x".repeat(1024 * 1024 - 1)}\n`;
  // More than any message may contain.
  const pieces = Array.from({ length: 80 }, () => piece);
  served.report = () =>
    new Promise(resolve => {
      report.finish = () => resolve(pieces);
    });
  const downloading = served.opened.page.waitForEvent("download");
  await exportReport("JSON");
  const line = served.opened.page.locator(".reading-line").getByText("Creating the report for all sessions…");
  await line.waitFor();
  await served.opened.expectAccessible("making the report");
  await expect.poll(() => report.finish).toBeDefined();
  report.finish?.();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("dedup-report.json");
  let size = 0;
  for await (const bytes of await download.createReadStream()) size += (bytes as Buffer).length;
  expect(size).toBe(80 * piece.length);
  await line.waitFor({ state: "detached" });
  expect(served.problems).toEqual([]);
});

test("a report is downloaded in the format that was chosen", async () => {
  served.report = async format => [`as ${format}`];
  for (const [choice, extension, content] of [
    ["HTML", "html", "as html"],
    ["Markdown", "md", "as markdown"],
  ] as const) {
    const downloading = served.opened.page.waitForEvent("download");
    await exportReport(choice);
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`dedup-report.${extension}`);
    expect(await text(await download.createReadStream())).toBe(content);
  }
});

test("a report is cancelled, before and while it is created, without a message", async () => {
  const { page } = served.opened;
  let isGivenUp = false;
  served.report = (_, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => {
        isGivenUp = true;
        reject(signal.reason);
      }),
    );
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export report…" }).click();
  await served.opened.expectAccessible("choosing a format");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".export-line").waitFor({ state: "detached" });
  await exportReport("JSON");
  await page.getByText("Creating the report for all sessions…").first().waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".export-line").waitFor({ state: "detached" });
  await expect.poll(() => isGivenUp).toBe(true);
  expect(await page.getByText("Could not export").count()).toBe(0);
});

test("a report that cannot be created is an error message", async () => {
  served.report = () => Promise.reject(new Error("a report is already being created"));
  await exportReport("Markdown");
  const failure = "Could not export the report: a report is already being created";
  await served.opened.page.locator(".problem", { hasText: failure }).waitFor();
  await expect.poll(announced).toBe(failure);
});

test("a message that does not get through is resent, and the lost connection is no longer shown", async () => {
  const { page } = served.opened;
  let failures = 0;
  await page.route("**/message?*", async route => {
    failures++;
    if (failures === 1) await route.abort("connectionreset");
    else if (failures === 2) await route.fulfill({ status: 503 });
    else await route.continue();
  });
  await page.getByRole("radio", { name: "Time" }).click();
  await lost().waitFor();
  await lost().waitFor({ state: "detached" });
  await expect.poll(announced).toBe("Reconnected to Dedup Inspector.");
  expect(asked()).toEqual(["setAxis"]);
  // In order, each once; then a snapshot is requested for whatever was missed.
  await expect.poll(() => served.received.at(-1)?.type).toBe("ready");
});

test("a message that is rejected for good is an error message", async () => {
  await served.opened.page.route("**/message?*", route => route.fulfill({ status: 413 }));
  await served.opened.page.getByRole("radio", { name: "Time" }).click();
  await served.opened.page.locator(".problem", { hasText: "Dedup Inspector refused it (413)" }).waitFor();
  expect(await lost().count()).toBe(0);
});

test("a snapshot that gets lost is requested again", async () => {
  const { page } = served.opened;
  let failures = 0;
  await page.route("**/context?*", route => (failures++ === 0 ? route.abort("connectionreset") : route.continue()));
  await page.reload();
  await page.locator(".event-row").first().waitFor();
  expect([failures, await lost().count()]).toEqual([2, 0]);
});

test("a ticket in a private file leads to the page, and is not left anywhere", async () => {
  const { page } = served.opened;
  const handover = new Handover(served.server.ticketAddress(), 60_000);
  await page.goto("about:blank");
  await page.evaluate("sessionStorage.clear()").catch(() => {});
  await page.goto(handover.address);
  await page.locator(".event-row").first().waitFor();
  handover.end();
  expect(page.url()).toBe(new URL("/", served.server.address).href);
  await page.reload();
  await page.locator(".event-row").first().waitFor();
  await page.goBack();
  expect(page.url()).toBe("about:blank");
  expect(served.problems).toEqual([]);
});

test("the sample is labelled as such, wherever sessions are shown", async () => {
  const { page } = served.opened;
  const { sessions } = panelState(sampleLog());
  served.shown = { sessions: sessions.map((item, at) => (at === 0 ? { ...item, sample: true } : item)) };
  await page.reload();
  const picker = page.locator(".session-picker");
  await picker.locator(".picker-button .badge").getByText("Sample", { exact: true }).waitFor();
  await picker.getByRole("button", { name: /Sample\s*ladle/ }).click();
  await page.keyboard.type("sample");
  await expect.poll(() => page.getByRole("option").count()).toBe(1);
  await page.getByRole("option").locator(".badge").getByText("Sample").waitFor();
  await served.opened.expectAccessible("the sample in the list");
});

test("without a token, or with one from another run, it says what to do", async () => {
  const other = await (await connected()).newContext();
  const page = await other.newPage();
  const { origin } = new URL(served.server.address);
  await page.goto(`${origin}/`);
  await page.getByText(/needs its full address/).waitFor();
  await page.goto("about:blank");
  await page.goto(`${origin}/#token=${"A".repeat(43)}`);
  await page.getByText(/was restarted/).waitFor();
  await other.close();
});

test("a lost connection is shown, and recovers", async () => {
  const port = Number(new URL(served.server.address).port);
  await served.server.close();
  await lost().waitFor();
  await expect.poll(announced).toContain(LOST);
  const before = served.received.length;
  // The same server again, as after a restart: another token, so only a fresh URL helps.
  await served.serve(port);
  await served.opened.page.goto("about:blank");
  await served.opened.page.goto(served.server.address);
  await served.opened.page.locator(".event-row").first().waitFor();
  expect(served.received.length).toBeGreaterThan(before);
  expect(await lost().count()).toBe(0);
});

test("live hints are turned on where the user chooses, after showing the change, and off again with one click", async () => {
  const { page } = served.opened;
  served.shown = { liveHints: "off" };
  await page.reload();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByText("Turn live hints on…", { exact: true }).click();
  await page.getByText("110k tokens (12 % of tool results): 21.0k tokens in results that repeat as a whole").waitFor();
  // A file that cannot be changed says why, and cannot be chosen.
  await page.getByText("it is read-only").waitFor();
  expect(await page.getByRole("radio", { name: "All your projects" }).isDisabled()).toBe(true);
  expect(await page.locator(".change").isVisible()).toBe(false);
  await page.getByText("Show change").click();
  await page.locator(".change .added", { hasText: "hook.js" }).waitFor();
  expect(asked()).not.toContain("acceptLiveHints");
  await page.getByRole("radio", { name: "This project, for everyone" }).check();
  await page.getByText("shared with everyone").waitFor();
  await page.getByRole("button", { name: "Turn on", exact: true }).click();
  const done = page.locator(".live-hints-line", { hasText: "/home/ana/work/ladle/.claude/settings.json" });
  await done.waitFor();
  expect(await page.locator(".live-hints").count()).toBe(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await done.waitFor({ state: "detached" });
  const asks = served.received.flatMap(message => (message.type === "request" ? [message.ask] : []));
  expect(asks.filter(({ method }) => method.endsWith("LiveHints"))).toEqual([
    { method: "offerLiveHints", on: true },
    { method: "acceptLiveHints", offer: 1, place: 1 },
    { method: "offerLiveHints", on: false },
    { method: "acceptLiveHints", offer: 2, place: 1 },
  ]);
  expect(served.problems).toEqual([]);
});

test("if a Claude Code plugin gives live hints, they are on, and the command that removes it is shown", async () => {
  const { page } = served.opened;
  served.shown = { liveHints: "plugin" };
  await page.reload();
  await page.locator(".event-row").first().waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  expect(await page.getByText(/^Turn (live hints )?on…$/).count()).toBe(0);
  await page.getByText("Turn live hints off…", { exact: true }).click();
  await page.getByText("run: claude plugin uninstall dedup-inspector@dedup").waitFor();
});

/** Where the keyboard focus goes when the element that has it goes away: never to the page's body. */
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { replyTo } from "../../src/protocol/channel.js";
import type { PanelState, ToHost } from "../../src/protocol/messages.js";
import { packState } from "../../src/protocol/packing.js";
import { PageServer } from "../../src/serve/server.js";
import { connected, TestPage } from "./page.js";
import { A_HIT, answerFromSample, WITH_RUNS } from "./scenes.js";
import { panelState, SESSION, sampleLog } from "./states.js";

const READING = { files: 9, filesDone: 1, bytes: 9e6, bytesDone: 1e6, secondsLeft: null };

let server: PageServer;
let opened: TestPage;
let shown: PanelState;
/** Ends the report that is being created; undefined as long as none is. */
let fail: ((reason: Error) => void) | undefined;
/** Shows another state, as the engine would when something has changed. */
let update: (change: Partial<PanelState>) => void;
let asked = 0;
let fails = false;

/** The real server: only its pages export reports and turn live hints on by themselves. */
beforeEach(async () => {
  let seq = 0;
  fails = false;
  fail = undefined;
  shown = panelState(sampleLog({ capacity: 1 }), { place: "browser", liveHints: "off" });
  shown = { ...shown, settings: { ...shown.settings, capacity: 1 } };
  const answer = (panel: number, message: ToHost) => {
    const show = () => server.tabs.send(panel, { type: "snapshot", seq: ++seq, state: packState(shown) });
    if (message.type === "ready") show();
    if (message.type !== "request") return;
    asked++;
    const { ask } = message;
    const answered = () => {
      if (fails) throw new Error("the log is gone");
      return answerFromSample(ask);
    };
    void replyTo(message.id, answered).then(reply => server.tabs.send(panel, reply));
    if (ask.method === "setCapacity") update({ settings: { ...shown.settings, capacity: ask.capacity } });
    if (ask.method === "compareAll") update({ all: { ...shown.all, progress: ask.on ? READING : null } });
  };
  update = change => {
    shown = { ...shown, ...change };
    server.tabs.send(1, { type: "snapshot", seq: ++seq, state: packState(shown) });
  };
  server = await PageServer.start({
    port: 0,
    assets: inject("built"),
    report: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        fail = reject;
      }),
    host: { closed: () => {}, fromPage: answer },
  });
  const context = await (await connected()).newContext({ viewport: { width: 1200, height: 700 } });
  opened = new TestPage(await context.newPage());
  opened.page.setDefaultTimeout(120_000);
  await opened.page.goto(server.address);
  await opened.page.locator(".event-row").first().waitFor();
});

afterEach(async () => {
  await opened.close();
  await server.close();
});

/** What has the focus: its role or element, and its name. */
const focused = () =>
  opened.page.evaluate<string>(`(() => {
    const { activeElement: at } = document;
    return [at.getAttribute("role") ?? at.localName, at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30)].join(" ");
  })()`);
const expectFocus = (at: string | RegExp) => expect.poll(focused).toMatch(at);

/** Lets the report end once the page's request for it has arrived. */
async function finish(): Promise<void> {
  await expect.poll(() => fail).toBeDefined();
  fail?.(new Error("the disk is full"));
}

/** As with the keyboard: a click would also move the focus. */
async function press(name: string | RegExp): Promise<void> {
  await opened.page.getByRole("button", { name, exact: true }).focus();
  await opened.page.keyboard.press("Enter");
}

async function pick(item: string): Promise<void> {
  await press("More actions");
  await opened.page.getByRole("menuitem", { name: item }).focus();
  await opened.page.keyboard.press("Enter");
}

test("a menu has it before it is drawn: a key that is pressed at once applies to it", async () => {
  const focused = await opened.page.evaluate<string>(`(async () => {
    document.querySelector("[aria-label='More actions']").click();
    while (document.querySelector("[role=menuitem]") === null) await null;
    return document.activeElement.getAttribute("role");
  })()`);
  expect(focused).toBe("menuitem");
});

test("the help", async () => {
  await press("Marks and keys");
  await opened.page.locator(".help").waitFor();
  await opened.page.keyboard.press("Escape");
  await expectFocus("button Marks and keys");
});

test("the export of a report: it gets the focus, keeps it, and gives it back", async () => {
  await pick("Export report…");
  await expectFocus("button HTML");
  await expect.poll(() => opened.text("[role=status]")).toBe("Export report as");
  await press("Cancel");
  await expectFocus("grid Events");
  await pick("Export report…");
  await press("JSON");
  await expectFocus("button Cancel");
  await finish();
  await expectFocus("grid Events");
  await press("Dismiss");
  await opened.page.locator(".problems").waitFor({ state: "detached" });
  await expectFocus("grid Events");
});

test("an export that ends does not take the focus from something else", async () => {
  await pick("Export report…");
  await press("JSON");
  await opened.page.getByRole("button", { name: "Zoom in" }).focus();
  await finish();
  await opened.page.locator(".problem").waitFor();
  await expectFocus("button Zoom in");
});

test("another capacity, and back; there is no list here", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "What if" }).click();
  const used = page.locator(".used");
  await press(/^Use \d+$/);
  await used.waitFor();
  await expectFocus("vscode-button In use");
  await press("Undo");
  await used.waitFor({ state: "detached" });
  await expectFocus(/^vscode-button Use \d+$/);
  await pick("Export report…");
  await press("Cancel");
  await expectFocus("tab What if");
});

test.each(["Undo", "Dismiss"])("live hints that were turned on: %s", async button => {
  await pick("Turn live hints on…");
  await press("Turn on");
  const line = opened.page.locator(".live-hints-line");
  await line.waitFor();
  await expectFocus("grid Events");
  await press(button);
  await line.waitFor({ state: "detached" });
  await expectFocus("grid Events");
});

/** Another tab is in front for a while: the page gets a new snapshot when it is back, and requests its texts again. */
async function awayAndBack(): Promise<void> {
  await opened.settled();
  const known = asked;
  for (const state of ["hidden", "visible"]) {
    await opened.page.evaluate(`{
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }`);
  }
  await expect.poll(() => asked).toBeGreaterThan(known);
  await opened.settled();
}

test("a page that was away keeps it, and what was picked", async () => {
  const { page } = opened;
  await pick("Turn live hints on…");
  await page.getByRole("radio", { name: "This project, for everyone" }).check();
  await awayAndBack();
  expect(await page.getByRole("radio", { name: "This project, for everyone" }).isChecked()).toBe(true);
  expect(await page.evaluate("document.activeElement.localName")).toBe("input");
  await page.keyboard.press("Escape");
  await expectFocus("grid Events");
});

test("a page that was away keeps it in a comparison, and its place", async () => {
  const { page } = opened;
  server.tabs.send(1, { type: "reveal", row: WITH_RUNS });
  await press(/^Compare/);
  await page.locator(".compare-lines").focus();
  await page.evaluate("document.querySelector('.compare-lines').scrollTop = 60");
  await opened.settled();
  const scrolled = () => page.evaluate<number>("document.querySelector('.compare-lines')?.scrollTop");
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await awayAndBack();
  expect(await scrolled()).toBe(before);
  await expectFocus(/^table /);
});

test("a page that was away keeps it in the transcript", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.locator(".call pre").nth(1).focus();
  await awayAndBack();
  await expectFocus(/^pre /);
});

test("texts of a transcript that are tried again", async () => {
  const { page } = opened;
  fails = true;
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByRole("button", { name: "Try again" }).first().focus();
  fails = false;
  await page.keyboard.press("Enter");
  await page.locator(".call pre").first().waitFor();
  await expectFocus("feed Transcript");
});

test("a call that is shown in the transcript, from the list, its details and the lines of the breakdown", async () => {
  const { page } = opened;
  const back = () => page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event-list").press("Home");
  await page.keyboard.press("Enter");
  await expectFocus("feed Transcript");
  await back();
  await press("Transcript");
  await expectFocus("feed Transcript");
  await page.getByRole("tab", { name: "Breakdown" }).click();
  await page.locator(".why-lists .link").first().focus();
  await page.keyboard.press("Enter");
  await expectFocus("feed Transcript");
  await page.getByRole("tab", { name: "Breakdown" }).click();
  await page.locator("tr[class^=gate-] .link").first().focus();
  await page.keyboard.press("Enter");
  await expectFocus("grid Events");
});

test("a call of the transcript that is scrolled out of its window", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.locator(".call pre").first().focus();
  await page.locator(".transcript").hover();
  await page.mouse.wheel(0, 6000);
  await expectFocus("feed Transcript");
});

test("the details: the last step back, and closing them", async () => {
  const { page } = opened;
  server.tabs.send(1, { type: "reveal", row: A_HIT - 1 });
  server.tabs.send(1, { type: "reveal", row: A_HIT });
  await press("Back to the previous call");
  await page.getByRole("button", { name: "Back to the previous call" }).waitFor({ state: "detached" });
  await expectFocus("grid Events");
  await press("Clear the selection");
  await expectFocus("grid Events");
});

test("the comparison of all sessions: its start and its end are announced", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Breakdown" }).click();
  await page.getByRole("radio", { name: "All sessions" }).check();
  await press("Compare all sessions");
  await expectFocus("vscode-button Cancel");
  await expect.poll(() => opened.text("[role=status]")).toBe("Reading sessions…");
  update({ all: { ...shown.all, progress: null, problem: "the disk is full" } });
  await expectFocus("vscode-button Compare all sessions");
  await expect.poll(() => opened.text("[role=status]")).toContain("the disk is full");
});

test("problems that are listed or folded", async () => {
  update({ problems: ["one", "two", "three", "four"] });
  await press("2 more");
  await expectFocus("button Show fewer");
  await opened.page.keyboard.press("Enter");
  await expectFocus("button 2 more");
  update({ problems: [] });
  await expectFocus("grid Events");
});

test("another session that Follow shows: its name is announced", async () => {
  const { page } = opened;
  const next = shown.sessions.find(({ key }) => key !== SESSION)?.key ?? "";
  await page.locator(".event-list").focus();
  update({ selected: { session: next, context: "main" } });
  await expect.poll(() => opened.text("[role=status]")).toBe("oh-my-posh · Fix segment cache");
  await expectFocus("grid Events");
  await page.getByRole("application").focus();
  update({ selected: { session: SESSION, context: "main" } });
  await expect.poll(() => opened.text("[role=status]")).toContain("ladle · ");
  await expectFocus(/^application /);
});

test("nothing has it: keys for lists go to the list, or scroll what is there instead", async () => {
  const { page } = opened;
  const press = async (key: string) => {
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press(key);
  };
  await press("ArrowDown");
  await expectFocus("grid Events");
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.locator(".call pre").first().waitFor();
  await press("PageDown");
  await expect.poll(() => page.evaluate("document.querySelector('.transcript').scrollTop")).toBeGreaterThan(100);
  await page.getByRole("tab", { name: "What if" }).click();
  await page.setViewportSize({ width: 1200, height: 300 });
  await page.locator(".what-if .advice").click();
  await page.keyboard.press("PageDown");
  await expect.poll(() => page.evaluate("document.querySelector('.what-if').scrollTop")).toBeGreaterThan(20);
});

/** Where the keyboard focus goes when the element that has it goes away: never to the page's body. */
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { replyTo } from "../../src/protocol/channel.js";
import type { PanelState, ToHost } from "../../src/protocol/messages.js";
import { packState } from "../../src/protocol/packing.js";
import { PageServer } from "../../src/serve/server.js";
import { connected, TestPage } from "./page.js";
import { answerFromSample, WITH_RUNS } from "./scenes.js";
import { panelState, sampleLog } from "./states.js";

let server: PageServer;
let opened: TestPage;
let shown: PanelState;
/** Lets the report that is being created end. */
let finish = () => {};
let asked = 0;
let fails = false;

/** The real server: only its pages export reports and turn live hints on by themselves. */
beforeEach(async () => {
  let seq = 0;
  fails = false;
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
    if (ask.method !== "setCapacity") return;
    shown = { ...shown, settings: { ...shown.settings, capacity: ask.capacity } };
    show();
  };
  server = await PageServer.start({
    port: 0,
    assets: inject("built"),
    report: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        finish = () => reject(new Error("the disk is full"));
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
  finish();
  await expectFocus("grid Events");
  await press("Dismiss");
  await opened.page.locator(".problems").waitFor({ state: "detached" });
  await expectFocus("grid Events");
});

test("an export that ends does not take the focus from something else", async () => {
  await pick("Export report…");
  await press("JSON");
  await opened.page.getByRole("button", { name: "Zoom in" }).focus();
  finish();
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

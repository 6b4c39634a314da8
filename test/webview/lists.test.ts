/** What lists lead to: the events behind a figure, the files of a session, and the menu of what is under the pointer. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Gate } from "../../src/inspect/gates.js";
import { menuCallOf } from "../../src/protocol/contextMenu.js";
import { gateName } from "../../src/words/outcomeTexts.js";
import { capitalized } from "../../src/words/text.js";
import { TestPage } from "./page.js";
import { A_HIT, answerFromSample } from "./scenes.js";
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

test("each line of where the tokens went lists exactly its own events", async () => {
  const { page } = opened;
  await page.locator("#tab-why").click();
  const lines = page.locator("tr[class^=gate-]");
  const gates = await lines.evaluateAll(rows => rows.map(row => row.className));
  expect(gates).toContain("gate-changed");
  expect(gates).toContain("gate-otherRange");
  for (const gate of gates) {
    await page.locator("#tab-why").click();
    const line = page.locator(`tr.${gate}`);
    const results = await line.locator("td").last().textContent();
    await line.locator("button").click();
    await opened.settled();
    expect(await opened.text(".filter-count"), gate).toMatch(new RegExp(`^${results} of `));
    // The filter says what it lists.
    const shown = await page.locator("vscode-dropdown[title=Kind]").evaluate(field => field.shadowRoot?.textContent);
    expect(shown).toContain(capitalized(gateName(gate.slice("gate-".length) as Gate)));
  }
});

test("the list of paths has files, and no commands or patterns", async () => {
  const { page } = opened;
  await page.locator(".path-picker button").click();
  await page.getByRole("option").first().waitFor();
  const { targets } = mainOf(log);
  const commands = targets.filter(target => target.startsWith("npm test"));
  expect(commands.length).toBeGreaterThan(0);
  await page.getByRole("combobox", { name: "Filter paths" }).fill("npm test");
  expect(await page.getByRole("option").count()).toBe(0);
  await page.getByRole("combobox", { name: "Filter paths" }).fill("docs/api.md");
  expect(await page.getByRole("option").textContent()).toMatch(/^docs\/api\.md/);
  await page.getByRole("option").click();
  await opened.settled();
  const shown = await page.locator(".event-row:not(.event-invalidate) .cell-target").allTextContents();
  const named = targets.filter(target => target === "docs/api.md");
  expect(named.length).toBeGreaterThan(1);
  expect(shown.map(line => line.replace(/ \d+–\d+/, ""))).toEqual(named.map(() => "api.md docs"));
});

test("files are shown relative to the session's folder, even if that is only known later", async () => {
  const state = panelState(log);
  const [session, ...others] = state.sessions;
  if (session === undefined || state.context === null) throw new Error("The sample has no session");
  const context = { ...state.context, files: state.context.files.map((_, index) => `/work/shop/lib/f${index}.ts`) };
  await opened.show({ ...state, context, sessions: [{ ...session, project: "" }, ...others] }, 2);
  const folder = opened.page.locator(".event-row .target-folder").first();
  expect((await folder.textContent())?.trim()).toBe("/work/shop/lib");
  await opened.delta(3, { sessions: { changed: [{ ...session, project: "/work/shop" }], gone: [] } });
  await expect.poll(async () => (await folder.textContent())?.trim()).toBe("lib");
});

describe("the context menu", () => {
  /** What VS Code would pass to a menu command, collected as its webviews do. */
  async function menuAt(open: () => Promise<void>): Promise<number | undefined> {
    return menuCallOf(await argumentAt(open))?.row;
  }

  async function argumentAt(open: () => Promise<void>): Promise<unknown> {
    await opened.page.evaluate(`new Promise(ready => {
      addEventListener("contextmenu", event => {
        event.preventDefault();
        window.menu = { webview: "dedup.panel" };
        for (let at = event.target.closest("[data-vscode-context]"); at; at = at.parentElement?.closest("[data-vscode-context]")) {
          window.menu = { ...JSON.parse(at.dataset.vscodeContext), ...window.menu };
        }
      }, { once: true });
      window.menu = null;
      ready();
    })`);
    await open();
    await opened.page.waitForFunction("window.menu !== null");
    return opened.page.evaluate("window.menu");
  }
  const rightClick = (selector: string) => () => opened.page.locator(selector).click({ button: "right" });

  test("is about the row under the pointer, whatever is selected", async () => {
    expect(await menuAt(rightClick(".event-row:has(.cell-number:text-is('3'))"))).toBe(2);
    await opened.post({ type: "reveal", row: A_HIT });
    const other = `.event-row:has(.cell-number:text-is('${A_HIT}'))`;
    expect(await menuAt(rightClick(other))).toBe(A_HIT - 1);
    await opened.post({ type: "reveal", row: A_HIT });
    expect(await menuAt(rightClick(".details-title"))).toBe(A_HIT);
    expect(await menuAt(rightClick(".details-facts .link >> nth=0"))).toBe(await linkedCall());
    expect(await opened.text(".event-row.selected .cell-number")).toBe(String(A_HIT + 1));
  });

  test("is about the session that was shown when it opened", async () => {
    const argument = await argumentAt(rightClick(".event-row:has(.cell-number:text-is('3'))"));
    expect(menuCallOf(argument)).toEqual({ ...panelState(log).selected, row: 2 });
  });

  test("selects what it is about", async () => {
    await menuAt(rightClick(".event-row:has(.cell-number:text-is('3'))"));
    await opened.settled();
    expect(await opened.text(".event-row.selected .cell-number")).toBe("3");
    expect(await opened.text(".fact-place")).toContain("call 3");
    await opened.page.locator("vscode-dropdown[title=Kind]").evaluate(field => {
      Object.assign(field, { value: "boundary" }).dispatchEvent(new Event("change"));
    });
    await opened.settled();
    await menuAt(rightClick(".event-row.event-boundary >> nth=0"));
    await opened.settled();
    expect(await opened.page.locator(".event-row.selected.event-boundary").count()).toBe(1);
  });

  test("only offers to go to a reference and to compare if there is one", async () => {
    await opened.post({ type: "reveal", row: A_HIT });
    const hit = `.event-row:has(.cell-number:text-is('${A_HIT + 1}'))`;
    const offers = { callHasReference: true, callIsComparable: true };
    expect(await argumentAt(rightClick(hit))).toMatchObject(offers);
    expect(await argumentAt(rightClick(".details-title"))).toMatchObject(offers);
    await opened.page.locator(".event-list").press("Home");
    await opened.settled();
    const none = { callHasReference: false, callIsComparable: false };
    expect(await argumentAt(rightClick(".event-row:has(.cell-number:text-is('1'))"))).toMatchObject(none);
    expect(await argumentAt(rightClick(".details-title"))).toMatchObject(none);
    expect(
      await opened.page
        .locator(".details-actions")
        .getByText(/^Go to/)
        .count(),
    ).toBe(0);
  });

  async function linkedCall(): Promise<number> {
    return Number(/\d+/.exec(await opened.text(".details-facts .link"))?.[0]) - 1;
  }

  test("is not about a call where there is none: a mark, the space below the list, partitions, sessions", async () => {
    const { page } = opened;
    await opened.post({ type: "reveal", row: A_HIT });
    await page.locator("vscode-dropdown[title=Kind]").evaluate(field => {
      Object.assign(field, { value: "boundary" }).dispatchEvent(new Event("change"));
    });
    await opened.settled();
    expect(await menuAt(rightClick(".event-row.event-boundary"))).toBeUndefined();
    const list = await page.locator(".event-list").boundingBox();
    const below = { button: "right", position: { x: 40, y: (list?.height ?? 0) - 12 } } as const;
    expect(await menuAt(() => page.locator(".event-list").click({ ...below, force: true }))).toBeUndefined();
    await page.locator("#tab-partitions").click();
    expect(await menuAt(rightClick(".partition-row >> nth=0"))).toBeUndefined();
    await page.getByRole("button", { name: /^Session:/ }).click();
    expect(await menuAt(rightClick(".picker-item >> nth=1"))).toBeUndefined();
  });

  test("is about the active row if the keyboard opens it", async () => {
    const { page } = opened;
    await opened.post({ type: "reveal", row: A_HIT });
    await page.locator(".event-list").focus();
    expect(await menuAt(() => page.keyboard.press("Shift+F10"))).toBe(A_HIT);
    await page.locator("[role=application]").focus();
    expect(await menuAt(() => page.keyboard.press("Shift+F10"))).toBe(A_HIT);
  });

  test("is about the mark under the pointer in the timeline", async () => {
    const { page } = opened;
    await opened.post({ type: "reveal", row: A_HIT });
    const canvas = page.locator(".timeline-canvas");
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    const found = new Set<number | undefined>();
    // A sweep over the lanes: the menu is about what a click would select there.
    for (let x = 60; x < width - 10 && found.size < 4; x += 37) {
      for (let y = 30; y < height - 60 && found.size < 4; y += 23) {
        const position = { x, y };
        const row = await menuAt(() => canvas.click({ button: "right", position }));
        if (row === undefined || found.has(row)) continue;
        found.add(row);
        await canvas.click({ position });
        await opened.settled();
        expect(await opened.text(".event-row.selected .cell-number")).toBe(String(row + 1));
      }
    }
    expect(found.size).toBe(4);
  });
});

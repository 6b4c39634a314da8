/**
 * Pictures of the page in every state that a user sees first, in all sizes and themes, with automatic checks. For
 * inspection: DEDUP_SHOTS names the folder; by default a temporary one.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildEngine } from "../../support/engineCode.js";
import type { TestPage } from "../page.js";
import type { ThemeName } from "../themes.js";
import { EngineBehind } from "./engineBehind.js";
import { FIND } from "./findings.js";
import { goOn, STATES } from "./sessions.js";

const shots = process.env["DEDUP_SHOTS"] ?? mkdtempSync(join(tmpdir(), "dedup-pictures-"));
mkdirSync(shots, { recursive: true });

/** For checks two themes are enough: borders differ between normal and high contrast, and colours take no space. */
const THEMES: readonly ThemeName[] =
  process.env["DEDUP_SHOTS"] === undefined ? ["dark", "hcLight"] : ["dark", "light", "hcDark", "hcLight"];

/** Where the page is, and how large it is there. */
const SIZES = {
  vscode: { panel: [1020, 270], low: [1020, 250], besideSideBar: [745, 260], editor: [1020, 760], sideBar: [300, 800] },
  browser: { browser: [1280, 800], wide: [1900, 900] },
} as const;

const code = mkdtempSync(join(tmpdir(), "dedup-engine-"));
const all: string[] = [];

/** Notes for whoever looks at the pictures. */
function note(picture: string, found: readonly string[]): void {
  all.push(...found.map(line => `${picture}: ${line}`));
  writeFileSync(join(shots, "findings.txt"), `${all.join("\n")}\n`);
}

beforeAll(() => buildEngine(code));
afterAll(() => rmSync(code, { recursive: true, force: true }));

/** Waits until nothing is being read and everything is drawn. */
async function isQuiet(opened: TestPage, state: string): Promise<void> {
  const { page } = opened;
  if (state === "nothing") await page.getByText("No Claude Code sessions yet").waitFor();
  else await page.locator(".event-row").first().waitFor();
  await page.locator(".reading-line").waitFor({ state: "detached" });
  // Its title and its folder arrive with the list of sessions, a moment after its results.
  await page.getByText("Untitled session").waitFor({ state: "detached" });
  await opened.settled();
}

/** Selects a result that repeats in part: what repeats and where must be fully readable, with its buttons. */
async function selectedIsWhole(opened: TestPage, theme: ThemeName): Promise<void> {
  const { page } = opened;
  await page.setViewportSize({ width: 1280, height: 1600 });
  await page.locator(".event-row.event-partial").first().click();
  for (const [name, [width, height]] of Object.entries(SIZES.vscode)) {
    await page.setViewportSize({ width, height });
    await opened.settled();
    await page.locator(".fact-main", { hasText: "lines are in call" }).waitFor();
    await opened.settled();
    const picture = `selected-${name}-${theme}`;
    await page.screenshot({ path: join(shots, `${picture}.png`), animations: "disabled" });
    const found = await page.evaluate<string[]>(FIND);
    note(picture, found);
    expect(found, picture).toEqual([]);
  }
}

describe.each(Object.entries(STATES))("%s", (state, write) => {
  test.each(["vscode", "browser"] as const)("in %s", async place => {
    const behind = new EngineBehind(code);
    try {
      const log = write(behind.root);
      behind.start(place);
      for (const theme of THEMES) {
        const opened = await behind.open(theme, 1020, 270);
        await isQuiet(opened, state);
        if (state === "live") goOn(log);
        for (const [name, [width, height]] of Object.entries(SIZES[place])) {
          await opened.page.setViewportSize({ width, height });
          await opened.settled();
          const picture = `${state}-${name}-${theme}`;
          await opened.page.screenshot({ path: join(shots, `${picture}.png`), animations: "disabled" });
          const found = await opened.page.evaluate<string[]>(FIND);
          note(picture, found);
          expect(found, picture).toEqual([]);
        }
        if (state === "compacted" && place === "vscode") await selectedIsWhole(opened, theme);
        await opened.expectClean();
        await behind.close(opened);
      }
    } finally {
      await behind.stop();
    }
  });
});

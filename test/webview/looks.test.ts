import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TestPage } from "./page.js";
import { answerFromSample, SCENES } from "./scenes.js";
import { ServedPage } from "./servedPage.js";
import type { ThemeName } from "./themes.js";

/** For inspection: DEDUP_SHOTS names the folder; by default a temporary one. */
const shots = process.env["DEDUP_SHOTS"] ?? mkdtempSync(join(tmpdir(), "dedup-shots-"));
mkdirSync(shots, { recursive: true });

const THEMES: readonly ThemeName[] = ["dark", "light", "hcDark", "hcLight"];
const WIDE = [1400, 470] as const;
const NARROW = [300, 900] as const;
/** The layout is the same in every theme: the narrow one is only checked in the two that have least in common. */
const sizesOf = (theme: ThemeName) => (theme === "dark" || theme === "hcLight" ? [NARROW, WIDE] : [WIDE]);

describe.each(THEMES)("%s", theme => {
  test.each(sizesOf(theme))("every state is accessible and obeys the policy at %i × %i", async (width, height) => {
    const opened = await TestPage.open({ theme, width, height, answer: answerFromSample });
    for (const [name, scene] of Object.entries(SCENES)) {
      await scene(opened);
      await opened.page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`), animations: "disabled" });
      await opened.expectAccessible(name);
      await opened.expectOneForm(name);
      const overflow = await opened.page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(overflow, `${name} is wider than the page`).toBeLessThanOrEqual(0);
      expect(await opened.cutTexts(".figure-value, .partition-heads > span"), `${name} fits`).toEqual([]);
    }
    await opened.expectClean();
    await opened.close();
  });

  test("a button can be read under the mouse", async () => {
    const opened = await TestPage.open({ theme, answer: answerFromSample });
    await SCENES["live"]?.(opened);
    for (const appearance of ["primary", "secondary"]) {
      await opened.page.locator(`vscode-button[appearance="${appearance}"]`).first().hover();
      await opened.expectAccessible(appearance);
    }
    await opened.close();
  });
});

test.each([
  [700, 800],
  [1000, 300],
  [1900, 900],
] as const)("screenshots at %i × %i", async (width, height) => {
  const opened = await TestPage.open({ width, height, answer: answerFromSample });
  for (const name of ["sample", "live", "whatIf", "partitions", "transcript"]) {
    await SCENES[name]?.(opened);
    await opened.page.screenshot({ path: join(shots, `${name}-dark-${width}.png`), animations: "disabled" });
  }
  await opened.expectClean();
  await opened.close();
});

test("in a browser with forced colours, what is chosen differs from the rest, and a splitter shows the focus", async () => {
  const served = await ServedPage.open();
  served.shown = { following: true };
  await served.reload();
  const { page } = served.opened;
  await page.emulateMedia({ forcedColors: "active" });
  const look = (selector: string, pseudo = "") =>
    page.evaluate<string>(`(() => {
      const found = document.querySelector('${selector}');
      const { backgroundColor, outlineStyle } = getComputedStyle(found, '${pseudo}');
      // All backgrounds are forced to one colour; only how transparent they are is kept.
      return backgroundColor.match(/\\d+/g).slice(0, 3) + outlineStyle;
    })()`);
  expect(await look(".segment :checked + span")).not.toBe(await look(".segment :not(:checked) + span"));
  expect(await look("[role=tab][aria-selected=true]")).not.toBe(await look("[role=tab][aria-selected=false]"));
  expect(await look(".icon-button[aria-pressed=true]")).not.toBe(await look(".icon-button:not([aria-pressed])"));
  const splitter = await look(".splitter", "::after");
  await page.getByRole("separator").press("Shift");
  expect(await look(".splitter", "::after")).not.toBe(splitter);
  await page.screenshot({ path: join(shots, "forced-colours.png") });
  await page.locator(".event-list").press("Home");
  await page.keyboard.press("Enter");
  await page.locator(".call.selected").waitFor();
  expect(await look(".call.selected")).not.toBe(await look(".call:not(.selected)"));
  await served.close();
});

// The first look in a real VS Code: the panel at its default size, an editor tab, the side bar. The pictures are for
// people (DEDUP_SCREENSHOTS names their folder); checks that the page fits its place.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../rig/page.mjs";
import { body, eventually, inWorkbench } from "./workbench.mjs";

/** With this window the panel's page has about 1020 × 270 pixels, which is what VS Code gives a new user. */
const VIEWPORT = { width: 1343, height: 900 };

export function journey(options) {
  return inWorkbench({ ...options, viewport: VIEWPORT }, async workbench => {
    const log = workbench.session(1, "Convert units when a recipe is scaled");
    const files = ["src/units/convert.ts", "src/units/parse.ts", "src/recipes/scale.ts", "docs/formats.md"];
    for (let turn = 0; turn < 60; turn++) {
      // Other lines of the same files, and occasionally the same ones.
      const file = files[turn % files.length];
      log.read(file, body(file, 40 + ((turn * 17) % 9) * 10));
      if (turn === 25 || turn === 45) log.compact();
    }
    const panel = await workbench.openPanel();
    await eventually("all results", async () => Number(await rowCount(panel)) >= 60);
    // What the newest request sent, according to the log.
    assert.match(await panel.locator(".figure-context").textContent(), /Context[\d.]+k tokens/);
    await fits(panel, "panel");
    await workbench.screenshot("first-look-panel");
    await hintedLinesInTwoClicks(workbench, panel);
    await liveHintsInThree(workbench, panel);

    await workbench.command("Open in Editor");
    const editor = await workbench.shown("editor");
    await editor.locator(".event-row").first().waitFor();
    await runCommand(workbench.page, "View: Toggle Panel Visibility");
    await fits(await workbench.shown("editor"), "editor");
    await workbench.screenshot("first-look-editor");
  });
}

/** From the opened panel to a result next to what the model would get. */
async function hintedLinesInTwoClicks({ page }, panel) {
  await panel.locator(".event-row.event-partial").last().click();
  await panel.locator(".details-actions").getByText("Compare", { exact: true }).click();
  const sides = page.locator(".monaco-diff-editor .editor");
  await sides.locator(".view-line", { hasText: "[ref:" }).first().waitFor();
  assert.equal(await sides.count(), 2);
}

/** From the first screen to live hints that are on. */
async function liveHintsInThree({ page, root }, panel) {
  const settings = join(root, "workspace", ".claude", "settings.local.json");
  await panel.locator(".figure-realised").click();
  await page.getByText("This project, only for you", { exact: true }).click();
  const dialog = page.locator(".monaco-dialog-box");
  // First says what they would have saved, with separate figures for whole results and lines.
  assert.match(await dialog.textContent(), /would have saved .*as a whole, .* in repeated lines/s);
  await dialog.getByText("Turn On", { exact: true }).click();
  await eventually("the settings", () => existsSync(settings));
  await eventually("no offer any more", async () => (await panel.getByText("Turn on…").count()) === 0);
  await runCommand(page, "Notifications: Clear All Notifications");
}

function rowCount(panel) {
  return panel.locator(".event-list").getAttribute("aria-rowcount");
}

/** Nothing is wider than the page, and every button of its bar can be clicked. */
async function fits(content, where) {
  const over = await content.locator("body").evaluate(body => body.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${where}: ${over} px wider than its frame`);
  const unreachable = await content.locator(".bar button").evaluateAll(buttons =>
    buttons
      .filter(button => {
        const box = button.getBoundingClientRect();
        return box.width > 0 && (box.right > innerWidth || box.bottom > innerHeight || box.left < 0);
      })
      .map(button => button.ariaLabel ?? button.textContent),
  );
  assert.deepEqual(unreachable, [], where);
}

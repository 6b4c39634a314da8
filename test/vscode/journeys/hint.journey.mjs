// From a hint to the call it points at, to both results side by side, and to the line in the log.
import assert from "node:assert/strict";
import { body, choose, eventually, inWorkbench } from "./workbench.mjs";

export function journey(options) {
  return inWorkbench(options, async workbench => {
    const { page } = workbench;
    const log = workbench.session(1, "Hints to follow");
    for (const name of ["a.ts", "b.ts", "c.ts", "a.ts"]) log.read(name, body(name));
    const panel = await workbench.openPanel();
    const hit = panel.locator(".event-hit");
    await hit.first().waitFor();

    await hit.first().locator("button.link").click();
    await tab(page, "Hints to follow");
    const head = page.locator(".monaco-editor .view-line", { hasText: "── call 1 ·" });
    await head.waitFor();
    const cursor = await eventually("the cursor", () => cursorLine(page));
    assert.match(cursor, /^── call 1 · Read a\.ts · [\d,]+ tokens · new$/);
    assert.equal(
      await panel.locator(".event-row.selected .cell-number").textContent(),
      "1",
      "selected in the panel too",
    );

    // Moving the cursor in the transcript selects the call in the panel.
    await head.click();
    await page.keyboard.press("ControlOrMeta+End");
    await selects(panel, "4");

    // A hint in the transcript links to its call as well.
    const hint = page.locator(".monaco-editor .view-line", {
      hasText: "> [ref: toolu_0001, byte-identical, from: Read(a.ts)]",
    });
    await hint.waitFor();
    // With the key held down the line is redrawn, so the link is clicked by its position.
    const box = await eventually("the hint's place", () => hint.boundingBox());
    await page.keyboard.down("ControlOrMeta");
    await page.mouse.click(box.x + 60, box.y + box.height / 2);
    await page.keyboard.up("ControlOrMeta");
    await eventually("the referenced call", async () => /^── call 1 ·/.test(await cursorLine(page)));
    await selects(panel, "1");

    // So does its key.
    await page.keyboard.press("ControlOrMeta+End");
    await selects(panel, "4");
    await page.keyboard.press("F12");
    await selects(panel, "1");

    await hit.first().click();
    await panel.locator(".details-actions").getByText("Compare", { exact: true }).click();
    await tab(page, "Call 1 ↔ Call 4");
    await page.locator(".monaco-diff-editor").waitFor();

    // A low panel has no room for a third button: it is in the row's menu.
    await hit.first().click({ button: "right" });
    await choose(page, "Open Log Line");
    await page.locator(".tab.active", { hasText: /aaaaaaaa-.* line \d+\.jsonc/ }).waitFor();
    await page.locator(".monaco-editor .view-line", { hasText: "tool_result" }).first().waitFor();
    await workbench.screenshot("log-line");

    // The right mouse button selects the row under it, and the menu only offers what leads somewhere.
    await hit.first().click();
    await selects(panel, "4");
    await panel.locator(".event-row:has(.cell-number:text-is('2'))").click({ button: "right" });
    await page.locator(".monaco-menu .action-item", { hasText: "Open Log Line" }).waitFor();
    assert.equal(await page.locator(".monaco-menu .action-item", { hasText: "Go to Referenced Call" }).count(), 0);
    assert.equal(await page.locator(".monaco-menu .action-item", { hasText: "Compare Results" }).count(), 0);
    await choose(page, "Open Log Line");
    await page.locator(".monaco-editor .view-line", { hasText: "toolu_0002" }).first().waitFor();
    await selects(panel, "2");
    // Where nothing repeats there is room.
    await panel.locator(".event-row:has(.cell-number:text-is('3'))").click();
    await panel.locator(".details-actions").getByText("Log line", { exact: true }).click();
    await page.locator(".monaco-editor .view-line", { hasText: "toolu_0003" }).first().waitFor();
    await hit.first().click({ button: "right" });
    await choose(page, "Go to Referenced Call");
    await selects(panel, "1");

    // The keys work in VS Code as they do in a browser.
    await panel.locator(".event-list").focus();
    await page.keyboard.press("h");
    await selects(panel, "4");
    await page.keyboard.press("?");
    await panel.locator(".help").waitFor();
    await page.keyboard.press("Escape");
  });
}

async function selects(panel, number) {
  const selected = panel.locator(".event-row.selected .cell-number");
  await eventually(`call ${number} selected`, async () => (await selected.allTextContents()).join() === number);
}

async function tab(page, title) {
  await page.locator(".tab.active", { hasText: title }).waitFor();
}

/** The text of the line that the status bar says the cursor is on; "" if it is not in view. */
function cursorLine(page) {
  // In one go: an editor discards lines while it scrolls.
  return page.evaluate(() => {
    const group = document.querySelector(".editor-group-container.active");
    const items = [...document.querySelectorAll(".statusbar-item")].map(item => item.textContent ?? "");
    const line = items.map(text => /Ln (\d+)/.exec(text)?.[1]).find(Boolean);
    const numbers = [...(group?.querySelectorAll(".margin-view-overlays .line-numbers") ?? [])];
    const top = numbers.find(number => number.textContent === line)?.parentElement?.style.top;
    const lines = [...(group?.querySelectorAll(".view-lines .view-line") ?? [])];
    const found = lines.find(one => top !== undefined && one.style.top === top);
    return (found?.textContent ?? "").replaceAll("\u00a0", " ");
  });
}

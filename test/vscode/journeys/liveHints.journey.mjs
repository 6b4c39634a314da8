// Saving for real: live hints turned on from VS Code, the real Claude Code at work, its hints in the panel as they happen.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { skip } from "../../../scripts/system.mjs";
import { claudeIsMissing, claudeRuns } from "../support/claude.mjs";
import { eventually, inWorkbench } from "./workbench.mjs";

export async function journey(options) {
  const missing = await claudeIsMissing();
  if (missing) return skip("live hints from VS Code", missing);
  return inWorkbench(options, async workbench => {
    const { page, root } = workbench;
    const settings = join(root, "workspace", ".claude", "settings.local.json");
    writeFileSync(join(root, "workspace", "a.txt"), "a line that is read more than once\n".repeat(60));
    const panel = await workbench.openPanel();

    await workbench.command("Turn Live Hints On…");
    await page.getByText("This project, only for you", { exact: true }).click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /Turn on live hints\?.*settings\.local\.json/s);
    await workbench.screenshot("live-hints-ask");
    // The exact change is one click away, and the question stays open next to it.
    await dialog.getByText("Show Change", { exact: true }).click();
    const diff = page.locator(".monaco-diff-editor .editor.modified .view-line");
    await diff.filter({ hasText: '"PostToolUse"' }).first().waitFor();
    const asked = page.locator(".quick-input-widget", { hasText: "Turn on live hints?" });
    await asked.waitFor();
    // Reading the change does not answer the question.
    await diff.first().click();
    await asked.waitFor();
    assert.equal(existsSync(settings), false);
    await workbench.screenshot("live-hints-change");
    await asked.locator(".monaco-list-row").getByText("Turn On", { exact: true }).click();
    await eventually("the settings", () => existsSync(settings));
    assert.match(readFileSync(settings, "utf8"), /dedup-inspector.*hook\.js/);

    const realised = panel.locator(".event-row", { hasText: "live hint" });
    // The first hint appears while Claude Code is still working: it only continues once that has happened.
    const working = claudeRuns(root, "workspace", [
      "cat a.txt",
      "echo aside",
      "cat a.txt",
      "until [ -e seen ]; do sleep 0.1; done",
      "cat a.txt",
      "sleep 1",
    ]);
    try {
      await realised.first().waitFor();
    } finally {
      writeFileSync(join(root, "workspace", "seen"), "");
    }
    assert.deepEqual(await working, { calls: 6, hints: 2 });
    await eventually("both hints", async () => (await realised.count()) === 2);
    // By now the menu knows that they are on.
    await panel.getByRole("button", { name: "More actions" }).click();
    await panel.getByText("Turn live hints off…", { exact: true }).waitFor();
    await workbench.screenshot("live-hints-menu");
    await page.keyboard.press("Escape");
    await workbench.screenshot("live-hints-panel");
    const figure = panel.locator(".figure-realised .figure-value");
    assert.ok(Number.parseFloat(await figure.textContent()) > 0);

    await workbench.command("Turn Live Hints Off…");
    await page.getByText("This project, only for you", { exact: true }).click();
    await dialog.getByText("Turn Off", { exact: true }).click();
    await eventually("no trace", () => !existsSync(join(root, "workspace", ".claude")));

    // A broken settings file is restored, and the broken one is kept.
    mkdirSync(join(root, "workspace", ".claude"));
    writeFileSync(settings, '{ "mine": true }');
    await workbench.command("Turn Live Hints On…");
    await page.getByText("This project, only for you", { exact: true }).click();
    await dialog.getByText("Turn On", { exact: true }).click();
    await eventually("the hooks", () => readFileSync(settings, "utf8").includes("hook.js"));
    truncateSync(settings, 30);
    // A window that is opened afterwards offers it too.
    await page.reload();
    await workbench.command("Turn Live Hints Off…");
    await page.getByText("This project, only for you", { exact: true }).click();
    await dialog.getByText("Restore", { exact: true }).click();
    await eventually("the settings as they were", () => readFileSync(settings, "utf8") === '{ "mine": true }');
    assert.equal(readFileSync(`${settings}.broken`).length, 30);
  });
}

// Going away and coming back: hidden, as an editor tab, after a reload of the window.
import assert from "node:assert/strict";
import { runCommand } from "../rig/page.mjs";
import { body, eventually, inWorkbench } from "./workbench.mjs";

export function journey(options) {
  return inWorkbench(options, async workbench => {
    const { page } = workbench;
    const old = workbench.session(1, "The older session");
    for (const name of ["a.ts", "b.ts", "a.ts"]) old.read(name, body(name));
    await new Promise(resolve => setTimeout(resolve, 1100));
    const live = workbench.session(2, "The newer session");
    live.read("x.ts", body("x"));
    let panel = await workbench.openPanel();
    await shows(panel, "The newer session");

    const select = async title => {
      await workbench.command("Select Session");
      await page.locator(".quick-input-widget .monaco-list-row", { hasText: title }).click();
    };
    await select("The older session");
    await shows(panel, "The older session");
    await panel.locator(".event-hit").first().click();
    await isSelected(panel);

    await runCommand(page, "View: Toggle Panel Visibility");
    await eventually("no panel", async () => (await page.locator("iframe.webview").count()) === 0);
    live.read("x.ts", body("x"));
    panel = await workbench.openPanel();
    await shows(panel, "The older session");
    await isSelected(panel);

    await workbench.command("Open in Editor");
    const editor = await workbench.shown("editor");
    await shows(editor, "The older session");
    assert.equal(await page.locator(".tab.active").textContent(), "Dedup");
    // From here on the two are independent.
    await select("The newer session");
    await shows(editor, "The newer session");
    await shows(panel, "The older session");

    // A workbench in a browser saves its own state every 5 seconds.
    await new Promise(resolve => setTimeout(resolve, 6000));
    await page.reload();
    await page.locator(".monaco-workbench .part.statusbar").waitFor();
    panel = await workbench.shown("panel");
    await isSelected(panel);
    await shows(panel, "The older session");
    await shows(await workbench.shown("editor"), "The newer session");
    await workbench.screenshot("after-reload");

    await runCommand(page, "View: Close All Editors");
    await workbench.command("Follow Live Session");
    await eventually("the live session", async () => (await sessionOf(panel)).includes("The newer session"));

    // Behind another tab, VS Code restores ours only when it is shown.
    await workbench.command("Open in Editor");
    await shows(await workbench.shown("editor"), "The newer session");
    await runCommand(page, "Preferences: Open User Settings (JSON)");
    const other = page.locator(".tab.active", { hasText: "settings.json" });
    await other.waitFor();
    await new Promise(resolve => setTimeout(resolve, 6000));
    await page.reload();
    await page.locator(".monaco-workbench .part.statusbar").waitFor();
    await other.waitFor();
    const ours = page.locator(".tab", { hasText: /^Dedup$/ });
    assert.equal(await ours.count(), 1);
    await workbench.command("Open in Editor");
    await eventually("the tab", async () => (await page.locator(".tab.active").textContent()) === "Dedup");
    await ours.first().click();
    await eventually("one tab", async () => (await ours.count()) === 1);
    await shows(await workbench.shown("editor"), "The newer session");
  });
}

async function sessionOf(panel) {
  return (await panel.locator(".bar").first().textContent()).replaceAll("\u00a0", " ");
}

async function shows(panel, title) {
  await eventually(title, async () => (await sessionOf(panel)).includes(title));
}

async function isSelected(panel) {
  const number = panel.locator(".event-row.selected .cell-number");
  await eventually(
    "the selected hit",
    async () => (await number.count()) === 1 && (await number.textContent()) === "3",
  );
}

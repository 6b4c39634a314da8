// The extension's own page in VS Code, where people decide whether to keep it: the README with its drawing, and what
// the extension contributes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { runCommand } from "../rig/page.mjs";
import { eventually, inWorkbench } from "./workbench.mjs";

const { displayName, contributes } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

export function journey(options) {
  return inWorkbench(options, async workbench => {
    const { page } = workbench;
    await runCommand(page, "Extensions: Show Installed Extensions");
    await page.locator(".extension-list-item", { hasText: displayName }).first().click();
    const details = page.locator(".extension-editor");
    await details.getByText(displayName, { exact: true }).waitFor();

    const readme = page.locator("iframe.webview").last().contentFrame().locator("iframe#active-frame").contentFrame();
    await readme.getByRole("heading", { name: displayName }).waitFor();
    assert.equal(await readme.locator("img").count(), 0, "a picture that VS Code cannot load");
    // In place of the picture.
    await readme.locator("pre", { hasText: /Read[^A-Za-z]*◐/ }).waitFor();
    await workbench.screenshot("page-details");

    await details.getByText("Features", { exact: true }).click();
    await details.getByText("Commands", { exact: true }).click();
    const withKeys = details.locator("table tr", { has: page.locator(".monaco-keybinding") }).locator("td:first-child");
    const expected = [...new Set(contributes.keybindings.map(({ command }) => command))].sort();
    await eventually(
      "the shortcuts",
      async () => String((await withKeys.allTextContents()).sort()) === String(expected),
    );
    await workbench.screenshot("page-features");
  });
}

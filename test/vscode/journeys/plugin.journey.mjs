// Live hints as a plugin that Claude Code itself has installed: VS Code knows that they are on, and says how to remove them.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { skip } from "../../../scripts/system.mjs";
import { claude, claudeIsMissing } from "../support/claude.mjs";
import { body, eventually, inWorkbench } from "./workbench.mjs";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const ID = "dedup-inspector@dedup";

export async function journey(options) {
  const missing = await claudeIsMissing();
  if (missing) return skip("live hints as a plugin, seen from VS Code", missing);
  return inWorkbench(options, async workbench => {
    const { page, root } = workbench;
    workbench.session(1, "before the plugin").read("a.txt", body("a"));
    const panel = await workbench.openPanel();
    /** Waits until the panel's menu has this entry. */
    const offers = entry =>
      eventually(entry, async () => {
        await panel.getByRole("button", { name: "More actions" }).click();
        const isThere = await panel.getByText(entry, { exact: true }).isVisible();
        await page.keyboard.press("Escape");
        return isThere;
      });
    await offers("Turn live hints on…");

    const marketplace = join(root, "package");
    for (const name of [".claude-plugin", "plugin"]) {
      cpSync(join(repository, name), join(marketplace, name), { recursive: true });
    }
    await claude(root, "plugin", "marketplace", "add", marketplace);
    await claude(root, "plugin", "install", ID);
    await offers("Turn live hints off…");
    const figure = panel.locator(".figure-realised");
    assert.doesNotMatch(await figure.textContent(), /Turn on/);
    await workbench.screenshot("plugin-on");

    // Only Claude Code removes what it has installed, so VS Code names its command, which works.
    await workbench.command("Turn Live Hints Off…");
    const removal = `claude plugin uninstall ${ID}`;
    await page.getByText(`Live hints are on through the plugin ${ID}. To remove it, run: ${removal}`).first().waitFor();
    await workbench.screenshot("plugin-removal");
    await claude(root, ...removal.split(" ").slice(1));
    await offers("Turn live hints on…");
  });
}

// Tuning the cache: the picture follows the setting, wherever it is changed.
import assert from "node:assert/strict";
import { runCommand } from "../rig/page.mjs";
import { body, eventually, inWorkbench } from "./workbench.mjs";

export function journey(options) {
  // Otherwise the lines of an evicted result would still count as repeated.
  return inWorkbench({ ...options, settings: { "dedup.runs": false } }, async workbench => {
    const { page } = workbench;
    const log = workbench.session(1, "Six files in turn");
    // Each file comes back after five others: a capacity of 5 evicts each just before it is needed.
    for (const name of "abcdef".repeat(3)) log.read(`${name}.ts`, body(name, 30));
    const panel = await workbench.openPanel();
    const saved = panel.locator(".figure-saved .figure-value");
    const results = panel.locator(".figure-results");
    const nothingSaved = async () => (await results.count()) === 1 && (await saved.count()) === 0;
    await panel.locator(".event-row", { hasText: "evicted" }).first().waitFor();
    await eventually("nothing saved at 5", nothingSaved);

    await runCommand(page, "Preferences: Open Settings (UI)");
    const settings = page.locator(".settings-editor");
    await settings.locator(".suggest-input-container .view-line").first().waitFor();
    await page.keyboard.type("dedup.capacity");
    const input = settings.locator(".setting-item-contents", { hasText: "Dedup: Capacity" }).locator("input").first();
    await input.fill("6");
    await eventually("something saved at 6", async () => (await saved.count()) === 1);
    assert.ok((await panel.locator(".event-hit").count()) > 0);

    // The other way round: the panel writes the setting.
    await panel.getByRole("tab", { name: "What if" }).click();
    await panel.getByText("All capacities").click();
    await panel.locator(".sweep-table").getByRole("button", { name: "5", exact: true }).click();
    await panel.getByText("Use 5", { exact: true }).click();
    await eventually("nothing saved at 5 again", nothingSaved);
    await eventually("the setting", async () => (await input.inputValue()) === "5");
  });
}

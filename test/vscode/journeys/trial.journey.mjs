// A trial of live hints from VS Code alone: started with them, checked too early, and ended by what the sessions show.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { SessionLog } from "../support/sessionLog.mjs";
import { eventually, inWorkbench } from "./workbench.mjs";

export async function journey(options) {
  return inWorkbench(options, async workbench => {
    const { page, root, home } = workbench;
    const folder = join(root, "workspace");
    const settings = join(folder, ".claude", "settings.local.json");
    const chosen = join(home, ".local", "share", "dedup-inspector", "liveHints.json");
    const trial = () => JSON.parse(readFileSync(chosen, "utf8")).trial;
    const dialog = page.locator(".monaco-dialog-box");
    const choose = name => dialog.getByText(name, { exact: true }).click();
    const press = async name => {
      await choose(name);
      await dialog.waitFor({ state: "hidden" });
    };
    await workbench.openPanel();

    await workbench.command("Turn Live Hints On…");
    await page.getByText("This project, only for you", { exact: true }).click();
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /As a trial, half of your new sessions get no hints/);
    await press("Turn On as a Trial");
    await eventually("the settings", () => existsSync(settings) && existsSync(chosen));
    assert.match(readFileSync(settings, "utf8"), /dedup-inspector.*hook\.js/);
    const { key, since, until, folder: within } = trial();
    assert.match(key, /^[0-9a-f]{32}$/);
    assert.deepEqual([within, until], [folder, undefined]);

    // Too early: nothing is decided for the user, and without an answer the trial continues.
    await workbench.command("End the Trial of Live Hints…");
    await dialog.waitFor();
    const early = await dialog.textContent();
    assert.match(early, /It is too early to say whether hints help overall\. Keep live hints on/);
    assert.match(early, /0 sessions with hints \(0 received at least one\), 0 sessions without/);
    assert.match(early, /Tokens sent per prompt \(median\): too few sessions to say: about 40 more needed/);
    await workbench.screenshot("trial-too-early");
    await press("Cancel");
    assert.equal(trial().until, undefined);

    // Keeping them ends the trial; another one can start without a change to Claude Code's settings.
    await workbench.command("End the Trial of Live Hints…");
    await press("Keep Live Hints On");
    await page.getByText("The trial is over. Live hints stay on, in every session.").first().waitFor();
    assert.ok(trial().until > since);
    const before = readFileSync(settings, "utf8");
    await workbench.command("Start a Trial of Live Hints");
    await eventually("another trial", () => trial().until === undefined);
    assert.notEqual(trial().key, key);
    assert.equal(readFileSync(settings, "utf8"), before);

    // Conclusive sessions: those with hints need far more requests.
    await writeSessions({ home, folder, root, trial: trial() });
    await workbench.command("End the Trial of Live Hints…");
    await dialog.waitFor();
    const found = await dialog.textContent();
    assert.match(found, /Hints do harm here\. Keep live hints on/);
    assert.match(found, /Requests per prompt \(median\): more with hints/);
    const offeredFirst = dialog.locator(".dialog-buttons .monaco-button:not(.secondary)");
    assert.deepEqual(await offeredFirst.allTextContents(), ["Turn Off"]);
    await workbench.screenshot("trial-verdict");
    // Claude Code's settings change only after that has been shown too, which may be at once.
    await choose("Turn Off");
    await dialog.getByText("Turn off live hints?").waitFor();
    assert.ok(existsSync(settings));
    await choose("Turn Off");
    // What the trial found can still be viewed; nothing else is left.
    const left = () => (existsSync(dirname(chosen)) ? readdirSync(dirname(chosen)).join() : "");
    await eventually("the record alone", () => !existsSync(join(folder, ".claude")) && left() === basename(chosen));
    assert.ok(trial().until > since);
  });
}

/** 60 sessions of the trial: with hints of five requests each, without of two. */
async function writeSessions({ home, folder, root, trial }) {
  const outfile = join(root, "assign.mjs");
  const assign = fileURLToPath(new URL("../../../src/trial/assign.ts", import.meta.url));
  await esbuild.build({ entryPoints: [assign], bundle: true, platform: "node", format: "esm", outfile });
  const { groupOf } = await import(pathToFileURL(outfile));
  for (let number = 0; number < 60; number++) {
    const id = `bbbbbbbb-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const log = new SessionLog(join(home, ".claude", "projects", "-trial", `${id}.jsonl`), { cwd: folder });
    const calls = groupOf(id, trial) === "hints" ? 5 : 2;
    for (let call = 0; call < calls; call++) log.read(`${number}-${call}.txt`, `text ${number} ${call}`);
  }
}

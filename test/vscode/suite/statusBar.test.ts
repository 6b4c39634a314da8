import assert from "node:assert/strict";
import { ConfigurationTarget, workspace } from "vscode";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, liveSession } from "./host.js";
import { test } from "./runner.js";

test("the status bar shows how full the live session's context is and how much repeats, and follows it", async () => {
  const probe = await activated();
  const log = liveSession("Status bar");
  log.read("a.ts", body("a"));
  await eventually("the context, and no repeats", () => /^\$\(layers\) [\d.]+k$/.test(probe.statusText ?? ""));
  log.read("a.ts", body("a"));
  const text = await eventually("repeats", () => probe.statusText?.includes("repeats") && probe.statusText);
  // The second of two equal results, less its hint.
  const [, share] = /^\$\(layers\) [\d.]+k · (\d+) % repeats$/.exec(text) ?? [];
  assert.ok(Number(share) > 40 && Number(share) < 50, text);
});

test("the status bar can be switched off", async () => {
  const probe = await activated();
  const section = workspace.getConfiguration("dedup");
  await section.update("statusBar", false, ConfigurationTarget.Global);
  await eventually("no item", () => probe.statusText === undefined);
  await section.update("statusBar", undefined, ConfigurationTarget.Global);
  await eventually("the item", () => probe.statusText !== undefined);
});

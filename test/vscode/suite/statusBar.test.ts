import assert from "node:assert/strict";
import { ConfigurationTarget, workspace } from "vscode";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, liveSession } from "./host.js";
import { test } from "./runner.js";

test("the status bar shows what hints would save in the live session, and follows it", async () => {
  const probe = await activated();
  const log = liveSession("Status bar");
  log.read("a.ts", body("a"));
  await eventually("a figure of 0", () => probe.statusText === "$(layers) 0");
  log.read("a.ts", body("a"));
  const text = await eventually("a figure", () => probe.statusText !== "$(layers) 0" && probe.statusText);
  assert.match(text, /^\$\(layers\) \d+$/);
});

test("the status bar can be switched off", async () => {
  const probe = await activated();
  const section = workspace.getConfiguration("dedup");
  await section.update("statusBar", false, ConfigurationTarget.Global);
  await eventually("no item", () => probe.statusText === undefined);
  await section.update("statusBar", undefined, ConfigurationTarget.Global);
  await eventually("the item", () => probe.statusText !== undefined);
});

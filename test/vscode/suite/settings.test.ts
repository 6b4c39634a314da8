import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigurationTarget, workspace } from "vscode";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { settingsFrom } from "../../../src/vscode/config.js";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, liveSession } from "./host.js";
import { test } from "./runner.js";

test("settings that are not set, or set to nonsense, get the engine's defaults", () => {
  const none = settingsFrom(() => undefined);
  assert.deepEqual(none.replay, DEFAULT_SETTINGS);
  assert.deepEqual(none.logRoots, []);
  const nonsense = settingsFrom(name => (name === "invalidates" ? [1] : { not: "a value" }));
  assert.deepEqual(nonsense, none);
});

test("settings that are set apply, within their ranges", () => {
  const values: Record<string, unknown> = {
    capacity: 5_000_000,
    minBytes: -1,
    hintVerbosity: "terse",
    nearReference: true,
    invalidates: { Bash: ["Grep", 5], Edit: "no list" },
    runs: false,
    spanMinBytes: 0,
    door: "hooks",
    charsPerToken: 99,
    prices: { mine: 3 },
    logRoots: ["~/logs", " ", "/abs", 7],
    timelineAxis: "time",
    followLive: false,
    statusBar: false,
  };
  assert.deepEqual(
    { ...settingsFrom(name => values[name]), figures: null },
    {
      replay: {
        capacity: 1_000_000,
        minBytes: 0,
        verbosity: "terse",
        nearRef: true,
        invalidates: { Bash: ["Grep"], Edit: [] },
        runs: false,
        spanMinBytes: 200,
        door: "hooks",
      },
      figures: null,
      logRoots: [join(homedir(), "logs"), "/abs"],
      axis: "time",
      followLive: false,
      statusBar: false,
    },
  );
  assert.deepEqual(settingsFrom(name => values[name]).figures, {
    charsPerToken: 20,
    prices: { source: "your settings", models: { mine: { input: 3 } } },
  });
});

test("the manifest's defaults are the engine's", () => {
  const section = workspace.getConfiguration("dedup");
  const defaults = settingsFrom(name => section.inspect(name)?.defaultValue);
  assert.deepEqual(
    defaults,
    settingsFrom(() => undefined),
  );
});

test("a change of the capacity takes effect immediately", async () => {
  const probe = await activated();
  const log = liveSession("Change of capacity");
  for (const name of ["a", "b", "c", "a"]) log.read(`${name}.ts`, body(name));
  const section = workspace.getConfiguration("dedup");
  // Otherwise the lines of an evicted result would still count as repeated.
  await section.update("runs", false, ConfigurationTarget.Global);
  try {
    await eventually("repeats in the status bar", () => repeats(probe.statusText) === true);
    await section.update("capacity", 1, ConfigurationTarget.Global);
    await eventually("no repeats at capacity 1", () => repeats(probe.statusText) === false);
    await section.update("capacity", undefined, ConfigurationTarget.Global);
    await eventually("the repeats again", () => repeats(probe.statusText) === true);
  } finally {
    await section.update("capacity", undefined, ConfigurationTarget.Global);
    await section.update("runs", undefined, ConfigurationTarget.Global);
  }
});

test("settings with prices as objects reach the engine, and so do later changes", async () => {
  const probe = await activated();
  const section = workspace.getConfiguration("dedup");
  const mine = {
    input: 3,
    cacheRead: 0.3,
    above: { promptTokens: 100_000, input: 6 },
    before: { date: "2026-01-01", input: 2 },
  };
  await section.update("prices", { mine }, ConfigurationTarget.Global);
  try {
    const log = liveSession("Prices");
    for (const name of ["a", "b", "c", "a"]) log.read(`${name}.ts`, body(name));
    await section.update("runs", false, ConfigurationTarget.Global);
    await eventually("repeats in the status bar", () => repeats(probe.statusText) === true);
    await section.update("capacity", 1, ConfigurationTarget.Global);
    await eventually("no repeats at capacity 1", () => repeats(probe.statusText) === false, 20_000);
    // A restarted engine gets them too.
    probe.crashEngine();
    await section.update("capacity", undefined, ConfigurationTarget.Global);
    await eventually("the repeats again", () => repeats(probe.statusText) === true, 20_000);
  } finally {
    for (const key of ["prices", "capacity", "runs"]) await section.update(key, undefined, ConfigurationTarget.Global);
  }
});

/** Undefined while nothing is shown. */
function repeats(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : / repeats\b/.test(text);
}

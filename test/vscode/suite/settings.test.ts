import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigurationTarget, workspace } from "vscode";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { settingsFrom } from "../../../src/vscode/config.js";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, liveSession } from "./host.js";
import { test } from "./runner.js";

test("settings that are not set, or set to nonsense, are the engine's own", () => {
  const none = settingsFrom(() => undefined);
  assert.deepEqual(none.replay, DEFAULT_SETTINGS);
  assert.deepEqual(none.logRoots, []);
  const nonsense = settingsFrom(name => (name === "invalidates" ? [1] : { not: "a value" }));
  assert.deepEqual(nonsense, none);
});

test("settings that are set count, within their ranges", () => {
  const values: Record<string, unknown> = {
    capacity: 5_000_000,
    minBytes: -1,
    hintVerbosity: "located",
    nearReference: true,
    invalidates: { Bash: ["Grep", 5], Edit: "no list" },
    spanMinBytes: 0,
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
        verbosity: "located",
        nearRef: true,
        invalidates: { Bash: ["Grep"], Edit: [] },
      },
      figures: null,
      logRoots: [join(homedir(), "logs"), "/abs"],
      axis: "time",
      followLive: false,
      statusBar: false,
    },
  );
  assert.deepEqual(settingsFrom(name => values[name]).figures, {
    spanMinBytes: 1,
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

test("a change of the capacity takes effect at once", async () => {
  const probe = await activated();
  const log = liveSession("Change of capacity");
  for (const name of ["a", "b", "c", "a"]) log.read(`${name}.ts`, body(name));
  await eventually("the status bar's figure", () => saved(probe.statusText) > 0);
  const section = workspace.getConfiguration("dedup");
  await section.update("capacity", 1, ConfigurationTarget.Global);
  try {
    await eventually("no saving at capacity 1", () => saved(probe.statusText) === 0);
  } finally {
    await section.update("capacity", undefined, ConfigurationTarget.Global);
  }
  await eventually("the saving again", () => saved(probe.statusText) > 0);
});

function saved(text: string | undefined): number {
  return Number.parseFloat(text?.replace(/^\$\(\w+\) /, "") ?? "NaN");
}

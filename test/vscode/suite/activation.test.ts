import assert from "node:assert/strict";
import { commands } from "vscode";
import { COMMANDS } from "../../../src/host/ids.js";
import { activated, extensionPath } from "./host.js";
import { test } from "./runner.js";

/** What an extension may take of a window that opens. */
const ACTIVATION_LIMIT_MS = 50;
/** It happens once, while VS Code itself starts and everything waits for the machine: the figure is what is printed. */
const STARTING_FACTOR = 5;
const LOADS = 5;

test("activation is quick", async () => {
  const { activationMs } = await activated();
  console.log(`       activation took ${activationMs.toFixed(1)} ms`);
  assert.ok(activationMs < ACTIVATION_LIMIT_MS * STARTING_FACTOR, `${activationMs} ms`);
});

test("loading the code is quick", () => {
  const file = extensionPath("dist", "host.js");
  const load = module.require ?? require;
  const times = Array.from({ length: LOADS }, () => {
    const startedAt = performance.now();
    delete require.cache[require.resolve(file)];
    load(file);
    return performance.now() - startedAt;
  });
  const ms = Math.min(...times);
  console.log(`       loading took ${ms.toFixed(1)} ms`);
  assert.ok(ms < ACTIVATION_LIMIT_MS, `${ms} ms`);
});

test("every command is registered", async () => {
  await activated();
  const known = await commands.getCommands(true);
  for (const id of Object.values(COMMANDS)) assert.ok(known.includes(id), id);
});

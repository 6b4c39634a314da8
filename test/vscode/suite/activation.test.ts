import assert from "node:assert/strict";
import { commands } from "vscode";
import { COMMANDS } from "../../../src/host/ids.js";
import { activated, extensionPath } from "./host.js";
import { test } from "./runner.js";

/** What an extension may take of a window that opens. */
const ACTIVATION_LIMIT_MS = 50;

test("activation is quick", async () => {
  const { activationMs } = await activated();
  console.log(`       activation took ${activationMs.toFixed(1)} ms`);
  assert.ok(activationMs < ACTIVATION_LIMIT_MS, `${activationMs} ms`);
});

test("loading the code is quick", () => {
  const file = extensionPath("dist", "host.js");
  const load = module.require ?? require;
  const startedAt = performance.now();
  delete require.cache[require.resolve(file)];
  load(file);
  const ms = performance.now() - startedAt;
  console.log(`       loading took ${ms.toFixed(1)} ms`);
  assert.ok(ms < ACTIVATION_LIMIT_MS, `${ms} ms`);
});

test("every command is registered", async () => {
  await activated();
  const known = await commands.getCommands(true);
  for (const id of Object.values(COMMANDS)) assert.ok(known.includes(id), id);
});

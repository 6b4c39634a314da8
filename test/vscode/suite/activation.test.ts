import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { commands } from "vscode";
import { COMMANDS } from "../../../src/vscode/ids.js";
import { worked } from "../../support/threadWork.mjs";
import { activated, extensionPath } from "./host.js";
import { test } from "./runner.js";

/**
 * Loading the code may be this many times the work of compiling it. The goal is 50 ms when a window opens; wall time
 * depends on the machine, so a ratio of CPU work is checked.
 */
const MAX_SHARE = 5;
const TIMES = 20;

/** This thread's CPU time, in milliseconds, for something done many times: the system's counter is coarse. */
function workOf(act: () => void): number {
  const before = worked();
  for (let time = 0; time < TIMES; time++) act();
  return (worked() - before) / TIMES;
}

test("the extension is activated", async () => {
  const { activationMs } = await activated();
  console.log(`       activation took ${activationMs.toFixed(1)} ms`);
});

test("loading the code is little work: nothing is done before it is needed", () => {
  const file = extensionPath("dist", "host.js");
  const load = module.require ?? require;
  const loading = workOf(() => {
    delete require.cache[require.resolve(file)];
    load(file);
  });
  const source = readFileSync(file, "utf8");
  // A different text each time: V8 caches what it has compiled.
  let times = 0;
  const compiling = workOf(() => void new Script(`(function(){${source}\n})//${++times}`));
  console.log(`       loading took ${loading.toFixed(1)} ms of work, compiling ${compiling.toFixed(1)} ms`);
  assert.ok(loading < compiling * MAX_SHARE, `${loading} ms`);
});

test("every command is registered", async () => {
  await activated();
  const known = await commands.getCommands(true);
  for (const id of Object.values(COMMANDS)) assert.ok(known.includes(id), id);
});

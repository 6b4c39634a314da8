/** `npm test` finds today what it found yesterday: whatever is random in it comes from one fixed seed. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { filesUnder, REPOSITORY } from "../support/replay.js";
import { SEED } from "../support/seed.js";

it("properties draw from the fixed seed", () => {
  const drawn: number[] = [];
  fc.assert(fc.property(fc.nat(), number => void drawn.push(number)));
  expect(drawn).toEqual(fc.sample(fc.nat(), { seed: SEED, numRuns: drawn.length }));
});

it("no test draws from anything else", () => {
  const folders = ["unit", "contract", "faults", "webview", "vscode", "claude", "support", "reference"];
  const random = folders
    .flatMap(folder => filesUnder(join(REPOSITORY, "test", folder)))
    .filter(path => /\.(?:ts|mts|mjs|js)$/.test(path) && path !== import.meta.filename)
    .filter(path => readFileSync(path, "utf8").includes("Math.random("))
    .map(path => relative(REPOSITORY, path));
  expect(random).toEqual([]);
});

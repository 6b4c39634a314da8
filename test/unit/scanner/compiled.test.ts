import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMPILED, moduleOf } from "../../../scripts/scanner.mjs";
import { REPOSITORY } from "../../support/replay.js";

it.each(Object.keys(COMPILED))("the committed %s is what its sources compile to", async program => {
  expect(readFileSync(join(REPOSITORY, "src", program, "compiled.ts"), "utf8")).toBe(await moduleOf(program));
});

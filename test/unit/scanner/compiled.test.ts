import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compiledModule } from "../../../scripts/scanner.mjs";
import { REPOSITORY } from "../../support/replay.js";

it("the committed program is what its sources compile to", async () => {
  expect(readFileSync(join(REPOSITORY, "src", "scanner", "compiled.ts"), "utf8")).toBe(await compiledModule());
});

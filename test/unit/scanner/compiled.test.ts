import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scannerModule } from "../../../scripts/scanner.mjs";
import { REPOSITORY } from "../../support/replay.js";

it("the committed scanner is what its sources compile to", async () => {
  expect(readFileSync(join(REPOSITORY, "src", "scanner", "compiled.ts"), "utf8")).toBe(await scannerModule());
});

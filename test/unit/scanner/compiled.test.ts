import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { compiledProgram } from "../../../scripts/scanner.mjs";
import { PROGRAM } from "../../../src/scanner/compiled.js";

it("the committed program is what its sources compile to", async () => {
  const committed = brotliDecompressSync(Buffer.from(PROGRAM, "base64"));
  expect(committed.equals(await compiledProgram())).toBe(true);
});

import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { compiledProgram } from "../../../scripts/scanner.mjs";
import { PROGRAM } from "../../../src/scanner/compiled.js";
import { SUMS } from "../../../src/sums/compiled.js";

it.each([
  ["scanner", PROGRAM],
  ["sums", SUMS],
] as const)("the committed program of the %s is what its sources compile to", async (name, packed) => {
  const committed = brotliDecompressSync(Buffer.from(packed, "base64"));
  expect(committed.equals(await compiledProgram(name))).toBe(true);
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { PROGRAM } from "../../../src/scanner/compiled.js";
import { SUMS } from "../../../src/sums/compiled.js";

const COMPILER = new URL("../../../scripts/scanner.mjs", import.meta.url);

/** In a separate process: the compiler blocks the event loop. */
async function compiled(name: string): Promise<Buffer> {
  const program = `import { compiledProgram } from ${JSON.stringify(COMPILER.href)};
    process.stdout.write(await compiledProgram(${JSON.stringify(name)}));`;
  const options = { encoding: "buffer" as const, maxBuffer: 16 * 1024 * 1024 };
  return (await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], options)).stdout;
}

it.each([
  ["scanner", PROGRAM],
  ["sums", SUMS],
] as const)("the committed program of the %s is what its sources compile to", async (name, packed) => {
  const committed = brotliDecompressSync(Buffer.from(packed, "base64"));
  expect(committed.equals(await compiled(name))).toBe(true);
});

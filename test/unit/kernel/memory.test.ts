/** What the program in WebAssembly holds of a log: it must not grow faster than what there is to remember. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { CompiledReader } from "../../../src/kernel/compiledReader.js";
import { ReplayKernel } from "../../../src/kernel/kernel.js";
import type { ReaderExports } from "../../../src/kernel/programStrings.js";
import { NO_HOST } from "../../../src/scanner/program.js";
import { logText, read, result } from "../../support/log.js";

/** The bytes of its memory after a log of so many calls and results, of which no two are the same. */
function heldAfter(calls: number): number {
  const kernel = new ReplayKernel();
  const log: number = kernel.begin(DEFAULT_SETTINGS, true, name => reader.nameOf(name));
  const options = { agentOfFile: undefined, keepFacts: false, full: () => kernel.takeRead(log) };
  const reader: CompiledReader = kernel.read(
    log,
    NO_HOST,
    program => new CompiledReader(program as ReaderExports, options),
  );
  for (let call = 0; call < calls; call++) {
    const text = `the first of two lines, ${call}\nand the other one, ${call}\n`;
    const lines = logText(
      read(`call-${call}`, `/file-${call}`, {
        uuid: `call-${call}`,
        parentUuid: call === 0 ? null : `result-${call - 1}`,
      }),
      result(`call-${call}`, text, { uuid: `result-${call}`, parentUuid: `call-${call}` }),
    );
    kernel.read(log, reader, () => reader.push(Buffer.from(lines)));
  }
  kernel.takeRead(log);
  expect(kernel.contexts(log).get("main")?.tools).toEqual(["Read"]);
  return kernel.read(log, NO_HOST, program => (program as ReaderExports).memory.buffer.byteLength);
}

describe("the memory of the program", () => {
  it("uses again what lists and tables have outgrown", () => {
    // Each has a place among calls, names, strings, rows, lines and six tables: about 1.5 KB. Whatever grows does so by doubling:
    // if it left its past behind, it would be 3.8 KB.
    expect(heldAfter(20_000) / 20_000).toBeLessThan(2_500);
  });
});

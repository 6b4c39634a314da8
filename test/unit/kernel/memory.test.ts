/** The WebAssembly program's memory for a log: it must not grow faster than what there is to remember. */
import { describe, expect, it } from "vitest";
import { hookedPart } from "../../../src/dedup/door.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { CompiledReader } from "../../../src/kernel/compiledReader.js";
import { ReplayKernel } from "../../../src/kernel/kernel.js";
import { type FactChunk, unpackFacts } from "../../../src/kernel/packedFacts.js";
import type { ReaderExports } from "../../../src/kernel/programStrings.js";
import { NO_HOST } from "../../../src/scanner/program.js";
import { call, type Json, logText, prompt, read, result } from "../../support/log.js";

/** A log read by a new instance, whose memory has not grown yet. */
function reading(keepFacts: boolean) {
  const kernel = new ReplayKernel();
  const log: number = kernel.begin(DEFAULT_SETTINGS, true, name => reader.nameOf(name));
  const chunks: FactChunk[] = [];
  const full = () => {
    chunks.push(reader.chunk());
    kernel.takeRead(log);
  };
  const options = { agentOfFile: undefined, keepFacts, forHooks: keepFacts, full };
  const reader: CompiledReader = kernel.read(
    log,
    NO_HOST,
    program => new CompiledReader(program as ReaderExports, options),
  );
  const push = (...lines: Json[]) => kernel.read(log, reader, () => reader.push(Buffer.from(logText(...lines))));
  const bytes = () => kernel.read(log, NO_HOST, program => (program as ReaderExports).memory.buffer.byteLength);
  return { kernel, log, chunks, push, bytes };
}

/** The bytes of its memory after a log of this many calls and results, all different. */
function heldAfter(calls: number): number {
  const { kernel, log, push, bytes } = reading(false);
  for (let call = 0; call < calls; call++) {
    const parentUuid = call === 0 ? null : `result-${call - 1}`;
    const text = `the first of two lines, ${call}\nand the other one, ${call}\n`;
    push(
      read(`call-${call}`, `/file-${call}`, { uuid: `call-${call}`, parentUuid }),
      result(`call-${call}`, text, { uuid: `result-${call}`, parentUuid: `call-${call}` }),
    );
  }
  kernel.takeRead(log);
  expect(kernel.contexts(log).get("main")?.tools).toEqual(["Read"]);
  return bytes();
}

describe("the memory of the program", () => {
  it("reuses what lists and tables have outgrown", () => {
    // Each has a place among calls, names, strings, rows, lines and six tables: about 1.5 KB. Whatever grows does so by doubling:
    // if it left its past behind, it would be 3.8 KB.
    expect(heldAfter(20_000) / 20_000).toBeLessThan(2_500);
  });

  it("is viewed again if it has grown while a line was read", () => {
    const { chunks, push, bytes } = reading(true);
    const run = (id: string) => call(id, "Bash", { command: "make" });
    push(prompt("go on"), run("short"), result("short", "done"), run("one"), run("other"));
    const before = bytes();
    // The tables of both together need more memory than there is, and are created before anybody asks what the tool
    // returned.
    const text = "\n".repeat(200_000);
    const content = ["one", "other"].map(id => ({ type: "tool_result", tool_use_id: id, content: text }));
    const toolUseResult = { stdout: text.slice(0, 10), stderr: "", interrupted: false, isImage: false };
    push({ type: "user", toolUseResult, message: { role: "user", content } });
    expect(bytes()).toBeGreaterThan(before);
    const facts = [...unpackFacts({ chunks })].map(([, fact]) => fact);
    const hooked = hookedPart("Bash", text, toolUseResult);
    expect(hooked).toBeDefined();
    expect(facts.slice(-2)).toMatchObject([
      { id: "one", hooked },
      { id: "other", hooked },
    ]);
  });
});

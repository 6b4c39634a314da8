/** The lines of a context, saved and restored: as if nothing had happened in between. */
import { describe, expect, it } from "vitest";
import { LineScanner } from "../../../../src/dedup/runs/lines.js";
import { RunIndex } from "../../../../src/dedup/runs/runIndex.js";
import type { RunSource } from "../../../../src/dedup/runs/sources.js";

const scanner = new LineScanner();

function add(index: RunIndex, at: number): void {
  const text = Array.from({ length: 1 + (at % 4) }, (_, line) => `line ${line} of text ${at}`).join("\n");
  const source: RunSource = {
    id: `t${at}`,
    input: at % 3 === 0 ? "content" : undefined,
    tool: at === 5 ? "two\nlines" : "Bash",
    target: `run ${at}`,
    logLine: 2 * at,
    offset: 100 * at,
    callLine: at < 2 ? 0 : at,
    order: at,
    isListing: at % 2 === 0,
  };
  index.add(source, scanner.scan(text), text.length);
}

describe("a context's lines", () => {
  it.each([
    ["nothing left it", []],
    ["a restored text left it", ["t2"]],
    ["a new text left it", ["t9"]],
    ["the first texts left it", ["t0", "t1", "t2", "t3"]],
    ["everything left it", Array.from({ length: 12 }, (_, at) => `t${at}`)],
  ])("are saved the same, however often they were restored: %s", (_, gone) => {
    const whole = new RunIndex();
    let restored = new RunIndex();
    for (let at = 0; at < 12; at++) {
      add(whole, at);
      add(restored, at);
      if (at % 3 === 2) restored = new RunIndex(restored.state);
    }
    const leaves = ({ id }: RunSource) => gone.includes(id);
    if (gone.length > 0) for (const index of [whole, restored]) index.drop(leaves);
    expect(restored.state).toEqual(whole.state);
    expect(restored.oldestCall).toBe(whole.oldestCall);
    expect(new RunIndex(restored.state).state).toEqual(whole.state);
    restored.clear();
    expect(restored.state).toEqual(new RunIndex().state);
  });
});

/** Facts to which a grown log adds: the same as those of a log that is read at once, whatever its names are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { asBytes, type Bytes } from "../../../src/log/bytes.js";
import { byKernel, byReplay, opened, packedFactsOf, resumedByKernel } from "../../support/kernel.js";
import { answer, boundary, call, type Json, logText, result, textOf } from "../../support/log.js";
import { turning } from "../../support/turns.js";

const TIME = "2026-01-02T03:04:05.678Z";
/** A uuid may be equal to a name of any other kind, or missing. */
const NAMES = ["", "a1", "m", "m2", "/w/a", "auto", "main", "t1", TIME, undefined] as const;
const CONTEXTS: readonly Json[] = [{}, { isSidechain: true, agentId: "a1" }, { isSidechain: true, agentId: "m" }];

const name = fc.constantFrom(...NAMES);
const anyStep = fc.record({
  do: fc.constantFrom("call", "call", "call", "answer", "boundary"),
  context: fc.constantFrom(...CONTEXTS),
  uuids: fc.tuple(name, name),
  timestamp: fc.constantFrom(TIME, undefined),
  model: fc.constantFrom("m", "m", "m2", TIME, "", undefined),
  text: fc.nat(2),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

function linesOf({ do: what, context, uuids, timestamp, model, text }: Step, at: number): Json[] {
  const line = (of: 0 | 1) => ({ ...context, uuid: uuids[of], timestamp });
  if (what === "boundary") return [boundary([uuids[0] ?? "", "a1"], line(1))];
  const usage = { input_tokens: 1000 * (at + 1), output_tokens: 10 };
  const message = { id: `m${at}`, model, usage };
  if (what === "answer") return [answer(`m${at}`, 0, { ...line(0), message })];
  const path = ["/w/a", "a1", "m"][text] ?? "";
  return [
    call(`t${at}`, "Read", { file_path: path }, { ...line(0), message }),
    result(`t${at}`, textOf(700, `${text}`), line(1)),
  ];
}

describe("a log that grows gives the same as one that is read at once", () => {
  it("although uuids and times are named like agents, models, paths and causes of a compaction", async () => {
    const steps = fc.array(anyStep, { minLength: 2, maxLength: 24 });
    await fc.assert(
      turning(steps, fc.nat(23), (all, cut) => {
        const lines = all.map((step, at) => logText(...linesOf(step, at)));
        const [past, rest] = [asBytes(lines.slice(0, cut).join("")), asBytes(lines.slice(cut).join(""))];
        check(past, rest);
      }),
      { numRuns: 300 },
    );
  });
});

function check(past: Bytes, rest: Bytes): void {
  const [path, settings] = ["s.jsonl", DEFAULT_SETTINGS];
  const whole = asBytes(Buffer.concat([past, rest]));
  const expected = byReplay(path, whole, settings);
  expect(byKernel(path, whole, settings)).toEqual(expected);
  // Read by the program in WebAssembly, and packed in JavaScript.
  const [quick, picture] = [opened(path, settings, true), opened(path, settings, false)];
  quick.push(past);
  picture.push(whole);
  for (const saved of [packedFactsOf(path, past, settings), structuredClone(quick.save())]) {
    expect(resumedByKernel(path, saved, rest, settings)).toEqual(expected);
    const again = opened(path, settings, true, saved);
    again.push(rest);
    expect(again.data()).toEqual(picture.data());
  }
}

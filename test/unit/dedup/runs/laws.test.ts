/** Hints for runs are lossless, visible and shorter, on every log in a clone. `npm run laws -- PATH…` checks others. */
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { isTranscript } from "../../../../src/log/sessionFiles.js";
import { type Emitted, emittedFor, judge, type LawOptions } from "../../../support/laws.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../../../support/replay.js";

const SAMPLE = "media/sample.jsonl";
const logs = [SAMPLE, ...filesUnder(FIXTURES).filter(isTranscript)].map(path => relative(REPOSITORY, path));
const sample = join(REPOSITORY, SAMPLE);

describe.each<LawOptions>([
  { strategy: "live", minBytes: 512 },
  { strategy: "live", minBytes: 200 },
  { strategy: "span", minBytes: 200 },
  { strategy: "span-inputs", minBytes: 200 },
])("the laws of runs hold: %o", options => {
  it.each(logs)("in %s", log => {
    expect(judge(join(REPOSITORY, log), options).breaks).toEqual([]);
  });

  it("and there are hints that could break them", () => {
    const { results, hints, saved } = judge(sample, options);
    expect(hints).toBeGreaterThan(20);
    expect(results).toBeGreaterThan(hints);
    expect(saved).toBeGreaterThan(0);
  });
});

describe("a broken law is detected", () => {
  const options = { strategy: "live", minBytes: 512 } as const;
  const emitted = emittedFor(sample, options);
  const HINT = /^> \[ref: \S+ lines .*\]$/m;
  /** The laws that break when the first result with a hint is changed. */
  const brokenBy = (change: (text: string) => string, minBytes: number = options.minBytes, hint = HINT) => {
    const at = emitted.findIndex(one => hint.test(one.emitted ?? ""));
    const changed = emitted.with(at, { ...(emitted[at] as Emitted), emitted: change(emitted[at]?.emitted ?? "") });
    return judge(sample, { ...options, minBytes }, changed).breaks.map(text => text.split(":")[0]);
  };

  it("if a text is different", () => {
    expect(brokenBy(text => `${text} `)).toEqual(["lossless"]);
  });

  it("if a hint points at something missing", () => {
    expect(brokenBy(text => text.replace(/ref: \S+/, "ref: toolu_nowhere"))).toContain("visible");
  });

  it("if a hint for a whole text names none, or is longer than half of it", () => {
    const whole = /^> \[ref: \S+, byte-identical.*\]$/;
    const broken = (change: (text: string) => string) => brokenBy(change, options.minBytes, whole);
    expect(broken(text => text.replace(/ref: [^,]+/, "ref: toolu_nowhere"))).toEqual(["visible", "lossless"]);
    expect(broken(text => text.replace("]", `${" and so on".repeat(10_000)}]`))).toEqual(["shorter"]);
  });

  it("if a hint replaces too little", () => {
    expect(brokenBy(text => text, 1_000_000)).toContain("shorter");
  });

  it("if a result is left out", () => {
    expect(judge(sample, options, emitted.toSpliced(3, 1)).breaks).toEqual([expect.stringMatching(/^order: /)]);
    expect(judge(sample, options, [...emitted, ...emitted.slice(-1)]).breaks).toEqual([
      expect.stringMatching(/^order: /),
    ]);
  });
});

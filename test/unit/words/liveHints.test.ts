import { describe, expect, it } from "vitest";
import { aboutLiveHints } from "../../../src/words/liveHintsTexts.js";

describe("what is said before live hints are turned on", () => {
  it("says what they do in two sentences", () => {
    const [what = "", ...more] = aboutLiveHints(null);
    expect(what.match(/\.(\s|$)/g)).toHaveLength(2);
    expect(more).toEqual([]);
  });

  it("distinguishes whole results and repeated lines", () => {
    const [, saved] = aboutLiveHints({ sessions: 12, tokens: 100_000, savedTokens: 12_500, wholeTokens: 2500 });
    expect(saved).toContain("12 sessions");
    expect(saved).toContain("12.5k tokens (13 % of tool results)");
    expect(saved).toContain("2.5k tokens in results that repeat as a whole, 10.0k tokens in repeated lines");
  });

  it("promises nothing if nothing would have been saved", () => {
    expect(aboutLiveHints({ sessions: 3, tokens: 900, savedTokens: 0, wholeTokens: 0 })).toHaveLength(1);
  });
});

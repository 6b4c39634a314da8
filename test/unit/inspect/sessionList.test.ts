import { describe, expect, it } from "vitest";
import { followedSessions, groupsOf, savedIn } from "../../../src/inspect/sessionList.js";

const item = (key: string, change: { here?: true; sample?: true } = {}) => ({
  key,
  tokens: 1000,
  savedTokens: 100,
  wholeTokens: 30,
  ...change,
});
const keys = (list: readonly { key: string }[]) => list.map(({ key }) => key).join("");

const a = item("a");
const b = item("b", { here: true });
const c = item("c");
const sample = item("s", { sample: true, here: true });

describe("a list of sessions", () => {
  it("is followed where the window is or, if nothing is there, everywhere, but never in the sample", () => {
    expect(keys(followedSessions([a, b, c, sample]))).toBe("b");
    expect(keys(followedSessions([a, c, sample]))).toBe("ac");
    expect(followedSessions([sample])).toEqual([]);
  });

  it("has two groups, each in the order of the list", () => {
    expect(groupsOf([a, b, c, sample]).map(keys)).toEqual(["bs", "ac"]);
  });

  it("says what hints would have saved in the user's own sessions", () => {
    expect(savedIn([a, b, sample])).toEqual({ sessions: 2, tokens: 2000, savedTokens: 200, wholeTokens: 60 });
    expect(savedIn([sample])).toEqual({ sessions: 0, tokens: 0, savedTokens: 0, wholeTokens: 0 });
  });
});

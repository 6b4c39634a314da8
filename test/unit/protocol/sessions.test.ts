import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionItem } from "../../../src/protocol/messages.js";
import { byNewest, mergeSessions, SentSessions } from "../../../src/protocol/sessions.js";
import { turning } from "../../support/turns.js";

const item = (key: string, lastAt: string): SessionItem => ({
  key,
  lastAt,
  project: "",
  title: "",
  live: false,
  results: 0,
  repeats: 0,
  tokens: 0,
  savedTokens: 0,
  wholeTokens: 0,
  realisedTokens: 0,
});

const aList = fc
  .dictionary(fc.constantFrom(..."abcdefgh"), fc.constantFrom("2026-01-01", "2026-01-02", ""))
  .map(times => Object.entries(times).map(([key, lastAt]) => item(key, lastAt)));

describe("the list of sessions", () => {
  it("is the same at the other end, sent in parts of any size", async () => {
    await fc.assert(
      turning(fc.array(aList, { minLength: 1 }), fc.integer({ min: 1, max: 4 }), (lists, most) => {
        const told = new SentSessions();
        let there: readonly SessionItem[] = told.restart([...(lists[0] ?? [])].sort(byNewest), most, "c");
        for (const list of lists) {
          const here = [...list].sort(byNewest);
          for (let parts = 0; ; parts++) {
            const delta = told.next(here, most);
            if (delta === undefined) break;
            expect(delta.changed.length).toBeLessThanOrEqual(most);
            expect(parts).toBeLessThanOrEqual(here.length);
            there = mergeSessions(there, delta);
          }
          expect(there).toEqual(here);
        }
      }),
    );
  });

  it("has the selected session from the start, wherever it is in the list", () => {
    const list = ["3", "2", "1"].map((day, at) => item(`s${at}`, `2026-01-0${day}`));
    expect(new SentSessions().restart(list, 1, "s2").map(({ key }) => key)).toEqual(["s0", "s2"]);
  });

  it("is not sent again while it is unchanged", () => {
    const list = [item("a", "2026-01-02"), item("b", "2026-01-01")];
    const told = new SentSessions();
    told.restart(list, 9, undefined);
    expect(told.next([...list], 9)).toBeUndefined();
    expect(told.next([{ ...(list[0] as SessionItem) }, list[1] as SessionItem], 9)?.changed).toHaveLength(1);
  });
});

/** When a miss says that a larger cache would have helped. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DedupEvent } from "../../../src/dedup/events.js";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { call, type Json, read, result, textOf } from "../../support/log.js";
import { dataOf, eventsOn, storyOf } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

const NO_LIMIT = 1_000_000;

const reads = (id: string, path: string, mark: string): Json[] => [read(id, path), result(id, textOf(300, mark))];
const edit = (id: string, path: string): Json[] => [call(id, "Edit", { file_path: path }), result(id, "done")];

describe("a miss is `evicted`", () => {
  const story = (lines: Json[], capacity: number) => storyOf(eventsOn(lines, { capacity }));

  it("if a cache without a limit still has the text", () => {
    const lines = [...reads("1", "/a", "a"), ...reads("2", "/b", "b"), ...reads("3", "/a", "a")];
    expect(story(lines, 1)).toContain("miss 3 evicted");
    expect(story(lines, NO_LIMIT)).toContain("hit 3=1");
  });

  it("not if the text would be gone anyway: then the reason is what removed it there", () => {
    const lines = [...reads("1", "/a", "a"), ...reads("2", "/b", "b"), ...edit("e", "/a"), ...reads("3", "/a", "a")];
    expect(story(lines, 1)).toContain("miss 3 invalidated by e");
    expect(story(lines, NO_LIMIT)).toContain("miss 3 invalidated by e");
  });

  it("exactly if a cache without a limit has a hit for the same result, at every capacity", async () => {
    const byId = (text: string, settings: Partial<DedupSettings>) =>
      new Map(
        dataOf("s.jsonl", text, { settings }).contexts.flatMap(({ id, events = [] }) =>
          events.flatMap((event): [string, DedupEvent][] =>
            event.kind === "hit" || event.kind === "miss" ? [[`${id} ${event.id}`, event]] : [],
          ),
        ),
      );
    let evicted = 0;
    const check = (text: string, capacity: number, nearRef: boolean) => {
      const unlimited = byId(text, { capacity: NO_LIMIT, minBytes: 60, nearRef });
      for (const [id, event] of byId(text, { capacity, minBytes: 60, nearRef })) {
        if (event.kind !== "miss") continue;
        expect([id, event.why === "evicted"]).toEqual([id, unlimited.get(id)?.kind === "hit"]);
        if (event.why === "evicted") evicted++;
      }
    };
    await fc.assert(turning(anySession(80), fc.integer({ min: 1, max: 6 }), fc.boolean(), check), {
      seed: 31,
      numRuns: 280,
    });
    expect(evicted).toBeGreaterThan(50);
  });

  it("so that hits and `evicted` are never fewer than the hits without a limit, but may be more", () => {
    // After the eviction another file's call has the text: an edit of the first file drops the first call, but not this
    // one.
    const lines = [
      ...reads("1", "/a", "a"),
      ...reads("2", "/b", "b"),
      ...reads("3", "/c", "a"),
      ...edit("e", "/a"),
      ...reads("4", "/c", "a"),
    ];
    expect(story(lines, 1).filter(event => /hit|evicted/.test(event))).toEqual(["miss 3 evicted", "hit 4=3"]);
    expect(story(lines, NO_LIMIT).filter(event => /hit|evicted/.test(event))).toEqual(["hit 3=1"]);
  });
});

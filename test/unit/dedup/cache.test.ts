import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DedupCache, type Entry } from "../../../src/dedup/cache.js";
import { fingerprint } from "../../../src/dedup/fingerprint.js";
import { NearMatcher } from "../../../src/dedup/near.js";
import { turning } from "../../support/turns.js";

function entry(text: string, id: string, more: Partial<Entry> = {}): Entry {
  return { fingerprint: fingerprint(text), id, tool: "Bash", kind: "other", ...more };
}

function reading(text: string, id: string, path: string): Entry {
  return entry(text, id, { tool: "Read", kind: "read", path });
}

const idFor = (cache: DedupCache, text: string) => cache.check(fingerprint(text))?.id;
const idsIn = (cache: DedupCache) => cache.entries.map(({ id }) => id);

describe("the capacity of a cache", () => {
  it("is the requested one", () => {
    expect(new DedupCache(12).capacity).toBe(12);
  });

  it.each([0, -3, Number.NaN, 0.5])("becomes 1 if %s is requested", asked => {
    const cache = new DedupCache(asked);
    expect(cache.capacity).toBe(1);
    cache.insert(entry("one", "tc_1"));
    expect(idFor(cache, "one")).toBe("tc_1");
  });

  it("can be without a limit", () => {
    const cache = new DedupCache(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 1000; i++) expect(cache.insert(entry(`text ${i}`, `tc_${i}`))).toBeUndefined();
    expect(cache.size).toBe(1000);
    expect(idFor(cache, "text 0")).toBe("tc_0");
  });
});

describe("checking a text", () => {
  it("finds what was inserted and nothing else", () => {
    const cache = new DedupCache(5);
    expect(idFor(cache, "A")).toBeUndefined();
    cache.insert(entry("A", "tc_1"));
    expect(idFor(cache, "A")).toBe("tc_1");
    expect(idFor(cache, "B")).toBeUndefined();
  });

  it("finds a text whichever tool returned it", () => {
    const cache = new DedupCache(5);
    cache.insert(reading("A", "tc_1", "/a"));
    expect(cache.check(fingerprint("A"))?.tool).toBe("Read");
  });

  it("makes what it finds the most recent, so that a text in use survives later ones", () => {
    const cache = new DedupCache(2);
    cache.insert(entry("A", "a"));
    cache.insert(entry("B", "b"));
    expect(idFor(cache, "A")).toBe("a");
    expect(idsIn(cache)).toEqual(["b", "a"]);
    expect(cache.insert(entry("C", "c"))?.id).toBe("b");
    expect(idFor(cache, "A")).toBe("a");
    expect(idFor(cache, "B")).toBeUndefined();
  });

  it("finds the oldest of equal texts, which then becomes the newest", () => {
    const cache = new DedupCache(5);
    cache.insert(entry("A", "first"));
    cache.insert(entry("A", "second"));
    expect(cache.size).toBe(2);
    expect(idFor(cache, "A")).toBe("first");
    expect(idsIn(cache)).toEqual(["second", "first"]);
    expect(idFor(cache, "A")).toBe("second");
  });
});

describe("inserting into a full cache", () => {
  it("drops exactly the least recent entry and returns it", () => {
    const cache = new DedupCache(2);
    expect(cache.insert(entry("one", "1"))).toBeUndefined();
    expect(cache.insert(entry("two", "2"))).toBeUndefined();
    expect(cache.insert(entry("three", "3"))?.id).toBe("1");
    expect(idFor(cache, "one")).toBeUndefined();
    expect(idFor(cache, "two")).toBe("2");
    expect(idFor(cache, "three")).toBe("3");
    expect(cache.size).toBe(2);
  });

  it("drops an entry even for a text that the cache already has", () => {
    const cache = new DedupCache(2);
    for (const id of ["1", "2", "3"]) cache.insert(entry("same", id));
    expect(idsIn(cache)).toEqual(["2", "3"]);
  });
});

describe("a file that changes", () => {
  it("drops what was read from exactly that path", () => {
    const cache = new DedupCache(5);
    cache.insert(reading("A", "tc_1", "/p"));
    expect(cache.invalidateFile("/q")).toEqual([]);
    expect(idFor(cache, "A")).toBe("tc_1");
    expect(cache.invalidateFile("/p").map(({ id }) => id)).toEqual(["tc_1"]);
    expect(idFor(cache, "A")).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it("drops every read of it, oldest first, and keeps other kinds with the same path", () => {
    const cache = new DedupCache(5);
    cache.insert(reading("A", "read", "/p"));
    cache.insert(entry("B", "edit", { tool: "Edit", kind: "mutate", path: "/p" }));
    cache.insert(entry("C", "grep", { tool: "Grep", kind: "read", path: "/p" }));
    cache.insert(entry("D", "odd", { kind: "other", path: "/p" }));
    expect(cache.invalidateFile("/p").map(({ id }) => id)).toEqual(["read", "grep"]);
    expect(idsIn(cache)).toEqual(["edit", "odd"]);
  });

  it("still counts when the same bytes are read again", () => {
    const cache = new DedupCache(5);
    cache.insert(reading("A", "tc_1", "/p"));
    cache.invalidateFile("/p");
    expect(idFor(cache, "A")).toBeUndefined();
  });

  it("does not touch reads without a path", () => {
    const cache = new DedupCache(5);
    cache.insert(entry("A", "tc_1", { tool: "Glob", kind: "read" }));
    expect(cache.invalidateFile("/p")).toEqual([]);
    expect(cache.size).toBe(1);
  });
});

describe("invalidating by tool", () => {
  const filled = () => {
    const cache = new DedupCache(5);
    for (const tool of ["get_issue", "get_issues", "get_pipeline"]) cache.insert(entry(tool, tool, { tool }));
    return cache;
  };

  it("drops what the named tools returned and nothing else", () => {
    const cache = filled();
    expect(cache.invalidateByTool(["get_issue", "get_issues"])).toHaveLength(2);
    expect(idsIn(cache)).toEqual(["get_pipeline"]);
    expect(idFor(cache, "get_pipeline")).toBe("get_pipeline");
  });

  it("does nothing for an empty list, an unknown name or another spelling", () => {
    const cache = filled();
    expect(cache.invalidateByTool([])).toEqual([]);
    expect(cache.invalidateByTool(["get"])).toEqual([]);
    expect(cache.invalidateByTool(["GET_ISSUE"])).toEqual([]);
    expect(cache.size).toBe(3);
  });
});

describe("a compaction", () => {
  it("empties the cache and begins the next partition", () => {
    const cache = new DedupCache(5);
    cache.insert(entry("A", "a"));
    cache.insert(entry("B", "b"));
    expect(cache.partition).toBe(0);
    expect(cache.compact().map(({ id }) => id)).toEqual(["a", "b"]);
    expect(cache.partition).toBe(1);
    expect(cache.size).toBe(0);
    expect(idFor(cache, "A")).toBeUndefined();
  });

  it("keeps what stays in the context, in its order", () => {
    const cache = new DedupCache(5);
    for (const id of ["a", "b", "c"]) cache.insert(entry(id, id));
    expect(cache.compact(({ id }) => id !== "b").map(({ id }) => id)).toEqual(["b"]);
    expect(idsIn(cache)).toEqual(["a", "c"]);
  });

  it("counts even if there is nothing to drop", () => {
    const cache = new DedupCache(5);
    cache.compact();
    cache.compact();
    expect(cache.partition).toBe(2);
  });
});

describe("looking for a near-reference", () => {
  it("compares a new text with the last few at most, however many a cache without a limit holds", () => {
    const cache = new DedupCache(Number.POSITIVE_INFINITY);
    for (let at = 0; at < 500; at++) cache.insert(entry(`{${at}}`, `t${at}`, { body: `{${at}}` }));
    const compared: string[] = [];
    class Watching extends NearMatcher {
      override delta(old: string): undefined {
        compared.push(old);
      }
    }
    cache.findNear("{fresh}", new Watching());
    expect(compared).toEqual(Array.from({ length: 64 }, (_, at) => `{${499 - at}}`));
    expect(cache.size).toBe(500);
  });

  const poll = (status: string) => JSON.stringify({ status, log: "x".repeat(500) });
  const held = (id: string, status: string) => entry(poll(status), id, { body: poll(status) });

  it("takes the newest entry that differs by a few values", () => {
    const cache = new DedupCache(5);
    cache.insert(held("old", "queued"));
    cache.insert(held("new", "running"));
    expect(cache.findNear(poll("done"))?.entry.id).toBe("new");
  });

  it("does not make it more recent", () => {
    const cache = new DedupCache(5);
    cache.insert(held("a", "queued"));
    cache.insert(entry("other", "b", { body: "other" }));
    expect(cache.findNear(poll("done"))?.entry.id).toBe("a");
    expect(idsIn(cache)).toEqual(["a", "b"]);
  });

  it("skips entries whose text was not kept or is no such object", () => {
    const cache = new DedupCache(5);
    cache.insert(held("a", "queued"));
    cache.insert(entry(poll("running"), "no body"));
    cache.insert(entry("plain", "plain", { body: "plain text" }));
    expect(cache.findNear(poll("done"))?.entry.id).toBe("a");
    expect(new DedupCache(5).findNear(poll("done"))).toBeUndefined();
  });
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const step = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), text: fc.nat(30), path: fc.nat(4), read: fc.boolean() }),
  fc.record({ do: fc.constant("check" as const), text: fc.nat(30) }),
  fc.record({ do: fc.constant("edit" as const), path: fc.nat(4) }),
  fc.record({ do: fc.constant("drop" as const), tool: fc.nat(2) }),
);

describe("a cache of any capacity", () => {
  it("does what the rules say, entry by entry", async () => {
    await fc.assert(
      turning(fc.constantFrom(1, 3, 64, 65, 70, Number.POSITIVE_INFINITY), fc.array(step, { maxLength: 300 }), told),
      { numRuns: 200 },
    );
  });

  /** The rules again, on a plain list. */
  function told(capacity: number, steps: readonly Step[]): void {
    const cache = new DedupCache(capacity);
    let list: Entry[] = [];
    for (const [at, one] of steps.entries()) {
      if (one.do === "insert") {
        const tool = ["Bash", "Grep", "Glob"][at % 3] ?? "";
        const fresh = entry(`${one.text}`, `${at}`, { tool, kind: one.read ? "read" : "other", path: `/${one.path}` });
        const evicted = list.length >= capacity ? list[0] : undefined;
        expect(cache.insert(fresh)).toBe(evicted);
        list = [...list.filter(other => other !== evicted), fresh];
      } else if (one.do === "check") {
        const found = list.find(other => other.fingerprint === fingerprint(`${one.text}`));
        expect(cache.check(fingerprint(`${one.text}`))).toBe(found);
        if (found !== undefined) list = [...list.filter(other => other !== found), found];
      } else {
        const tool = ["Bash", "Grep", "Glob"][one.do === "drop" ? one.tool : 0] ?? "";
        const goes = (other: Entry) =>
          one.do === "edit" ? other.kind === "read" && other.path === `/${one.path}` : other.tool === tool;
        const dropped = one.do === "edit" ? cache.invalidateFile(`/${one.path}`) : cache.invalidateByTool([tool]);
        expect(dropped).toEqual(list.filter(goes));
        list = list.filter(other => !goes(other));
      }
      expect(cache.entries).toEqual(list);
    }
  }
});

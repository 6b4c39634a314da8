import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HashTable } from "../../../src/log/hashTable.js";
import { turning } from "../../support/turns.js";

/** Few words, so that keys share halves and slots; as callers have them, signed and unsigned. */
const word = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(0xffffffff, 0x80000000, 0x10, 0x20, 0x8000));
const value = fc.integer({ min: 1, max: 1000 });

describe("HashTable", () => {
  it.each([1, 2] as const)("contains what a map would, with keys of %i words", async keyWords => {
    await fc.assert(
      turning(fc.array(fc.tuple(word, word, value), { maxLength: 200 }), value, (changes, min) => {
        const table = new HashTable(keyWords, 2);
        const map = new Map<string, number>();
        const known = (one: number, two: number) => {
          const entry = keyWords === 1 ? table.find(one) : table.find(one, two);
          return [table.value(entry), table.value(entry, 1)];
        };
        const nameOf = (one: number, two: number) => `${one | 0} ${keyWords === 1 ? "" : two | 0}`;
        for (const [one, two, set] of changes) {
          expect(known(one, two)[0]).toBe(map.get(nameOf(one, two)) ?? 0);
          const entry = keyWords === 1 ? table.place(one) : table.place(one, two);
          table.setValue(entry, set);
          table.setValue(entry, -set, 1);
          map.set(nameOf(one, two), set);
        }
        for (const [one, two] of changes) {
          const wanted = map.get(nameOf(one, two)) ?? 0;
          expect(known(one, two)).toEqual([wanted, -wanted]);
        }
        const kept = [...map.values()].filter(set => set >= min);
        expect(table.entriesFrom(min)).toHaveLength(kept.length * (keyWords + 2));
        expect(table.entriesFrom(0)).toHaveLength(map.size * (keyWords + 2));
        table.clear();
        for (const [one, two] of changes) expect(known(one, two)[0]).toBe(0);
      }),
    );
  });

  it("grows to any size", () => {
    const table = new HashTable(1, 1);
    const hashOf = (key: number) => Math.imul(key, 0x9e3779b1);
    for (let key = 1; key < 50_000; key++) table.setValue(table.place(hashOf(key)), key);
    const lost = Array.from({ length: 50_000 }, (_, key) => key).filter(
      key => table.value(table.find(hashOf(key))) !== key,
    );
    expect(lost).toEqual([]);
  });
});

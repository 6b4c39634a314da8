import { describe, expect, it } from "vitest";
import { boundary, call, type Json, read, result, textOf } from "../../support/log.js";
import { reportOn } from "../../support/replay.js";

/** Reads the named files one after the other; the same letter always gives the same 300 bytes. */
function reads(letters: string): Json[] {
  return [...letters].flatMap((letter, at) => [
    read(`${letter}${at}`, `/${letter}`),
    result(`${letter}${at}`, textOf(300, letter)),
  ]);
}

/** Hits at capacity 1, 2, 3 … 32 and without a limit. */
function hitsByCapacity(lines: Json[]): number[] {
  return reportOn(lines).sweep.map(point => point.hits);
}

/** This many hits from that capacity on, none below. */
function from(capacity: number, hits: number): number[] {
  return Array.from({ length: 33 }, (_, slot) => (slot + 1 >= capacity ? hits : 0));
}

describe("the capacity sweep", () => {
  it("tries every capacity from 1 to 32 and one without a limit", () => {
    const capacities = reportOn([]).sweep.map(point => point.capacity);
    expect(capacities).toEqual([...Array.from({ length: 32 }, (_, at) => at + 1), null]);
  });

  it("finds a repeat at every capacity above the number of texts in between", () => {
    expect(hitsByCapacity(reads("AA"))).toEqual(from(1, 1));
    expect(hitsByCapacity(reads("ABA"))).toEqual(from(2, 1));
    expect(hitsByCapacity(reads("ABCDA"))).toEqual(from(4, 1));
    expect(hitsByCapacity(reads("ABC"))).toEqual(from(1, 0));
  });

  it("finds what is 40 texts back only without a limit", () => {
    const letters = Array.from({ length: 40 }, (_, at) => String.fromCharCode(0x100 + at)).join("");
    expect(hitsByCapacity(reads(`${letters}\u0100`))).toEqual(from(33, 1));
  });

  it("refreshes hits: at capacity 2 the second A keeps A and loses B", () => {
    // A B A C A B. Capacity 2: A hits twice, B is gone. Capacity 3: A hits twice, B once.
    const hits = hitsByCapacity(reads("ABACAB"));
    expect(hits.slice(0, 3)).toEqual([0, 2, 3]);
  });

  it("counts the bytes of each hit minus its hint", () => {
    // `> [ref: A0, byte-identical]` has 27 bytes.
    const sweep = reportOn(reads("AA")).sweep;
    expect(sweep[0]).toMatchObject({ capacity: 1, hits: 1, savedBytes: 273 });
    expect(sweep[32]).toMatchObject({ capacity: null, hits: 1, savedBytes: 273 });
  });

  it("respects edits and compactions at every capacity", () => {
    const edit = [call("e", "Edit", { file_path: "/A" }), result("e", "done")];
    expect(hitsByCapacity([...reads("A"), ...edit, ...reads("A").map(renamed)])).toEqual(from(1, 0));
    expect(hitsByCapacity([...reads("A"), boundary(), ...reads("A").map(renamed)])).toEqual(from(1, 0));
  });
});

function renamed(line: Json): Json {
  return JSON.parse(JSON.stringify(line).replaceAll('"A0"', '"again"')) as Json;
}

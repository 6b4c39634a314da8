import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fuzzOnce, seedLines } from "../fuzz/fuzz.js";
import { check } from "../fuzz/oracle.js";
import { Chance } from "../support/liveLog.js";
import { REPOSITORY } from "../support/replay.js";
import { SEED } from "../support/seed.js";
import { turned } from "../support/turns.js";

const CRASHES = join(REPOSITORY, "test", "fuzz", "crashes");

describe("lines that no program should write", () => {
  const seeds = seedLines();

  it("are made from lines of every kind", () => {
    const types = new Set(seeds.map(line => (JSON.parse(line) as { type?: string }).type));
    expect([...types]).toEqual(expect.arrayContaining(["user", "assistant", "system", "progress", "summary"]));
  });

  it("do no harm: nothing is thrown, figures stay valid, and two implementations agree", async () => {
    for (let seed = SEED; seed < SEED + 200; seed++) {
      await turned(() =>
        fuzzOnce(seed, seeds, (_, error) => {
          throw new Error(`seed ${seed} (repeat: npm run fuzz -- --seed ${seed} --lines 1)`, { cause: error });
        }),
      );
    }
  });

  it.each(readdirSync(CRASHES).filter(name => name.endsWith(".jsonl")))("did harm once: %s", name => {
    const log = readFileSync(join(CRASHES, name));
    for (const path of ["s.jsonl", "agent-a1.jsonl"]) check(path, log, new Chance(1), true);
  });
});

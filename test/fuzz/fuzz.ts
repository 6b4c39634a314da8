import { readFileSync } from "node:fs";
import { isTranscript } from "../../src/log/sessionFiles.js";
import { Chance } from "../support/liveLog.js";
import { FIXTURES, filesUnder } from "../support/replay.js";
import { Mutator } from "./mutate.js";
import { check } from "./oracle.js";
import { checkMessage } from "./page.js";
import { respelled } from "./respell.js";
import { checkScanner } from "./scanner.js";

/** Every shape of line in the fixtures: real ones, of many versions. */
export function seedLines(): string[] {
  const lines = filesUnder(FIXTURES)
    .filter(isTranscript)
    .flatMap(path => readFileSync(path, "utf8").split("\n"));
  return [...new Set(lines)].filter(line => line.length < 20_000 && isObject(line));
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const LINES_PER_LOG = 40;
/** The second implementation is slow, so it checks only one log in this many. */
const THOROUGH_EVERY = 8;

/** Creating a line takes longer than respelling it. */
const SPELLINGS = 6;

/** Generates and checks one log, reproducible by seed. Returns its number of lines. */
export function fuzzOnce(
  seed: number,
  seeds: readonly string[],
  failed: (log: Buffer, error: unknown) => void,
): number {
  const chance = new Chance(seed);
  const mutator = new Mutator(chance, seeds);
  const log = Buffer.concat(Array.from({ length: LINES_PER_LOG }, () => mutator.line()));
  try {
    check(pathOf(seed), log, chance, seed % THOROUGH_EVERY === 0);
    for (let messages = 0; messages < 5; messages++) checkMessage(mutator.message());
  } catch (error) {
    failed(log, error);
  }
  return LINES_PER_LOG;
}

/** The same for the scanner alone, with respelled lines too. */
export function scanOnce(
  seed: number,
  seeds: readonly string[],
  failed: (log: Buffer, error: unknown) => void,
): number {
  const chance = new Chance(seed);
  const mutator = new Mutator(chance, seeds, 1 / 1000);
  for (const log of scannedLogs(mutator, chance)) {
    try {
      checkScanner(pathOf(seed), log, chance);
    } catch (error) {
      failed(log, error);
    }
  }
  return LINES_PER_LOG * SPELLINGS;
}

/** Some parts of a line only matter at the start of a log, some only after many lines. */
function scannedLogs(mutator: Mutator, chance: Chance): readonly Buffer[] {
  // Each line once, so that most of their parents exist: a chain with branches, orphans and a few copies.
  if (chance.is(0.3)) {
    const lines = Array.from({ length: LINES_PER_LOG * SPELLINGS }, () => {
      const line = mutator.line();
      return chance.is(0.3) ? respelled(line, chance) : line;
    });
    return [Buffer.concat(lines)];
  }
  const short = Array.from({ length: LINES_PER_LOG }, () => {
    const line = mutator.line();
    return Buffer.concat(Array.from({ length: SPELLINGS }, () => respelled(line, chance)));
  });
  return chance.is(0.5) ? short : [Buffer.concat(short)];
}

function pathOf(seed: number): string {
  return seed % 5 === 0 ? "s/subagents/agent-a1.jsonl" : "s.jsonl";
}

/**
 * Logs to which anything happens while they are followed: at the end the follower has reported exactly what a batch
 * replay of the file does. The seed in a test's name repeats a failure.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Chance, Folders, LineSource, Listener } from "../../support/liveLog.js";
import { SEED } from "../../support/seed.js";

const SEEDS = Array.from({ length: 4 }, (_, index) => SEED + index);
const APPENDS_PER_SEED = 10_000;
/** Then another log begins: what is reread after a restart stays small. */
const APPENDS_PER_LOG = 500;

const folders = new Folders();
afterAll(() => folders.remove());

/** A writer that never looks back, in pieces that end anywhere. */
class Writer {
  readonly #path: string;
  readonly #chance: Chance;
  readonly #source: LineSource;
  #file: number;
  /** The part of the current line that is not written yet. */
  #rest: Buffer = Buffer.alloc(0);
  appends = 0;

  constructor(path: string, chance: Chance) {
    this.#path = path;
    this.#chance = chance;
    this.#source = new LineSource(chance);
    this.#file = openSync(path, "a+");
  }

  close(): void {
    closeSync(this.#file);
  }

  append(): void {
    this.appends++;
    if (this.#rest.length === 0) this.#rest = this.#source.next();
    // A single byte, a part, a line to its end, or some lines at once.
    const form = this.#chance.next();
    if (form < 0.1) this.#write(1);
    else if (form < 0.6) this.#write(1 + this.#chance.below(400));
    else if (form < 0.85) this.#write(this.#rest.length);
    else {
      this.#rest = Buffer.concat([this.#rest, this.#source.take(1 + this.#chance.below(3))]);
      this.#write(this.#rest.length - this.#chance.below(30));
    }
  }

  #write(length: number): void {
    const end = Math.min(length, this.#rest.length);
    writeSync(this.#file, this.#rest.subarray(0, end));
    this.#rest = this.#rest.subarray(end);
  }

  /** The last, unfinished line is removed; another one may replace it. */
  cutToWholeLines(): void {
    ftruncateSync(this.#file, this.#content().lastIndexOf(0x0a) + 1);
    this.#rest = Buffer.alloc(0);
  }

  cutAnywhere(): void {
    ftruncateSync(this.#file, this.#chance.below(fstatSync(this.#file).size + 1));
  }

  /** In place, as Claude Code does it. */
  removeLine(): void {
    const content = this.#content();
    const start = content.lastIndexOf(0x0a, this.#chance.below(content.length + 1)) + 1;
    const end = content.indexOf(0x0a, start) + 1;
    if (end === 0) return;
    ftruncateSync(this.#file, start);
    writeSync(this.#file, content.subarray(end));
  }

  rewrite(): void {
    ftruncateSync(this.#file, 0);
    writeSync(this.#file, this.#source.take(this.#chance.below(60)));
    this.#rest = Buffer.alloc(0);
  }

  /** Another file under the same name, often with the same beginning. */
  replace(): void {
    const kept = this.#content().subarray(0, this.#chance.below(2 * fstatSync(this.#file).size));
    writeFileSync(`${this.#path}.new`, Buffer.concat([kept, this.#source.take(this.#chance.below(20))]));
    renameSync(`${this.#path}.new`, this.#path);
    this.#reopen();
  }

  recreate(between: () => void): void {
    rmSync(this.#path);
    if (this.#chance.is(0.5)) between();
    this.#reopen();
    this.#rest = Buffer.alloc(0);
  }

  #content(): Buffer {
    return readFileSync(this.#path);
  }

  #reopen(): void {
    closeSync(this.#file);
    this.#file = openSync(this.#path, "a+");
  }
}

/** Polls, and checks that nothing reported was taken back unless the follower said so. */
function look(listener: Listener): void {
  const { told, restarts } = listener;
  const [count, last] = [told.length, told.at(-1)];
  listener.look();
  if (listener.restarts > restarts) return;
  expect(told.length).toBeGreaterThanOrEqual(count);
  if (count > 0) expect(told[count - 1]).toBe(last);
}

interface Tally {
  appends: number;
  restarts: number;
  events: number;
}

function follow(path: string, chance: Chance, appends: number, tally: Tally): void {
  const writer = new Writer(path, chance);
  const listener = new Listener(path);
  // Some logs are polled after nearly every append, some hardly ever.
  const looks = chance.pick([0.02, 0.2, 0.9]);
  while (writer.appends < appends) {
    const burst = chance.is(0.1) ? 1 + chance.below(20) : 1;
    for (let piece = 0; piece < burst; piece++) writer.append();
    const fate = chance.next();
    if (fate < 0.03) writer.cutToWholeLines();
    else if (fate < 0.034) writer.cutAnywhere();
    else if (fate < 0.038) writer.removeLine();
    else if (fate < 0.041) writer.rewrite();
    else if (fate < 0.044) writer.replace();
    else if (fate < 0.046) writer.recreate(() => look(listener));
    else if (fate < 0.05) listener.resume();
    if (chance.is(looks)) look(listener);
    if (chance.is(0.002)) {
      look(listener);
      expect(listener.told).toEqual(listener.expected());
    }
  }
  look(listener);
  expect(listener.told).toEqual(listener.expected());
  writer.close();
  tally.appends += writer.appends;
  tally.restarts += listener.restarts;
  tally.events += listener.told.length;
}

describe("a followed log reports what a batch replay does", () => {
  const total: Tally = { appends: 0, restarts: 0, events: 0 };

  it.each(SEEDS)("after random appends, cuts, rewrites, removals and replacements (seed %i)", seed => {
    const folder = folders.make();
    const chance = new Chance(seed);
    for (let log = 0; log < APPENDS_PER_SEED / APPENDS_PER_LOG; log++) {
      follow(join(folder, `${log}.jsonl`), chance, APPENDS_PER_LOG, total);
    }
  });

  it("40,000 times, with restarts and events among them", () => {
    expect(total.appends).toBeGreaterThanOrEqual(40_000);
    expect(total.restarts).toBeGreaterThan(200);
    expect(total.events).toBeGreaterThan(4_000);
  });
});

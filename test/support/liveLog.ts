/** Growing logs: folders for real files, lines in the bundled sample's shapes, seeded randomness. */
import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followLog, type ReplayFollower } from "../../src/batch/replayLog.js";
import type { DedupEvent } from "../../src/dedup/events.js";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { LogPipeline, type PipelineOptions } from "../../src/pipeline/logPipeline.js";
import type { FollowResult } from "../../src/tail/follower.js";
import { sampleText } from "./sample.js";

/** A small cache that accepts small results: many events of every kind from few bytes. */
export const LIVE_OPTIONS: PipelineOptions = {
  settings: { ...DEFAULT_SETTINGS, capacity: 4, minBytes: 40 },
  keepEvents: true,
  keepDetails: false,
  keepFacts: true,
};

/** Folders that one test file creates and removes. */
export class Folders {
  readonly #made: string[] = [];

  make(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "dedup-tail-")));
    this.#made.push(folder);
    return folder;
  }

  remove(): void {
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true });
  }
}

/** The same numbers for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

const LONGEST_TEXT = 700;
const FOREIGN = ["é", "漢字", "🧁", "\u2028", "Ω≈ç", "naïve"];

function slim(key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length < 60 || /id$/i.test(key)) return value;
  // Every longer text has characters of two, three and four bytes, so that cuts fall inside characters.
  const text = value.slice(0, LONGEST_TEXT);
  return `${text.slice(0, 20)}${FOREIGN[text.length % FOREIGN.length]}${text.slice(20)}🥣`;
}

/** The sample session's lines with shorter texts: calls, results, edits, a compaction, subagents, unknown kinds. */
const SHAPES = sampleText()
  .split("\n")
  .filter(line => line !== "")
  .map(line => JSON.stringify(JSON.parse(line), slim));

const UUID_OR_CALL =
  /(toolu_[0-9A-Za-z]{20}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8})[0-9A-Za-z]{4}/g;

/** Endless lines: the sample over and over, with new ids each time. */
export class LineSource {
  #at: number;
  #round: number;

  constructor(chance: Chance) {
    this.#at = chance.below(SHAPES.length);
    this.#round = chance.below(0x8000);
  }

  /** One line with its newline. */
  next(): Buffer {
    const shape = SHAPES[this.#at] as string;
    const mark = this.#round.toString(16).padStart(4, "0");
    this.#at = (this.#at + 1) % SHAPES.length;
    if (this.#at === 0) this.#round = (this.#round + 1) & 0xffff;
    return Buffer.from(`${shape.replace(UUID_OR_CALL, (_, stem: string) => `${stem}${mark}`)}\n`);
  }

  take(count: number): Buffer {
    return Buffer.concat(Array.from({ length: count }, () => this.next()));
  }
}

export type Told = readonly [context: string, event: DedupEvent, target: string];

/** The events of a batch replay of these bytes, in order. */
export function batch(path: string, bytes: Buffer): Told[] {
  const told: Told[] = [];
  const model = new LogPipeline(path, LIVE_OPTIONS);
  model.onEvent = (...event) => told.push(event);
  model.push(bytes);
  return told;
}

/** A follower that records its events since the file last started over. */
export class Listener {
  readonly path: string;
  readonly told: Told[] = [];
  restarts = 0;
  #follower: ReplayFollower;

  constructor(path: string) {
    this.path = path;
    this.#follower = this.#listen(followLog(path, LIVE_OPTIONS));
  }

  get follower(): ReplayFollower {
    return this.#follower;
  }

  look(): FollowResult {
    const look = this.#follower.update(fresh => {
      this.told.length = 0;
      this.restarts++;
      fresh.onEvent = (...event) => this.told.push(event);
    });
    return look;
  }

  /** Continues from this one's state, as another process would. */
  resume(): void {
    const saved = this.#follower.saved;
    if (saved === undefined) return;
    this.#follower = this.#listen(followLog(this.path, LIVE_OPTIONS, structuredClone(saved) as typeof saved));
  }

  /** The events of a batch replay of the file as it is now. */
  expected(): Told[] {
    return batch(this.path, readFileSync(this.path));
  }

  #listen(follower: ReplayFollower): ReplayFollower {
    follower.sink.onEvent = (...event) => this.told.push(event);
    return follower;
  }
}

/** Appends in one write. */
export function append(path: string, ...pieces: (Buffer | string)[]): void {
  appendFileSync(path, Buffer.concat(pieces.map(piece => Buffer.from(piece))));
}

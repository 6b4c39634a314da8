/** A follower with the log it follows. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Chance, Folders, LineSource, Listener } from "../../support/liveLog.js";

export const folders = new Folders();
let seed = 0;

export interface Followed {
  readonly path: string;
  readonly source: LineSource;
  readonly listener: Listener;
}

/** A log with some lines in it, already polled. */
export function followed(lines = 80): Followed {
  const path = join(folders.make(), "session.jsonl");
  const source = new LineSource(new Chance(++seed));
  writeFileSync(path, source.take(lines));
  const listener = new Listener(path);
  expect(listener.look()).toBe("grown");
  return { path, source, listener };
}

export function expectInStep(listener: Listener): void {
  expect(listener.told).toEqual(listener.expected());
}

/** The positions just after each newline. */
export function lineEnds(bytes: Buffer): number[] {
  return [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
}

export function withoutLine(bytes: Buffer, index: number): Buffer {
  const ends = [0, ...lineEnds(bytes)];
  return Buffer.concat([bytes.subarray(0, ends[index]), bytes.subarray(ends[index + 1])]);
}

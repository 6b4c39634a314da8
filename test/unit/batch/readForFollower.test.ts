/** A panel's first read of a log: a follower continues from it as if it had read the log itself. */
import { copyFileSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { followLog, type ReplayFollower, readForFollower } from "../../../src/batch/replayLog.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { append, Chance, LineSource } from "../../support/liveLog.js";
import { REPOSITORY } from "../../support/replay.js";
import { folders } from "../tail/followed.js";

const OPTIONS = {
  settings: DEFAULT_SETTINGS,
  keepEvents: false,
  keepDetails: true,
  keepFacts: true,
  isShownFirst: true,
};

afterAll(() => folders.remove());

function log(content: Buffer): string {
  const path = join(folders.make(), "session.jsonl");
  writeFileSync(path, content);
  return path;
}

/** One follower that continues from the first read, and one that reads everything itself. */
function both(path: string): [ReplayFollower, ReplayFollower] {
  const saved = readForFollower(path, OPTIONS);
  expect(saved).toBeDefined();
  return [followLog(path, OPTIONS, saved), followLog(path, OPTIONS)];
}

function shown({ sink }: ReplayFollower) {
  return {
    lines: sink.lines,
    consumed: sink.consumed,
    header: sink.header,
    samples: sink.samples,
    contexts: sink.contexts.map(
      ({ id, ids, targets, rows, marks, sources, offsets, callOffsets, sweep, emissions }) => {
        return [id, ids, targets, rows.cells(), marks, sources, [...offsets], [...callOffsets], sweep, [...emissions]];
      },
    ),
  };
}

function expectSame([first, second]: [ReplayFollower, ReplayFollower]): void {
  first.update();
  second.update();
  expect(shown(first)).toEqual(shown(second));
}

describe("a follower that continues from the first read", () => {
  it("shows the same, even after the log has grown", () => {
    const path = join(folders.make(), "sample.jsonl");
    copyFileSync(join(REPOSITORY, "media", "sample.jsonl"), path);
    const bytes = readFileSync(path);
    const half = bytes.indexOf("\n", bytes.length / 2) + 1;
    truncateSync(path, half);
    const followers = both(path);
    expectSame(followers);
    append(path, bytes.subarray(half));
    expectSame(followers);
  });

  it.each([0, 1, 10, 400])("continues an unfinished line of which %i bytes are there", length => {
    const source = new LineSource(new Chance(length + 1));
    const next = source.next();
    const path = log(Buffer.concat([source.take(60), next.subarray(0, length)]));
    const followers = both(path);
    expectSame(followers);
    append(path, next.subarray(length), source.take(30));
    expectSame(followers);
  });

  it("rereads nothing if nothing has changed, even if a log was written just now", () => {
    const path = log(new LineSource(new Chance(7)).take(60));
    const [follower] = both(path);
    expect(follower.update()).toBe("same");
  });

  it("starts over when bytes in the middle were replaced by as many others", () => {
    const path = log(new LineSource(new Chance(8)).take(300));
    const [follower] = both(path);
    follower.update();
    const bytes = readFileSync(path);
    const middle = bytes.indexOf('"type":"', bytes.length >> 1);
    bytes.write("x", middle + 8);
    writeFileSync(path, bytes);
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(follower.update()).toBe("restarted");
  });

  it("does not begin anew for another time alone, once it has looked at the bytes", () => {
    const path = log(new LineSource(new Chance(8)).take(300));
    const [follower, settled] = [followLog(path, OPTIONS, readForFollower(path, OPTIONS)), both(path)[0]];
    settled.settle();
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(follower.update()).toBe("restarted");
    expect(settled.update()).toBe("same");
  });

  it("goes on from there, though other logs were read meanwhile", () => {
    const source = new LineSource(new Chance(11));
    const path = log(source.take(200));
    const saved = readForFollower(path, OPTIONS);
    expect(readForFollower(log(new LineSource(new Chance(12)).take(100)), OPTIONS)?.log.reader.lines).toBe(100);
    append(path, source.take(60));
    expectSame([followLog(path, OPTIONS, saved), followLog(path, OPTIONS)]);
  });

  it("accepts an empty log too", () => {
    const path = log(Buffer.alloc(0));
    const followers = both(path);
    append(path, new LineSource(new Chance(9)).take(40));
    expectSame(followers);
  });
});

it("leaves to the follower what the fastest way cannot do", () => {
  const path = log(new LineSource(new Chance(10)).take(20));
  expect(readForFollower(path, { ...OPTIONS, settings: { ...DEFAULT_SETTINGS, nearRef: true } })).toBeUndefined();
  expect(readForFollower(join(folders.make(), "absent.jsonl"), OPTIONS)).toBeUndefined();
});

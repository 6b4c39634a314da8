import { closeSync, openSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { append, Chance, LineSource } from "../../support/liveLog.js";
import { expectInStep, folders, followed, lineEnds } from "./followed.js";

afterAll(() => folders.remove());

describe("a log that grows", () => {
  it("reports everything once, and nothing when nothing was added", () => {
    const { path, source, listener } = followed();
    expect(listener.told.length).toBeGreaterThan(10);
    expect(listener.look()).toBe("same");
    append(path, source.take(300));
    expect(listener.look()).toBe("grown");
    expect(listener.restarts).toBe(0);
    expectInStep(listener);
  });

  it("waits for the end of a torn last line", () => {
    const { path, source, listener } = followed();
    for (const line of Array.from({ length: 30 }, () => source.next())) {
      append(path, line.subarray(0, line.length >> 1));
      listener.look();
      const before = listener.told.length;
      expect(listener.look()).toBe("same");
      expect(listener.told.length).toBe(before);
      append(path, line.subarray(line.length >> 1));
      expect(listener.look()).toBe("grown");
    }
    expectInStep(listener);
  });

  it("treats a line without its newline as unfinished", () => {
    const { path, source, listener } = followed();
    const line = source.next();
    append(path, line.subarray(0, -1));
    listener.look();
    expect(listener.follower.sink.consumed).toBe(statSync(path).size - line.length + 1);
    append(path, "\n");
    listener.look();
    expect(listener.follower.sink.consumed).toBe(statSync(path).size);
    expectInStep(listener);
  });

  it("joins characters that were split between reads", () => {
    const { path, listener } = followed(1);
    const text = "é漢🧁".repeat(40);
    const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/漢/🧁.md" } };
    const result = { type: "tool_result", tool_use_id: "t1", content: text };
    const lines = [
      { type: "assistant", message: { content: [call] } },
      { type: "user", message: { content: [result] } },
    ];
    const bytes = Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join(""));
    for (const byte of bytes) {
      append(path, Buffer.of(byte));
      listener.look();
    }
    expect(listener.told.at(-1)?.[1]).toMatchObject({ kind: "miss", id: "t1", bytes: Buffer.byteLength(text) });
    expect(listener.told.at(-1)?.[2]).toContain("/漢/🧁.md");
    expectInStep(listener);
  });

  it("keeps the order of two writers whose lines alternate, whole and torn", () => {
    const { path, source, listener } = followed();
    const other = new LineSource(new Chance(1000));
    const [left, right] = [openSync(path, "a"), openSync(path, "a")];
    for (let round = 0; round < 100; round++) {
      const line = source.next();
      // Every tenth line is torn by the other writer's: one bad line, and nothing else is lost.
      const cut = round % 10 === 0 ? line.length >> 1 : line.length;
      writeSync(left, line.subarray(0, cut));
      if (round % 3 === 0) listener.look();
      writeSync(right, other.next());
      if (cut < line.length) writeSync(left, line.subarray(cut));
      if (round % 4 === 0) listener.look();
    }
    listener.look();
    for (const file of [left, right]) closeSync(file);
    expect(listener.follower.sink.header.badLines).toBeGreaterThanOrEqual(10);
    expect(listener.restarts).toBe(0);
    expectInStep(listener);
  });

  it("reads no further than requested", () => {
    const { path, source, listener } = followed();
    const size = statSync(path).size;
    append(path, source.take(20));
    expect(listener.follower.update(undefined, size)).toBe("same");
    expect(listener.follower.update(undefined, size + 10)).toBe("grown");
    expect(listener.look()).toBe("grown");
    expectInStep(listener);
  });
});

describe("a log that is cut back", () => {
  it("continues if only an unfinished line was removed", () => {
    const { path, source, listener } = followed();
    const size = statSync(path).size;
    append(path, source.next().subarray(0, 100));
    listener.look();
    truncateSync(path, size);
    expect(listener.look()).toBe("same");
    append(path, source.take(20));
    expect(listener.look()).toBe("grown");
    expect(listener.restarts).toBe(0);
    expectInStep(listener);
  });

  it("continues if another line has replaced an unfinished one before the next poll", () => {
    for (const torn of [1, 30, 200, 600]) {
      const { path, source, listener } = followed();
      const size = statSync(path).size;
      append(path, source.next().subarray(0, torn));
      listener.look();
      truncateSync(path, size);
      append(path, source.take(20));
      expect(listener.look()).toBe("grown");
      expect(listener.restarts).toBe(0);
      expectInStep(listener);
    }
  });

  it("starts over if whole lines are gone", () => {
    const { path, source, listener } = followed();
    truncateSync(path, lineEnds(readFileSync(path))[20]);
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
    append(path, source.take(10));
    expect(listener.look()).toBe("grown");
    expectInStep(listener);
  });

  it("starts over if whole lines are gone and the file has since grown beyond its old size", () => {
    const { path, source, listener } = followed();
    truncateSync(path, lineEnds(readFileSync(path))[20]);
    append(path, source.take(60));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it("starts over if the file was emptied", () => {
    const { path, source, listener } = followed();
    truncateSync(path, 0);
    expect(listener.look()).toBe("restarted");
    expect(listener.told).toEqual([]);
    append(path, source.take(10));
    listener.look();
    expectInStep(listener);
  });
});

import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { followLog } from "../../../src/batch/replayLog.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { LogFollower } from "../../../src/tail/follower.js";
import { append, Chance, LIVE_OPTIONS, LineSource, Listener } from "../../support/liveLog.js";
import { logText, result, textOf } from "../../support/log.js";
import { expectInStep, folders, followed, withoutLine } from "./followed.js";

afterAll(() => folders.remove());

describe("a log whose past has changed", () => {
  it("starts over when a line was removed from its middle", () => {
    const { path, listener } = followed();
    writeFileSync(path, withoutLine(readFileSync(path), 12));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it("starts over when a line was removed from its middle while it grew beyond its old size", () => {
    const { path, source, listener } = followed();
    writeFileSync(path, Buffer.concat([withoutLine(readFileSync(path), 12), source.take(30)]));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it("starts over when its last line was replaced by another of the same length", () => {
    const { path, listener } = followed();
    // The difference is far from the line's end, as with uuids before a long working directory.
    const line = (mark: string) =>
      `${JSON.stringify({ type: "user", message: { content: mark }, uuid: mark, cwd: `/${"deep/".repeat(120)}` })}\n`;
    const size = statSync(path).size;
    append(path, line("first"));
    listener.look();
    truncateSync(path, size);
    append(path, line("other"), line("third"));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it("starts over once more when it was rewritten while it was read", () => {
    const { path, source } = followed();
    const options = { settings: DEFAULT_SETTINGS, keepEvents: true, keepDetails: true, keepFacts: false };
    const follower = followLog(path, options);
    follower.update();
    writeFileSync(path, source.take(20));
    expect(follower.update(() => writeFileSync(path, source.take(90)))).toBe("restarted");
    expect(follower.update()).toBe("restarted");
    const truth = followLog(path, options);
    truth.update();
    expect(follower.sink.data()).toEqual(truth.sink.data());
  });

  it("starts over when the first bytes of the same file were changed", () => {
    const { path, listener } = followed();
    const { ino } = statSync(path);
    const bytes = readFileSync(path);
    const file = openSync(path, "r+");
    writeSync(file, Buffer.from("{}\n").fill(0x20, 0, 2), 0, 3, 0);
    closeSync(file);
    expect(statSync(path).ino).toBe(ino);
    expect(statSync(path).size).toBe(bytes.length);
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it("starts over when bytes in its middle were replaced by as many others", () => {
    const { path, listener } = followed(400);
    const bytes = readFileSync(path);
    const middle = bytes.indexOf("\n", bytes.length >> 1);
    bytes.write("x", middle - 1);
    writeFileSync(path, bytes);
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
    expect(listener.follower.sink.header.badLines).toBe(1);
  });

  it("continues when only its time was changed", () => {
    const { path, source, listener } = followed();
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(listener.look()).toBe("same");
    append(path, source.take(3));
    expect(listener.look()).toBe("grown");
    append(path, source.next().subarray(0, 70));
    listener.look();
    utimesSync(path, new Date(), new Date(Date.now() + 9000));
    expect(listener.look()).toBe("same");
    expect(listener.restarts).toBe(0);
    expectInStep(listener);
  });

  it("starts over when another file has taken its name, even with the same bytes at both ends", () => {
    const { path, source, listener } = followed();
    const bytes = readFileSync(path);
    const changed = Buffer.concat([withoutLine(bytes, 20), source.take(5)]);
    for (const content of [bytes, changed, new LineSource(new Chance(77)).take(60)]) {
      writeFileSync(`${path}.new`, content);
      renameSync(`${path}.new`, path);
      expect(listener.look()).toBe("restarted");
      expectInStep(listener);
    }
  });
});

describe("a log that comes and goes", () => {
  it("is absent while it is deleted, and starts over when it is back", () => {
    const { path, listener } = followed();
    const before = listener.told.length;
    rmSync(path);
    expect(listener.look()).toBe("absent");
    expect(listener.told.length).toBe(before);
    writeFileSync(path, new LineSource(new Chance(500)).take(30));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it("is absent under its old name after a rename, and continues when it is renamed back", () => {
    const { path, source, listener } = followed();
    renameSync(path, `${path}.moved`);
    expect(listener.look()).toBe("absent");
    append(`${path}.moved`, source.take(10));
    renameSync(`${path}.moved`, path);
    expect(listener.look()).toBe("grown");
    expect(listener.restarts).toBe(0);
    expectInStep(listener);
  });

  it("can be followed before it exists", () => {
    const path = join(folders.make(), "later.jsonl");
    const listener = new Listener(path);
    expect(listener.look()).toBe("absent");
    writeFileSync(path, "");
    expect(listener.look()).toBe("same");
    append(path, new LineSource(new Chance(3)).take(30));
    expect(listener.look()).toBe("grown");
    expectInStep(listener);
  });

  it("cannot be read if something else has taken its name, which is reported", () => {
    const { path, source, listener } = followed();
    renameSync(path, `${path}.moved`);
    mkdirSync(path);
    expect([listener.look(), listener.follower.problem]).toEqual(["unreadable", `is a folder: ${path}`]);
    rmSync(path, { recursive: true });
    if (process.platform !== "win32") {
      expect(spawnSync("mkfifo", [path]).status).toBe(0);
      expect([listener.look(), listener.follower.problem]).toEqual(["unreadable", `not a file: ${path}`]);
      rmSync(path);
    }
    expect([listener.look(), listener.follower.problem]).toEqual(["absent", undefined]);
    append(`${path}.moved`, source.take(10));
    renameSync(`${path}.moved`, path);
    expect([listener.look(), listener.follower.problem]).toEqual(["grown", undefined]);
    expectInStep(listener);
  });
});

describe("a fault of the program itself", () => {
  it("is not mistaken for an absent file, and the next poll starts over", () => {
    const { path, listener } = followed();
    writeFileSync(path, new LineSource(new Chance(7)).take(40));
    const look = listener.follower.update(() => {
      throw new TypeError("no such thing");
    });
    expect(look).toBe("failed");
    expect(listener.follower.problem).toBe(`could not be read (TypeError: no such thing): ${path}`);
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });

  it.each(["ENOENT", "ENOTDIR", "EACCES", undefined])(
    "is not taken for one of the file, even with the code %s",
    code => {
      const path = join(folders.make(), "session.jsonl");
      writeFileSync(path, "one\n");
      const failsAt = { open: false, push: true, dropUnfinished: false };
      const fail = (at: keyof typeof failsAt) => {
        if (failsAt[at]) throw Object.assign(new Error(`no ${at}`), { code, syscall: "open" });
      };
      const open = () => {
        fail("open");
        let consumed = 0;
        return {
          get consumed() {
            return consumed;
          },
          push(bytes: Buffer) {
            fail("push");
            consumed += bytes.lastIndexOf("\n") + 1;
          },
          dropUnfinished: () => fail("dropUnfinished"),
          save: () => undefined,
        };
      };
      const follower = new LogFollower(path, open);
      const lookAgain = () => [follower.update(), follower.problem];
      expect(lookAgain()).toEqual(["failed", `could not be read (Error: no push): ${path}`]);

      // The sink has not consumed these bytes: it gets them again.
      failsAt.push = false;
      expect(lookAgain()).toEqual(["grown", undefined]);
      expect(follower.sink.consumed).toBe(4);

      writeFileSync(path, "another beginning\nand an unfinished li");
      failsAt.open = true;
      expect(lookAgain()).toEqual(["failed", `could not be read (Error: no open): ${path}`]);
      failsAt.open = false;
      expect(lookAgain()).toEqual(["restarted", undefined]);

      truncateSync(path, "another beginning\nand".length);
      failsAt.dropUnfinished = true;
      expect(lookAgain()).toEqual(["failed", `could not be read (Error: no dropUnfinished): ${path}`]);

      rmSync(path);
      expect(lookAgain()).toEqual(["absent", undefined]);
    },
  );

  it("at one line counts as one bad line: those after it are read, with their own numbers", () => {
    const path = join(folders.make(), "session.jsonl");
    const lines = Array.from({ length: 6 }, (_, at) => logText(result(`r${at}`, textOf(300, `${at}`))));
    writeFileSync(path, lines.slice(0, 4).join(""));
    const follower = followLog(path, LIVE_OPTIONS);
    const told: number[] = [];
    follower.sink.onEvent = (_context, event) => {
      if (event.line === 2) throw new RangeError("too much");
      told.push(event.line);
    };
    expect(follower.update()).toBe("grown");
    append(path, lines.slice(4).join(""));
    expect(follower.update()).toBe("grown");
    expect(follower.update()).toBe("same");
    // The cache of four has evicted one result for each of the last two.
    expect([...new Set(told)]).toEqual([1, 3, 4, 5, 6]);
    expect(follower.sink.header).toMatchObject({ badLines: 1, failedLines: 1, failure: "RangeError: too much" });
  });
});

describe("another process", () => {
  it("continues from what the first one knew, even in the middle of a line", () => {
    const { path, source, listener } = followed();
    for (let round = 0; round < 20; round++) {
      const line = source.next();
      append(path, source.take(3), line.subarray(0, 50));
      listener.look();
      listener.resume();
      append(path, line.subarray(50));
      expect(listener.look()).toBe("grown");
    }
    expect(listener.restarts).toBe(0);
    expectInStep(listener);
  });

  it("starts over if the log has changed in between", () => {
    const { path, listener } = followed();
    listener.resume();
    writeFileSync(path, withoutLine(readFileSync(path), 5));
    expect(listener.look()).toBe("restarted");
    expectInStep(listener);
  });
});

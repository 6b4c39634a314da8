/** Files that users name: whatever is behind the name, the answer is immediate. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { problemOf, readLog, readSmallFile } from "../../../src/files/openFile.js";
import { Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());
const folder = folders.make();

/** In words, what reading the path gives. */
function problemWith(path: string, maxBytes = 1000): string {
  try {
    readSmallFile(path, { maxBytes });
    return "";
  } catch (error) {
    return problemOf(error);
  }
}

describe("a small file", () => {
  it("is read completely up to its limit and refused beyond it", () => {
    const path = join(folder, "settings.json");
    for (const length of [0, 1, 64 * 1024, 64 * 1024 + 1, 200_000]) {
      writeFileSync(path, Buffer.alloc(length, "x"));
      expect(readSmallFile(path, { maxBytes: length }).length).toBe(length);
      if (length > 0) expect(problemWith(path, length - 1)).toBe("too large");
    }
  });

  it("may be in use, which on Windows keeps others from reading it", () => {
    expect(problemOf(Object.assign(new Error("EBUSY: resource busy or locked, open"), { code: "EBUSY" }))).toBe(
      "another program is using it",
    );
  });

  it("is its bytes, whether they are text or not", () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    writeFileSync(join(folder, "bytes"), bytes);
    expect(readSmallFile(join(folder, "bytes"), { maxBytes: 100 })).toEqual(bytes);
  });

  it("is not a folder, nor a link to nowhere", () => {
    mkdirSync(join(folder, "dir"));
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    expect(problemWith(join(folder, "dir"))).toBe("is a folder");
    expect(problemWith(join(folder, "dangling"))).toBe("no such file or folder");
  });
});

describe.skipIf(process.platform === "win32")("on Unix", () => {
  it("a pipe, a device and a socket are refused immediately", async () => {
    const pipe = join(folder, "pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const server = createServer().listen(join(folder, "socket"));
    await new Promise(resolve => server.on("listening", resolve));
    for (const path of [pipe, "/dev/zero", "/dev/null", join(folder, "socket")]) {
      expect(problemWith(path), path).toBe("not a file");
      expect(() => readLog(path, () => {}), path).toThrow();
    }
    server.close();
  });
});

/** A file is the old one or the new one, and nothing else is left. */
import { mkdirSync, promises, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createWhole,
  finishedName,
  patiently,
  targetOf,
  writeWhole,
  writeWholeSync,
} from "../../../src/files/wholeFile.js";
import { Folders } from "../../support/liveLog.js";
import { withSmallDisk } from "../../support/smallDisk.js";

const folders = new Folders();
afterAll(() => folders.remove());

let folder = "";
let file = "";
beforeEach(() => {
  folder = folders.make();
  file = join(folder, "file");
});

const WAYS: readonly [string, (content: string) => Promise<void>][] = [
  ["writeWhole", content => writeWhole(file, Buffer.from(content))],
  ["writeWhole of a stream", content => writeWhole(file, pieces(content))],
  ["writeWholeSync", async content => writeWholeSync(file, content)],
];

async function* pieces(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content.slice(0, 2));
  yield Buffer.from(content.slice(2));
}

describe.each(WAYS)("%s", (_, write) => {
  it("creates a file for its user alone, and replaces another", async () => {
    await write("one");
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    await write("two é");
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["two é", ["file"]]);
  });

  it("replaces a link, not its target", async () => {
    writeFileSync(join(folder, "target"), "theirs");
    symlinkSync("target", file);
    await write("ours");
    expect([readFileSync(file, "utf8"), readFileSync(join(folder, "target"), "utf8")]).toEqual(["ours", "theirs"]);
  });

  it("leaves nothing behind if renaming fails", async () => {
    mkdirSync(join(file, "full"), { recursive: true });
    await expect(write("one")).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("leaves nothing behind if there is no folder", async () => {
    file = join(folder, "none", "file");
    await expect(write("one")).rejects.toThrow("ENOENT");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps the old file on a disk that fills up", async context => {
    await withSmallDisk(context, folder, 8, async () => {
      writeFileSync(file, "old");
      await expect(write("n".repeat(6000))).rejects.toThrow("ENOSPC");
      expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["old", ["file"]]);
    });
  });
});

it("a last check may reject what is already written", async () => {
  writeFileSync(file, "old");
  let seen: string[] = [];
  const confirm = () => {
    seen = readdirSync(folder).map(name => readFileSync(join(folder, name), "utf8"));
    throw new Error("no");
  };
  await expect(writeWhole(file, Buffer.from("new"), { confirm })).rejects.toThrow("no");
  expect(seen.sort()).toEqual(["new", "old"]);
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["old", ["file"]]);
});

describe.each([
  ["with links", undefined],
  // FAT has none, and not every machine has such a disk.
  ["without links", "EPERM"],
])("a file that is only created, on a disk %s,", (_, code) => {
  beforeEach(() => {
    if (code !== undefined) vi.spyOn(promises, "link").mockRejectedValue(Object.assign(new Error(code), { code }));
  });
  afterEach(() => vi.restoreAllMocks());

  it("is whole, and for its user alone", async () => {
    await createWhole(file, Buffer.from("one"));
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["one", ["file"]]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("stays as it is if another process has created it, even just before", async () => {
    const creating = createWhole(file, Buffer.from("two"));
    writeFileSync(file, "one");
    await creating;
    await createWhole(file, Buffer.from("three"));
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["one", ["file"]]);
  });

  it("leaves nothing behind if there is no folder", async () => {
    await expect(createWhole(join(folder, "none", "file"), Buffer.from("one"))).rejects.toThrow("ENOENT");
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("links are followed to their end, even if nothing is there yet", () => {
  mkdirSync(join(folder, "real"));
  symlinkSync("real", join(folder, "folder"));
  symlinkSync("../file", join(folder, "real", "up"));
  expect(targetOf(join(folder, "folder", "up"))).toBe(file);
  symlinkSync("loop", join(folder, "loop"));
  expect(() => targetOf(join(folder, "loop"))).toThrow("a link that leads to itself");
});

it("leftovers are recognised by name, from this version and from 1.0.0", () => {
  for (const end of [".12", ".12.ab3", ".12.tmp", ".12.ab3.tmp"]) expect(finishedName(`a.log${end}`)).toBe("a.log");
  for (const name of ["a.log", "hookProgram.v20.20.2.x64.compiled", "a.log.bak"]) expect(finishedName(name)).toBe(name);
});

describe("renaming", () => {
  const failing = (times: number, code: string) =>
    vi.fn(() => {
      if (times-- > 0) throw Object.assign(new Error(code), { code });
    });

  it.each(["EPERM", "EACCES", "EBUSY"])("waits on Windows for a program that has the file open: %s", async code => {
    const rename = failing(2, code);
    await patiently(rename, { platform: "win32" });
    expect(rename).toHaveBeenCalledTimes(3);
  });

  it("is checked again before each attempt: what was shown to the user may no longer be there", async () => {
    const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
    Object.defineProperty(process, "platform", { ...platform, value: "win32" });
    const renaming = vi.spyOn(promises, "rename").mockRejectedValueOnce(Object.assign(new Error(), { code: "EBUSY" }));
    const confirm = vi.fn();
    try {
      await writeWhole(file, Buffer.from("new"), { confirm });
    } finally {
      Object.defineProperty(process, "platform", platform);
      renaming.mockRestore();
    }
    expect([readFileSync(file, "utf8"), confirm.mock.calls.length]).toEqual(["new", 2]);
  });

  it("gives up at some time", async () => {
    await expect(patiently(failing(1000, "EPERM"), { platform: "win32" })).rejects.toThrow("EPERM");
  });

  it.each([
    ["win32", "ENOSPC"],
    ["linux", "EPERM"],
    ["darwin", "EBUSY"],
  ] as const)("does not wait on %s after %s", async (platform, code) => {
    const rename = failing(1, code);
    await expect(patiently(rename, { platform })).rejects.toThrow(code);
    expect(rename).toHaveBeenCalledTimes(1);
  });
});

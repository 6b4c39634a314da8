/** What is removed is what this program wrote: never another file, whatever it is called, and never through a link. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { LogCache } from "../../../src/cache/logCache.js";
import { Pictures } from "../../../src/cache/pictures.js";
import { removeOwnFiles } from "../../../src/files/ownFiles.js";
import { Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

let folder = "";
beforeEach(() => {
  folder = folders.make();
});

const HEX = "0123456789abcdef0123456789abcdef";
const MARK = { name: /^[0-9a-f]{32}\.log$/, begins: /^ours/ };
const LONG_AGO = new Date("2001-01-01");

function old(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  utimesSync(file, LONG_AGO, LONG_AGO);
  return file;
}

describe("a folder's own files", () => {
  it("are recognised by name and first bytes, and the folder is removed only with its last file", () => {
    const theirs = ["README.md", "package.json", "notes.log", `${HEX}.txt`, `x${HEX}.log`, `${HEX}.log.bak`];
    for (const name of theirs) old(name, "ours, it says");
    old(`${HEX}.log`.replace("0", "f"), "not so");
    old(`${HEX}.log`, "ours, and so it is");
    // As this version and 1.0.0 leave them behind when they are killed.
    for (const end of ["12.tmp", "12.ab3", "12.ab3.tmp", "12"]) old(`${HEX}.log.${end}`, end === "12" ? "" : "ours");
    removeOwnFiles(folder, [MARK]);
    expect(readdirSync(folder).sort()).toEqual([...theirs, `${HEX}.log`.replace("0", "f")].sort());
  });

  it.skipIf(process.platform === "win32")(
    "are files: links, pipes and folders of that name stay, and what they lead to",
    () => {
      const target = old("target", "ours");
      symlinkSync(target, join(folder, `${HEX}.log`));
      mkdirSync(join(folder, `a${HEX.slice(1)}.log`));
      expect(spawnSync("mkfifo", [join(folder, `b${HEX.slice(1)}.log`)]).status).toBe(0);
      removeOwnFiles(folder, [MARK]);
      expect(readdirSync(folder)).toHaveLength(4);
    },
  );

  it("do not lose a hard link of theirs", () => {
    const file = old(`${HEX}.log`, "ours");
    linkSync(file, join(folder, "second"));
    removeOwnFiles(folder, [MARK]);
    expect(readdirSync(folder)).toEqual(["second"]);
  });
});

describe("cleanup", () => {
  it("a cache removes no file that it did not write", () => {
    const names = ["README.md", "package.json", "x.log", `${HEX}.log`, `${HEX}.log.1.a`, "tidied.old"];
    for (const name of names) old(name, "somebody's");
    new LogCache(folder).tidy();
    expect(readdirSync(folder).sort()).toEqual([...names, "tidied"].sort());
  });

  it.each<[string, () => void]>([
    ["a file with something in it", () => void old("tidied", "mine")],
    ["a link", () => symlinkSync(old("target", "mine"), join(folder, "tidied"))],
  ])("a cache is not cleaned up if its own marker is %s", (_, make) => {
    make();
    const before = lstatSync(join(folder, "tidied"));
    const cached = old(`${HEX}.log`, "dedup-inspector 6");
    new LogCache(folder).tidy();
    expect(lstatSync(join(folder, "tidied"))).toEqual(before);
    expect(existsSync(cached)).toBe(true);
  });

  it("kept pictures are counted without other files, which stay", () => {
    const pictures = new Pictures(folder);
    mkdirSync(join(folder, "pictures"));
    const names = ["pictures/README.md", `pictures/${HEX}`, "pictures/notes.123"];
    const theirs = names.map(name => old(name, "somebody's"));
    for (let session = 0; session < 60; session++)
      pictures.remember(`${session}`, "main", "x", { contexts: [], context: [] });
    for (const file of theirs) expect(existsSync(file), file).toBe(true);
    expect(readdirSync(join(folder, "pictures")).length).toBeGreaterThanOrEqual(40);
  });
});

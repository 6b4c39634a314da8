import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultRoots, findLogs, isWithin, placeOf } from "../../../src/tail/discover.js";
import { homeIn, Place } from "../../support/cli.js";

const place = new Place();
afterAll(() => place.remove());

it("Claude Code's own folders are those that exist", () => {
  const projects = place.path("home", ".claude", "projects");
  mkdirSync(projects, { recursive: true });
  const rootsOf = (home: string) => defaultRoots({ env: homeIn(place.path(home)), platform: process.platform });
  expect([rootsOf("home"), rootsOf("nobody")]).toEqual([[projects], []]);
});

describe("a place found twice", () => {
  const isNewEach = (visits: readonly { dev: bigint; ino: bigint; path?: string }[]) => {
    const places = visits.map(({ path = "/", ...stats }) => placeOf(path, stats));
    return places.map((place, at) => places.indexOf(place) === at);
  };

  it("is identified by device and inode", () => {
    const visits = [
      { dev: 1n, ino: 7n },
      { dev: 2n, ino: 7n },
      { dev: 1n, ino: 7n },
    ];
    expect(isNewEach(visits)).toEqual([true, true, false]);
  });

  it("is not mistaken for its neighbour if inodes have 64 bits, as on Windows", () => {
    const number = (57n << 48n) + 120_448n;
    expect(Number(number)).toBe(Number(number + 1n));
    expect(isNewEach([number, number + 1n].map(ino => ({ dev: 1n, ino })))).toEqual([true, true]);
  });

  it("is identified by its real path if the file system has no inodes", () => {
    const [folder, other, link] = [place.path("folder"), place.path("other"), place.path("link")];
    for (const path of [folder, other]) mkdirSync(path);
    symlinkSync(folder, link);
    expect(isNewEach([folder, other, link].map(path => ({ dev: 1n, ino: 0n, path })))).toEqual([true, true, false]);
  });
});

it.each([
  ["/a", "/a", posix, true],
  ["/a", "/a/..b", posix, true],
  ["/a", "/ab", posix, false],
  ["/a/b", "/a", posix, false],
  ["C:\\a", "c:\\A\\b", win32, true],
  ["C:\\a", "C:\\b", win32, false],
  ["D:\\out", "C:\\work", win32, false],
  ["\\\\server\\share\\out", "C:\\work", win32, false],
])("%s holds %s, or not", (folder, path, system, holds) => {
  expect(isWithin(folder, path, system)).toBe(holds);
});

it("a path is usable if it is a log or a folder, even if there is nothing in it yet", () => {
  const [log, empty] = [place.write("usable/s.jsonl", "{}\n"), place.write("usable/empty.jsonl", "")];
  mkdirSync(place.path("hollow"));
  const none = place.path("nowhere");
  for (const path of [log, empty, place.path("hollow")]) expect(findLogs([none, path]).isUsable).toBe(true);
  for (const paths of [[], [none], [none, none]]) expect(findLogs(paths).isUsable).toBe(false);
});

describe("links", () => {
  /** Two folders, each with a log and two links back up: without end, and twice as many at every step. */
  function circle(name: string): string {
    const root = place.path(name);
    for (const folder of ["a", "b"]) {
      place.write(join(name, folder, "session.jsonl"), "{}\n");
      for (const back of ["one", "two"]) symlinkSync(root, join(root, folder, back));
    }
    return root;
  }

  it("in a circle end, and each log is found once", () => {
    const root = circle("circle");
    const { logs, folders, problems } = findLogs([root]);
    expect(logs.map(({ path }) => path)).toEqual([join(root, "a", "session.jsonl"), join(root, "b", "session.jsonl")]);
    expect(folders.map(({ path }) => path)).toEqual([root, join(root, "a"), join(root, "b")]);
    expect(problems).toEqual([]);
  });

  it("to what is found anyway are ignored, whatever their names", () => {
    const root = place.path("twice");
    const log = place.write("twice/m/session.jsonl", "{}\n");
    symlinkSync(join(root, "m"), join(root, "a"));
    symlinkSync(log, join(root, "b.jsonl"));
    symlinkSync(log, join(root, "z.jsonl"));
    linkSync(log, join(root, "m", "t.jsonl"));
    expect(findLogs([root]).logs.map(({ path }) => path)).toEqual([log]);
    expect(findLogs([root, join(root, "a"), log]).logs.map(({ path }) => path)).toEqual([log]);
  });

  it("out of the folder are followed", () => {
    place.write("outside/session.jsonl", "{}\n");
    mkdirSync(place.path("inside"));
    symlinkSync(place.path("outside"), place.path("inside", "link"));
    const found = findLogs([place.path("inside")]).logs.map(({ path }) => path);
    expect(found).toEqual([place.path("inside", "link", "session.jsonl")]);
  });

  it("are not followed deeper than anybody would nest folders", () => {
    const deep = Array.from({ length: 70 }, (_, level) => `${level}`).join("/");
    place.write(`deep/${deep}/session.jsonl`, "{}\n");
    place.write("deep/session.jsonl", "{}\n");
    const { logs, problems } = findLogs([place.path("deep")]);
    expect(logs.map(({ path }) => path)).toEqual([place.path("deep", "session.jsonl")]);
    expect(problems).toEqual([expect.stringMatching(/^more than 64 folders deep, not searched: /)]);
  });
});

it("a search of endlessly many folders ends, and has found the logs near the beginning", () => {
  const near = [place.write("endless/s.jsonl", "{}\n"), place.write("endless/z/z.jsonl", "{}\n")];
  for (let at = 0; at < 30; at++) place.write(`endless/a/${at}/${at}/${at}/far.jsonl`, "{}\n");
  const { logs, folders, problems } = findLogs([place.path("endless")], { maxFolders: 40 });
  expect(logs.map(({ path }) => path)).toEqual(near);
  expect(folders).toHaveLength(40);
  expect(problems).toEqual([`too many folders; some were not searched: ${place.path("endless")}`]);
  // It cannot know that there is none.
  expect(findLogs([place.path("endless/a")], { maxFolders: 1 })).toMatchObject({ logs: [], notes: [] });
  // Each path has its own limit.
  expect(findLogs([place.path("endless/z"), place.path("endless/a/0")], { maxFolders: 3 }).problems).toEqual([]);
});

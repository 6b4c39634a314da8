import { linkSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { append, Folders } from "../../support/liveLog.js";
import { LINE, logIn, stopAll, until, Watched } from "./watched.js";

const folders = new Folders();
afterEach(stopAll);
afterAll(() => folders.remove());

describe("the watcher's root", () => {
  it("can be a single log: its neighbours are ignored", async () => {
    const folder = folders.make();
    const path = logIn(folder);
    const neighbour = logIn(folder, "neighbour.jsonl");
    const watched = await new Watched([path]).start();
    append(neighbour, LINE);
    append(path, LINE);
    await watched.sees(path);
    rmSync(path);
    await until(() => watched.gone.length === 1, "the log to be gone");
    logIn(folder, "session.jsonl", LINE.repeat(2));
    await watched.sees(path);
    expect([...watched.sizes.keys()]).toEqual([path]);
  });

  it("can be a link to a folder, and can contain links to folders", async () => {
    const [folder, target, other] = [folders.make(), folders.make(), folders.make()];
    logIn(join(target, "project"));
    logIn(other, "linked.jsonl");
    symlinkSync(other, join(target, "elsewhere"));
    symlinkSync(target, join(folder, "link"));
    const watched = await new Watched([join(folder, "link")]).start();
    append(join(target, "project", "session.jsonl"), LINE);
    await watched.sees(join(folder, "link", "project", "session.jsonl"));
    await watched.sees(logIn(join(folder, "link", "new"), "new.jsonl"));
    append(join(other, "linked.jsonl"), LINE);
    await watched.sees(join(folder, "link", "elsewhere", "linked.jsonl"));
  });

  it.each([
    ["relative", (folder: string) => relative(process.cwd(), folder)],
    ["written with a slash at its end", (folder: string) => `${folder}/`],
    ["written in a roundabout way", (folder: string) => `${folder}/project/..`],
  ])("can be %s", async (_, spelt) => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    const watched = await new Watched([spelt(folder)]).start();
    append(path, LINE);
    await until(() => [...watched.sizes.values()].includes(statSync(path).size), "the append to be seen");
    const added = logIn(join(folder, "added"), "added.jsonl");
    await until(() => [...watched.sizes.keys()].some(seen => seen.endsWith("added.jsonl")), `${added} to be seen`);
  });

  it("can be the current folder", async () => {
    const folder = folders.make();
    const path = logIn(folder);
    const before = process.cwd();
    process.chdir(folder);
    try {
      const watched = await new Watched(["."]).start();
      append(path, LINE);
      await until(() => [...watched.sizes.values()].includes(statSync(path).size), "the append to be seen");
      logIn(folder, "added.jsonl");
      await until(() => watched.sizes.has("added.jsonl"), "the new log to be seen");
    } finally {
      process.chdir(before);
    }
  });

  it("can appear after the watch has begun", async () => {
    const root = join(folders.make(), "projects");
    const watched = await new Watched([root]).start();
    await watched.sees(logIn(join(root, "project")));
  });
});

describe("links and moved folders in the watcher's root", () => {
  it("links may be circular: each folder is watched once, each log is reported once", async () => {
    const root = folders.make();
    const path = logIn(join(root, "project"));
    for (const link of ["one", "two", "three"]) symlinkSync(root, join(root, "project", link));
    const watched = new Watched([root]);
    watched.watcher.start();
    append(path, LINE);
    await watched.sees(path);
    symlinkSync(root, join(root, "four"));
    const added = logIn(join(root, "added"));
    symlinkSync(root, join(root, "added", "five"));
    await watched.sees(added);
    expect([...watched.sizes.keys()]).toEqual([path, added]);
    expect(watched.watcher.watched).toBe(3);
  });

  it("links to a known log do not duplicate it, whenever they appear", async () => {
    const root = folders.make();
    const path = logIn(join(root, "project"));
    const watched = await new Watched([root]).start();
    // Sorted before the folder itself, so that a search could find it first.
    symlinkSync(join(root, "project"), join(root, "a"));
    symlinkSync(path, join(root, "b.jsonl"));
    linkSync(path, join(root, "c.jsonl"));
    const last = logIn(root, "last.jsonl");
    await watched.sees(last);
    append(join(root, "b.jsonl"), LINE);
    await watched.sees(path);
    expect(new Set(watched.sizes.keys())).toEqual(new Set([path, last]));
  });

  it("a folder that is moved away is dropped, and what takes its name is watched", async () => {
    const [root, elsewhere] = [folders.make(), folders.make()];
    const path = logIn(join(root, "project", "session"));
    const watched = await new Watched([root]).start();
    expect(watched.watcher.watched).toBe(3);
    renameSync(join(root, "project"), join(elsewhere, "project"));
    await until(() => watched.gone.includes(path), "the log to be gone");
    expect(watched.watcher.watched).toBe(1);
    logIn(join(root, "project", "session"));
    await watched.sees(path);
    await until(() => watched.watcher.watched === 3, "the new folders to be watched");
  });
});

describe("a watcher that only polls", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sees appends within a second and new logs within ten", () => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    const watched = new Watched([folder], { polling: true });
    watched.watcher.start(true);
    append(path, LINE);
    vi.advanceTimersByTime(1000);
    expect(watched.sizes.get(path)).toBe(statSync(path).size);
    const added = logIn(join(folder, "added"), "added.jsonl");
    vi.advanceTimersByTime(10_000);
    expect(watched.sizes.get(added)).toBe(statSync(added).size);
    rmSync(path);
    vi.advanceTimersByTime(1000);
    expect([watched.gone, watched.notices]).toEqual([[path], []]);
  });
});

/** The watcher on real folders. Its speed is measured in test/bench; here it only must not miss anything. */
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { LogWatcher } from "../../../src/tail/watcher.js";
import { append, Folders } from "../../support/liveLog.js";
import { settled } from "../../support/until.js";
import { LINE, logIn, stopAll, until, Watched } from "./watched.js";

const folders = new Folders();
afterEach(stopAll);
afterAll(() => folders.remove());

function linkTo(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}

describe("the watcher", () => {
  it("reports existing logs, unless told to be quiet", async () => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    const loud = new Watched([folder]);
    loud.watcher.start();
    expect([...loud.sizes.keys()]).toEqual([path]);
    const quiet = await new Watched([folder]).start();
    expect(quiet.changes).toBe(0);
  });

  it("sees what happens to an old log, and which logs are new, while it is being started", async () => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    utimesSync(path, new Date(0), new Date(0));
    const watched = new Watched([folder]);
    watched.watcher.start(true);
    append(path, LINE);
    const added = logIn(join(folder, "added"));
    await watched.sees(path);
    await watched.sees(added);
  });

  it.each([2, 10, 20, 40])("sees both of two appends that are %i ms apart", async gap => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    const watched = await new Watched([folder]).start();
    for (let trial = 0; trial < 5; trial++) {
      append(path, LINE);
      await wait(gap);
      append(path, LINE);
      await watched.sees(path);
    }
  });

  it("reports a log again if it could not be read, and only once if it could", async () => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    const watched = await new Watched([folder]).start();
    append(path, LINE);
    await watched.sees(path);
    await settled(() => watched.changes);
    const before = watched.changes;
    watched.watcher.retry(path);
    await until(() => watched.changes > before, "the log is told again");
    await settled(() => watched.changes);
    expect(watched.changes).toBe(before + 1);
  });

  it("sees a new log in a new folder within a new folder", async () => {
    const folder = folders.make();
    const watched = await new Watched([folder]).start();
    const path = logIn(join(folder, "project", "session", "subagents"), "agent-a1.jsonl");
    await watched.sees(path);
    append(path, LINE);
    await watched.sees(path);
    const second = logIn(join(folder, "project", "session", "subagents"), "agent-b2.jsonl");
    await watched.sees(second);
  });

  it.skipIf(process.platform === "win32").each([
    ["its path", (folder: string) => folder],
    ["a link", (folder: string) => linkTo(folder, join(folders.make(), "link"))],
    ["a relative path", (folder: string) => relative(process.cwd(), folder)],
  ])("watches a folder in which a link leads to itself: by %s", async (_, nameOf) => {
    const folder = folders.make();
    linkTo("circle", join(folder, "circle"));
    mkdirSync(join(folder, "project"));
    linkTo("circle.jsonl", join(folder, "project", "circle.jsonl"));
    const root = nameOf(folder);
    const watched = await new Watched([root]).start();
    logIn(join(folder, "project"));
    await watched.sees(join(root, "project", "session.jsonl"));
    logIn(join(folder, "new"));
    await watched.sees(join(root, "new", "session.jsonl"));
    expect(watched.notices).toEqual([]);
  });

  it("sees a project that was moved here with everything in it", async () => {
    const folder = folders.make();
    const elsewhere = folders.make();
    logIn(join(elsewhere, "project", "session", "subagents"), "agent-a1.jsonl");
    const watched = await new Watched([folder]).start();
    renameSync(join(elsewhere, "project"), join(folder, "project"));
    await watched.sees(join(folder, "project", "session", "subagents", "agent-a1.jsonl"));
  });

  it("continues when a folder was deleted and recreated", async () => {
    const folder = folders.make();
    const path = logIn(join(folder, "project"));
    const watched = await new Watched([folder]).start();
    rmSync(join(folder, "project"), { recursive: true });
    await until(() => watched.gone.includes(path), "the log to be gone");
    logIn(join(folder, "project"));
    await watched.sees(path);
    append(path, LINE);
    await watched.sees(path);
  });

  it("reports when a log is gone, and when it is back", async () => {
    const folder = folders.make();
    const path = logIn(folder);
    const watched = await new Watched([folder]).start();
    rmSync(path);
    await until(() => watched.gone.length === 1, "the log to be gone");
    logIn(folder, "session.jsonl", LINE.repeat(3));
    await watched.sees(path);
    renameSync(path, join(folder, "renamed.jsonl"));
    await watched.sees(join(folder, "renamed.jsonl"));
    await until(() => watched.gone.length === 2, "the renamed log to be gone");
  });

  it("sees another file of the same size and time under a log's name", async () => {
    const folder = folders.make();
    const path = logIn(folder);
    const watched = await new Watched([folder]).start();
    const { atime, mtime } = statSync(path);
    writeFileSync(`${path}.new`, LINE.replace("user", "USER"));
    utimesSync(path, atime, mtime);
    utimesSync(`${path}.new`, atime, mtime);
    await settled(() => watched.changes);
    const before = watched.changes;
    renameSync(`${path}.new`, path);
    await until(() => watched.changes > before, "the other file to be seen");
  });

  it("sees a root that is created together with the folder above it", () => {
    // Nothing signals that, and the next search of everything is a minute away.
    vi.useFakeTimers();
    const root = join(folders.make(), "not", "yet");
    const seen: string[] = [];
    const watcher = new LogWatcher([root], { changed: path => seen.push(path), gone: () => {}, notice: () => {} });
    watcher.start();
    const path = logIn(root);
    vi.advanceTimersByTime(1000);
    watcher.stop();
    vi.useRealTimers();
    expect(seen).toEqual([path]);
  });

  it("only watches transcripts", async () => {
    const folder = folders.make();
    const watched = await new Watched([folder]).start();
    logIn(folder, "notes.txt");
    logIn(join(folder, "s", "subagents", "workflows", "w1"), "journal.jsonl");
    await watched.sees(logIn(folder));
    expect([...watched.sizes.keys()]).toEqual([join(folder, "session.jsonl")]);
  });
});

/** Waiting for a folder with logs: the status bar starts once there is one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Folders } from "../../support/liveLog.js";

vi.mock("vscode", () => import("./vscode.js"));
const { Roots } = await import("../../../src/vscode/roots.js");

const folders = new Folders();
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  folders.remove();
});

it("is also for a folder that the settings name before it exists", () => {
  const named = join(folders.make(), "later");
  const roots = new Roots();
  let changes = 0;
  roots.onDidChange(() => changes++);
  roots.name([named]);
  roots.awaitMissing();
  vi.advanceTimersByTime(60_000);
  expect([roots.exist, changes]).toEqual([false, 0]);
  mkdirSync(named);
  vi.advanceTimersByTime(60_000);
  // Once.
  expect([roots.exist, changes]).toEqual([true, 1]);
  roots.awaitMissing();
  vi.advanceTimersByTime(60_000);
  expect(changes).toBe(1);
  roots.dispose();
});

it("is also for each further folder of Claude Code's", () => {
  const [first, second, third] = ["a", "b", "c"].map(name => join(folders.make(), name)) as [string, string, string];
  const logs = (folder: string) => join(folder, "projects");
  mkdirSync(logs(first), { recursive: true });
  vi.stubEnv("CLAUDE_CONFIG_DIR", [first, second, third].join(","));
  const roots = new Roots();
  const changes: string[][] = [];
  roots.onDidChange(() => {
    changes.push(roots.current());
    roots.awaitMissing();
  });
  roots.awaitMissing();
  vi.advanceTimersByTime(60_000);
  expect(changes).toEqual([]);
  for (const folder of [third, second]) {
    mkdirSync(logs(folder), { recursive: true });
    vi.advanceTimersByTime(60_000);
  }
  expect(changes).toEqual([[logs(first), logs(third)], [first, second, third].map(logs)]);
  expect(vi.getTimerCount()).toBe(0);
  roots.dispose();
});

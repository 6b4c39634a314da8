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
  folders.remove();
});

it("is also for a folder that the settings name before it exists", () => {
  const named = join(folders.make(), "later");
  const roots = new Roots();
  let changes = 0;
  roots.onDidChange(() => changes++);
  roots.name([named]);
  roots.awaitOne();
  vi.advanceTimersByTime(60_000);
  expect([roots.exist, changes]).toEqual([false, 0]);
  mkdirSync(named);
  vi.advanceTimersByTime(60_000);
  // Once.
  expect([roots.exist, changes]).toEqual([true, 1]);
  roots.awaitOne();
  vi.advanceTimersByTime(60_000);
  expect(changes).toBe(1);
  roots.dispose();
});

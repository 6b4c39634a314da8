/** A session that is no longer written to ends by the clock: nothing else would show it. */
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Engine } from "../../../src/engine/engine.js";
import type { LiveStatus } from "../../../src/engine/engineMessages.js";
import type { ToPage } from "../../../src/protocol/messages.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";
import { listed } from "./engineThread.js";

const folders = new Folders();
const MINUTE = 60_000;
/** Longer than changes to the list are batched. */
const SOON = 1000;
let root = "";
let engine: Engine;
let messages: ToPage[];
let status: LiveStatus | undefined;

function newEngine(): Engine {
  messages = [];
  status = undefined;
  return new Engine(message => {
    if (message.type === "page") messages.push(message.message);
    else if (message.type === "live") ({ status } = message);
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-20T12:00:00Z") });
  root = folders.make();
  engine = newEngine();
});
afterEach(async () => {
  vi.useRealTimers();
  await engine.stop();
});
afterAll(() => folders.remove());

/** A log that was last written this long ago; negative for a clock that is ahead of ours. */
function log(name: string, minutesAgo: number): string {
  const path = join(root, `${name}.jsonl`);
  writeFileSync(path, logText(call("1", "Bash", { command: name }), result("1", textOf(300, name))));
  const at = (Date.now() - minutesAgo * MINUTE) / 1000;
  utimesSync(path, at, at);
  return path;
}

async function start(): Promise<void> {
  const place = { place: "vscode", workspace: [], axis: "order", useCache: false } as const;
  const config = { ...place, roots: [root], settings: DEFAULT_SETTINGS, figures: DEFAULT_FIGURES };
  engine.take({ type: "configure", config });
  engine.take({ type: "page", panel: 1, message: { type: "ready" } });
  await vi.advanceTimersByTimeAsync(SOON);
}

const isLive = (path: string) => listed(messages, path)?.live;

it("in the list and in the status bar, each at its own time, and no sooner", async () => {
  const [early, late] = [log("early", 4), log("late", 1)];
  await start();
  expect([isLive(early), isLive(late)]).toEqual([true, true]);
  expect(status).not.toBeNull();
  await vi.advanceTimersByTimeAsync(MINUTE - 2 * SOON);
  expect([isLive(early), isLive(late)]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(2 * SOON);
  expect([isLive(early), isLive(late)]).toEqual([false, true]);
  expect(status?.session).toBe(late);
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect([isLive(early), isLive(late)]).toEqual([false, false]);
  expect(status).toBeNull();
});

it("even if the file's clock is ahead of ours, by however much", async () => {
  const [hours, years] = [log("hours", -180), log("years", -60 * 24 * 365 * 70)];
  await start();
  expect([isLive(hours), isLive(years)]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(5 * MINUTE + SOON);
  expect([isLive(hours), isLive(years)]).toEqual([false, false]);
});

it("without a timer for each session", async () => {
  const only = log("only", 0);
  await start();
  expect(isLive(only)).toBe(true);
  const forOne = vi.getTimerCount();
  await engine.stop();
  vi.clearAllTimers();
  for (let at = 0; at < 50; at++) log(`s${at}`, at / 20);
  engine = newEngine();
  await start();
  expect(status).not.toBeNull();
  // Watches settle in their own time: a few timers more or less are theirs.
  expect(vi.getTimerCount() - forOne).toBeLessThan(10);
});

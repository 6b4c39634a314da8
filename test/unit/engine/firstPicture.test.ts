/** What a session shows first takes no more than that: the rest is made when somebody asks. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { recallFollower } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { ContextReplay } from "../../../src/dedup/replay.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import type { Ratios } from "../../../src/log/calibration.js";
import { REPOSITORY } from "../../support/replay.js";
import { folders } from "../tail/followed.js";

const RATIOS: Ratios = { everywhere: new Map(), set: 4 };
const HOOKS = { ...DEFAULT_SETTINGS, door: "hooks" } as const;

afterAll(() => folders.remove());
afterEach(() => vi.restoreAllMocks());

function sample(): string {
  const path = join(folders.make(), "sample.jsonl");
  copyFileSync(join(REPOSITORY, "media", "sample.jsonl"), path);
  return path;
}

describe("a session that is opened", () => {
  it("replays the rest neither for its figures nor for the status bar", () => {
    const path = sample();
    const replayed = vi.spyOn(ContextReplay.prototype, "take");
    const view = new SessionView(path, [path], DEFAULT_SETTINGS, undefined);
    expect(view.state("main", RATIOS)?.ids.length).toBeGreaterThan(0);
    expect(view.live(RATIOS).use?.tokens).toBeGreaterThan(0);
    expect(replayed).not.toHaveBeenCalled();
    view.emission("main", 0);
    expect(replayed).toHaveBeenCalled();
  });

  it("shows the same under another door as if it had been opened under it", () => {
    const path = sample();
    const opened = new SessionView(path, [path], HOOKS, undefined);
    const changed = new SessionView(path, [path], DEFAULT_SETTINGS, undefined);
    expect(changed.state("main", RATIOS)).not.toEqual(opened.state("main", RATIOS));
    changed.change(HOOKS);
    expect(changed.state("main", RATIOS)).toEqual(opened.state("main", RATIOS));
  });

  it("leaves facts to the cache that serve only the door they were read for", () => {
    const path = sample();
    const cache = new LogCache(folders.make());
    const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: true, keepFacts: true };
    new SessionView(path, [path], DEFAULT_SETTINGS, cache).keep(path);
    expect(recallFollower(path, options, cache)).toBeDefined();
    expect(recallFollower(path, { ...options, settings: HOOKS }, cache)).toBeUndefined();
    new SessionView(path, [path], HOOKS, cache).keep(path);
    expect(recallFollower(path, { ...options, settings: HOOKS }, cache)).toBeDefined();
    expect(recallFollower(path, options, cache)).toBeDefined();
  });
});

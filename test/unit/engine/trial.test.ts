/** What VS Code shows before a trial ends. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { LIVE_SETTINGS_FILE, NO_CHOICES, renderLiveSettings, type Trial } from "../../../src/settings/liveSettings.js";
import { groupOf } from "../../../src/trial/assign.js";
import { logText, prompt } from "../../support/log.js";
import { folders, pair, started, withSlowReaders } from "./engineThread.js";

afterEach(() => vi.unstubAllEnvs());

function choose(trial: Trial | undefined): void {
  const data = folders.make();
  vi.stubEnv("XDG_DATA_HOME", data);
  mkdirSync(join(data, "dedup-inspector"));
  writeFileSync(join(data, "dedup-inspector", LIVE_SETTINGS_FILE), renderLiveSettings({ ...NO_CHOICES, trial }));
}

it("compares the groups of the trial that the user has begun, from the logs", async () => {
  const trial: Trial = { key: "k", since: "2026-11-17T00:00:00.000Z" };
  choose(trial);
  const { client, folder } = started();
  const ids = Array.from({ length: 9 }, (_, number) => `s${number}`);
  for (const sessionId of ids) {
    const first = prompt("do it", { sessionId, timestamp: "2026-11-18T00:00:00.000Z", uuid: `u-${sessionId}` });
    writeFileSync(join(folder, `${sessionId}.jsonl`), logText(first, ...pair(sessionId)));
  }
  const hints = ids.filter(id => groupOf(id, trial) === "hints").length;
  expect(await client.ask({ method: "trial" })).toMatchObject({
    since: trial.since,
    until: null,
    sessions: { hints, control: ids.length - hints },
    verdict: "undecided",
  });
});

it("stops comparing when nobody waits for it any more", async () => {
  choose({ key: "k", since: "2026-11-17T00:00:00.000Z" });
  const forever = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
  const { client } = started(false, withSlowReaders(forever));
  const first = client.ask({ method: "trial" });
  const second = client.ask({ method: "trial" });
  await expect(first).rejects.toThrow("stopped");
  await client.ask({ method: "stopTrial" });
  await expect(second).rejects.toThrow("stopped");
});

it("says that there was none", async () => {
  choose(undefined);
  expect(await started().client.ask({ method: "trial" })).toBeNull();
});

/** The bundled sample next to the user's own sessions: it can be shown, but does not count. */
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { EngineConfig } from "../../../src/engine/engineMessages.js";
import { Library, summaryOptions } from "../../../src/engine/library/library.js";
import { summaryOf } from "../../../src/inspect/logSummary.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { logText } from "../../support/log.js";
import { folders, listed, pair, started, until } from "./engineThread.js";

/** A sample that is being replayed right now. */
function withSample(config: EngineConfig): EngineConfig & { readonly sample: string } {
  const folder = folders.make();
  const sample = join(folder, "sample.jsonl");
  writeFileSync(sample, logText(...pair("s"), ...pair("t"), ...pair("u")));
  return { ...config, roots: [...config.roots, folder], sample };
}

it("is in the list by its name, and is not selected for users with sessions", async () => {
  const { client, config, messages, lives, newest, old, live } = started();
  utimesSync(live, 1e9, 1e9);
  const { sample, ...more } = withSample(config);
  client.configure({ ...more, sample });
  client.fromPage(1, { type: "ready" });
  await until(() => listed(messages, sample)?.results === 3 && listed(messages, old)?.results === 2);
  expect(listed(messages, sample)).toMatchObject({ sample: true, live: true });
  expect(listed(messages, old)).not.toHaveProperty("sample");
  expect([old, live]).toContain(newest()?.selected?.session);
  expect(newest()?.following).toBe(true);
  expect(lives.filter(status => status !== null)).toEqual([]);

  client.fromPage(1, { type: "select", session: sample });
  await until(() => newest()?.selected?.session === sample);
  expect(newest()?.following).toBe(false);
  client.fromPage(1, { type: "follow", on: true });
  await until(() => newest()?.following === true);
  expect([old, live]).toContain(newest()?.selected?.session);
});

it("is shown if there are no sessions, but not followed, until there is one", async () => {
  const { client, config, newest, old, live } = started();
  rmSync(old);
  rmSync(live);
  const { sample, ...more } = withSample(config);
  client.configure({ ...more, sample });
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === sample && newest()?.context !== null);
  expect(newest()?.following).toBe(false);
  // Not live: it was only copied here.
  writeFileSync(live, logText(...pair("a")));
  utimesSync(live, 1e9, 1e9);
  await until(() => newest()?.selected?.session === live);
  expect(newest()?.following).toBe(true);
});

it("is in no comparison of all sessions, even if it is the only one", async () => {
  const { client, config, messages, old, live } = started();
  const { sample, ...more } = withSample(config);
  const compared = async () => {
    messages.length = 0;
    client.configure({ ...more, sample });
    client.fromPage(1, { type: "ready" });
    await client.ask({ method: "compareAll", on: true });
    const done = () =>
      messages.flatMap(message => {
        const { all } = message.type === "delta" ? message.delta : {};
        return all?.progress === null && all.report !== null ? [all.report] : [];
      });
    await until(() => done().length > 0);
    return [done()[0]?.sessions, done()[0]?.results];
  };
  expect(await compared()).toEqual([2, 4]);
  rmSync(old);
  rmSync(live);
  expect(await compared()).toEqual([0, 0]);
});

it("calibrates nothing but itself", () => {
  const options = summaryOptions(DEFAULT_SETTINGS);
  const library = new Library("/sample.jsonl");
  const samples = Array.from({ length: 20 }, () => ({ model: "m", chars: 600, tokens: 300 }));
  for (const path of ["/sample.jsonl", "/sample/subagents/agent-a1.jsonl"])
    library.add(summaryOf({ ...new LogPipeline(path, options).data(), samples }));
  expect(library.calibrations.size).toBe(0);
  library.add(summaryOf({ ...new LogPipeline("/own.jsonl", options).data(), samples }));
  library.settle();
  expect(library.calibrations.get("m")?.charsPerToken).toBe(2);
});

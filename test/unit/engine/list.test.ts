/** The list of sessions, as reported by the engine on its real thread. */
import { appendFileSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { summaryOptions } from "../../../src/engine/library/library.js";
import { withOpenFile } from "../../../src/files/openFile.js";
import { packFacts } from "../../../src/kernel/factPacker.js";
import { unpackFacts } from "../../../src/kernel/packedFacts.js";
import { logText } from "../../support/log.js";
import { settled } from "../../support/until.js";
import { folders, listed, listOf, pair, started, until } from "./engineThread.js";

it("a selected session is read once: the list and the cache get it from there", async () => {
  vi.stubEnv("XDG_CACHE_HOME", folders.make());
  const cache = new LogCache();
  const { client, messages, old, live } = started(true);
  // How far a log is known shows who has read it: a follower counts whole lines, reading for the list all bytes.
  const { size } = statSync(live);
  appendFileSync(live, '{"type":"unfinished');
  client.fromPage(1, { type: "ready" });
  await until(() => [old, live].every(path => listed(messages, path)?.results === 2));
  const known = (path: string) =>
    withOpenFile(path, file => {
      const log = cache.recall(file, path, summaryOptions(DEFAULT_SETTINGS));
      const facts = log?.resumable()?.facts;
      return log && { size: log.identity.size, facts: facts ? [...unpackFacts(packFacts(facts))].length : 0 };
    });
  await until(() => known(old) !== undefined && known(live) !== undefined);
  expect(known(live)?.size).toBe(size);
  expect(known(live)?.facts).toBeGreaterThan(0);
  expect(known(live)?.facts).toBe(known(old)?.facts);
  vi.unstubAllEnvs();
});

it("the list keeps up with logs that are written, new ones too, whether they are open or not", async () => {
  const { client, messages, old, live } = started();
  client.fromPage(1, { type: "ready" });
  const told = (path: string) => listed(messages, path);
  await until(() => told(live)?.results === 2 && told(old)?.results === 2);
  const added = join(old, "..", "added.jsonl");
  const prompt = { type: "user", message: { content: "What is new?" }, cwd: "/work/fresh" };
  writeFileSync(added, logText(prompt, ...pair("n")));
  await until(() => told(added)?.results === 1);
  expect(told(added)).toMatchObject({ project: "/work/fresh", title: "What is new?", live: true });
  for (const path of [old, live, added]) appendFileSync(path, logText(...pair(`more of ${path}`)));
  await until(() => [old, live].every(path => told(path)?.results === 3) && told(added)?.results === 2);
  expect(told(old)?.live).toBe(true);
});

it("only known sessions can be selected; one that is found a moment later is selected then", async () => {
  const { client, messages, newest, folder, live } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  const elsewhere = join(folders.make(), "elsewhere.jsonl");
  writeFileSync(elsewhere, logText(...pair("x")));
  client.fromPage(1, { type: "select", session: elsewhere });
  await wait(500);
  expect(newest()?.selected?.session).toBe(live);
  expect(listed(messages, elsewhere)).toBeUndefined();

  const later = join(folder, "later.jsonl");
  client.fromPage(1, { type: "select", session: later });
  writeFileSync(later, logText(...pair("y")));
  await until(() => newest()?.selected?.session === later);
  expect(newest()?.following).toBe(false);
});

it("thousands of sessions arrive in parts, newest first, and then only changes", async () => {
  const { client, messages, folder, live } = started();
  mkdirSync(join(folder, "many"));
  const paths = Array.from({ length: 1200 }, (_, at) => join(folder, "many", `${at}.jsonl`));
  for (const path of paths) {
    writeFileSync(path, logText(...pair("m")));
    utimesSync(path, 1e9, 1e9);
  }
  client.fromPage(1, { type: "ready" });
  await until(() => listOf(messages).filter(({ results }) => results > 0).length === 1202);
  const told = () => messages.flatMap(message => (message.type === "delta" ? [message.delta.sessions] : []));
  for (const delta of told()) expect(delta?.changed.length ?? 0).toBeLessThanOrEqual(500);
  // Nothing is being read any more.
  const progress = () =>
    messages.flatMap(message => {
      const { progress: one } =
        message.type === "snapshot" ? message.state : message.type === "delta" ? message.delta : {};
      return one === undefined ? [] : [one];
    });
  await until(() => progress().at(-1) === null);
  await settled(() => messages.length);
  messages.length = 0;
  appendFileSync(live, logText(...pair("c")));
  rmSync(paths[7] as string);
  await until(() => told().some(delta => delta?.gone.length) && told().some(delta => delta?.changed.length));
  expect(new Set(told().flatMap(delta => delta?.changed.map(({ key }) => key) ?? []))).toEqual(new Set([live]));
  expect(told().flatMap(delta => delta?.gone ?? [])).toEqual([paths[7]]);
});

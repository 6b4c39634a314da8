/** What is read when: at first only what is followed, and the whole history once somebody opens it. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { cacheFolder } from "../../../src/files/folders.js";
import { logText } from "../../support/log.js";
import { folders, listed, pair, started, until, withSlowReaders } from "./engineThread.js";

/** Longer than it takes to start reading, and to read the two logs of these tests. */
const LONG_MS = 1500;

it("without a page, a log that nobody follows is not read, even if it is written to", async () => {
  const { client, messages, lives, old, live } = started();
  client.watch(live, () => {});
  await until(() => (lives.at(-1)?.tokens ?? 0) > 0);
  appendFileSync(old, logText(...pair("3")));
  await wait(LONG_MS);
  client.fromPage(1, { type: "ready" });
  await until(() => messages.some(({ type }) => type === "snapshot"));
  // The first snapshot comes before any reading that the page triggers.
  const first = messages.find(({ type }) => type === "snapshot");
  expect(listed(first === undefined ? [] : [first], live)?.results).toBe(2);
  expect(listed(first === undefined ? [] : [first], old)?.results).toBe(0);
  await until(() => listed(messages, old)?.results === 3);
});

it("the status of a followed session is updated, and changes with the settings, without a page", async () => {
  const { client, config, lives, live } = started();
  client.watch(live, () => {});
  await until(() => (lives.at(-1)?.tokens ?? 0) > 0);
  const before = lives.at(-1)?.tokens ?? 0;
  appendFileSync(live, logText(...pair("c", "c".repeat(4000))));
  await until(() => (lives.at(-1)?.tokens ?? 0) > before);
  const { figures } = config;
  const now = lives.at(-1)?.tokens ?? 0;
  client.configure({ ...config, figures: { ...figures, charsPerToken: 1 } });
  await until(() => (lives.at(-1)?.tokens ?? 0) > now);
});

it("requesting the list reads everything", async () => {
  const { client, old } = started();
  const results = async () => (await client.ask({ method: "sessions" })).find(({ key }) => key === old)?.results;
  // An answer only waits a few seconds, and reading takes longer on a busy machine.
  while ((await results()) !== 2) await wait(100);
});

it("a second engine waits while the first one reads, and an engine that is stopped leaves no lock behind", async () => {
  vi.stubEnv("XDG_CACHE_HOME", folders.make());
  mkdirSync(cacheFolder(), { recursive: true });
  const lock = join(cacheFolder(), "reading.lock");
  // As another window writes it: the process that runs this test is alive.
  const other = `dedup-inspector reads, ${hostname()} ${process.pid} another\n`;
  writeFileSync(lock, other);
  const { client, messages, old } = started(true);
  client.fromPage(1, { type: "ready" });
  await until(() => listed(messages, old) !== undefined);
  await wait(LONG_MS);
  expect(listed(messages, old)?.results).toBe(0);
  expect(readFileSync(lock, "utf8")).toBe(other);
  rmSync(lock);
  await until(() => listed(messages, old)?.results === 2);
  await client.stop();
  expect(existsSync(lock)).toBe(false);
  vi.unstubAllEnvs();
});

it("an engine that is stopped while it reads leaves no lock behind", async () => {
  vi.stubEnv("XDG_CACHE_HOME", folders.make());
  const lock = join(cacheFolder(), "reading.lock");
  const goOn = join(folders.make(), "go-on");
  const program = withSlowReaders(`
    const { existsSync } = require("node:fs");
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(${JSON.stringify(goOn)})) Atomics.wait(clock, 0, 0, 10);`);
  const { client } = started(true, program);
  client.fromPage(1, { type: "ready" });
  await until(() => existsSync(lock));
  await client.stop();
  expect(existsSync(lock)).toBe(false);
  writeFileSync(goOn, "");
  vi.unstubAllEnvs();
});

it("what is followed is in the cache for the next start, though the list was not wanted", async () => {
  vi.stubEnv("XDG_CACHE_HOME", folders.make());
  const { client, live } = started(true);
  client.watch(live, () => {});
  const packs = () => readdirSync(cacheFolder()).filter(name => name.endsWith(".pack"));
  await until(() => {
    try {
      return packs().length > 0;
    } catch {
      return false;
    }
  });
  expect(packs()).toHaveLength(1);
  vi.unstubAllEnvs();
});

it("a log that grows while a thread reads it is listed in its final state", async () => {
  const [read, goOn] = ["read", "go-on"].map(name => join(folders.make(), name)) as [string, string];
  const program = withSlowReaders(`
    const { existsSync, writeFileSync } = require("node:fs");
    const { parentPort } = require("node:worker_threads");
    const post = parentPort.postMessage.bind(parentPort);
    parentPort.postMessage = (message, moved) => {
      if (message.kind === "done") {
        writeFileSync(${JSON.stringify(read)}, "");
        const clock = new Int32Array(new SharedArrayBuffer(4));
        while (!existsSync(${JSON.stringify(goOn)})) Atomics.wait(clock, 0, 0, 10);
      }
      post(message, moved);
    };`);
  const { client, messages, old } = started(false, program);
  client.fromPage(1, { type: "ready" });
  await until(() => existsSync(read));
  appendFileSync(old, logText(...pair("3")));
  await until(() => listed(messages, old)?.results === 3);
  writeFileSync(goOn, "");
  const items = await client.ask({ method: "sessions" });
  expect(items.find(({ key }) => key === old)).toMatchObject({ results: 3 });
});

/** The engine on its real thread: what it tells, and that a crash costs nobody more than a moment. */
import { appendFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { EngineClient, EngineEvents } from "../../../src/panel/engineClient.js";
import {
  type ContextStretch,
  DEFAULT_LOOKS,
  type EngineConfig,
  type SessionChange,
} from "../../../src/panel/engineMessages.js";
import type { PackedState, ToPage } from "../../../src/protocol/messages.js";
import { LogCache } from "../../../src/tail/logCache.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";
import { REPOSITORY } from "../../support/replay.js";

const folders = new Folders();
const code = folders.make();
const clients: EngineClient[] = [];

beforeAll(async () => {
  const entries = ["panel/engineClient", "panel/engineWorker", "tail/replayWorker"];
  const entryPoints = Object.fromEntries(
    entries.map(entry => [entry.split("/")[1] ?? "", join(REPOSITORY, "src", `${entry}.ts`)]),
  );
  await build({ entryPoints, bundle: true, platform: "node", format: "cjs", target: "node20", outdir: code });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
});
afterAll(() => folders.remove());

const pair = (id: string, text = textOf(300)) => [call(id, "Bash", { command: `echo ${id}` }), result(id, text)];

function until(holds: () => boolean): Promise<void> {
  return (async () => {
    for (const end = Date.now() + 15_000; !holds(); ) {
      if (Date.now() > end) throw new Error(`waited in vain: ${holds}`);
      await wait(10);
    }
  })();
}

/** An engine on two sessions, the second one live. */
function started(useCache = false) {
  const folder = join(folders.make(), "project");
  mkdirSync(folder);
  const [old, live] = ["old.jsonl", "live.jsonl"].map(name => join(folder, name)) as [string, string];
  writeFileSync(old, logText(...pair("1"), ...pair("2")));
  utimesSync(old, 1e9, 1e9);
  writeFileSync(live, logText(...pair("a"), ...pair("b", textOf(300, "b"))));
  const messages: ToPage[] = [];
  const notices: string[] = [];
  const events: EngineEvents = {
    page: (_, message) => messages.push(message),
    errand: () => {},
    live: () => {},
    notice: line => notices.push(line),
  };
  const { EngineClient: Client } = createRequire(`${code}/`)("./engineClient.js") as {
    EngineClient: typeof EngineClient;
  };
  const client = new Client(events);
  clients.push(client);
  const settings = { ...DEFAULT_SETTINGS, capacity: 3 };
  const config: EngineConfig = {
    place: "browser",
    roots: [folder],
    workspace: [],
    settings,
    looks: DEFAULT_LOOKS,
    axis: "time",
    useCache,
  };
  client.configure(config);
  const newest = (): PackedState | undefined => {
    const found = messages.findLast(message => message.type === "snapshot");
    return found?.type === "snapshot" ? found.state : undefined;
  };
  /** Nobody says this: it stands for whatever may go wrong. */
  const crash = async () => {
    messages.length = 0;
    client.configure({ ...config, roots: null as never });
    client.configure(config);
    await until(() => notices.some(line => line.startsWith("the engine failed")));
  };
  return { client, messages, newest, crash, old, live };
}

it("after a crash, a page finds the session, the settings and what it follows as they were", async () => {
  const { client, newest, crash, old, live } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  client.fromPage(1, { type: "select", session: old });
  await until(() => newest()?.selected?.session === old);
  await crash();
  await until(() => newest() !== undefined);
  expect(newest()).toMatchObject({
    selected: { session: old, context: "main" },
    following: false,
    settings: { capacity: 3, axis: "time" },
  });
});

it("after a crash, a page that followed the live session does so again", async () => {
  const { client, newest, crash, live } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  await crash();
  await until(() => newest() !== undefined);
  expect(newest()).toMatchObject({ selected: { session: live }, following: true });
});

it("after a crash, a hidden page is told nothing, and finds its session when it is back", async () => {
  const { client, messages, newest, crash, old } = started();
  client.fromPage(1, { type: "ready" });
  client.fromPage(1, { type: "select", session: old });
  await until(() => newest()?.selected?.session === old);
  client.fromPage(1, { type: "hidden" });
  await crash();
  await wait(1500);
  expect(messages).toEqual([]);
  client.fromPage(1, { type: "ready" });
  await until(() => newest() !== undefined);
  expect(newest()?.selected?.session).toBe(old);
});

it("a session that is looked at is read once: the list and the cache have it from there", async () => {
  vi.stubEnv("XDG_CACHE_HOME", folders.make());
  const cache = new LogCache();
  const { client, messages, old, live } = started(true);
  // How far a log is known tells who has read it: a follower counts whole lines, a reading for the list all bytes.
  const { size } = statSync(live);
  appendFileSync(live, '{"type":"unfinished');
  client.fromPage(1, { type: "ready" });
  const changes = () => messages.flatMap(message => (message.type === "delta" ? [message.delta] : []));
  const item = (session: string) =>
    changes()
      .at(-1)
      ?.sessions?.find(({ key }) => key === session);
  await until(() => item(old)?.results === 2 && item(live)?.results === 2);
  await until(() => cache.figures(old) !== undefined);
  expect(cache.figures(live)?.identity.size).toBe(size);
  const [followed, read] = [live, old].map(path => cache.figures(path)?.data.contexts[0]);
  expect([followed?.rows.length, followed?.ids]).toEqual([read?.rows.length, read?.ids]);
  expect(cache.facts(live)?.facts.length).toBe(cache.facts(old)?.facts.length);
  vi.unstubAllEnvs();
});

it("a watched session tells what it gains, also after a crash, and nothing once nobody listens", async () => {
  const { client, crash, live } = started();
  const changes: SessionChange[] = [];
  const end = client.watch(live, change => changes.push(change));
  const rows = async () => {
    const answer = await client.ask({ name: "stretch", session: live, context: "main", row: 0 });
    return (answer as ContextStretch).results;
  };
  expect(await rows()).toBe(2);
  appendFileSync(live, logText(...pair("c", textOf(300, "c"))));
  await until(() => changes.at(-1) === "grown");
  expect(await rows()).toBe(3);
  changes.length = 0;
  await crash();
  await until(() => changes[0] === "anew");
  expect(await rows()).toBe(3);
  appendFileSync(live, logText(...pair("d", textOf(300, "d"))));
  await until(() => changes.includes("grown"));
  end();
  changes.length = 0;
  appendFileSync(live, logText(...pair("e", textOf(300, "e"))));
  await wait(500);
  expect(changes).toEqual([]);
});

it("the list keeps up with logs that are written, new ones too, whether somebody looks at them or not", async () => {
  const { client, messages, old, live } = started();
  client.fromPage(1, { type: "ready" });
  const listed = (path: string) => {
    const lists = messages.flatMap(message =>
      message.type === "snapshot" ? [message.state.sessions] : message.type === "delta" ? [message.delta.sessions] : [],
    );
    return lists.findLast(list => list !== undefined)?.find(({ key }) => key === path);
  };
  await until(() => listed(live)?.results === 2 && listed(old)?.results === 2);
  const added = join(old, "..", "added.jsonl");
  const prompt = { type: "user", message: { content: "What is new?" }, cwd: "/work/fresh" };
  writeFileSync(added, logText(prompt, ...pair("n")));
  await until(() => listed(added)?.results === 1);
  expect(listed(added)).toMatchObject({ project: "/work/fresh", title: "What is new?", live: true });
  for (const path of [old, live, added]) appendFileSync(path, logText(...pair(`more of ${path}`)));
  await until(() => [old, live].every(path => listed(path)?.results === 3) && listed(added)?.results === 2);
  expect(listed(old)?.live).toBe(true);
});

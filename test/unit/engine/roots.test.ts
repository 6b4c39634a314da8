/** Only logs under the roots are ever shown: anything open from another log closes when the roots change. */
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Engine } from "../../../src/engine/engine.js";
import type { EngineClient } from "../../../src/engine/engineClient.js";
import type { EngineConfig, FromEngine, SessionChange } from "../../../src/engine/engineMessages.js";
import type { ToPage } from "../../../src/protocol/messages.js";
import type { Ask, ContextRequests } from "../../../src/protocol/requests.js";
import { logText, textOf } from "../../support/log.js";
import { folders, listOf, pair, started, until } from "./engineThread.js";

const NOT_OURS = "this session's log is no longer available";

/** Another root with one session in it. */
function elsewhere(): { root: string; log: string } {
  const root = folders.make();
  const log = join(root, "elsewhere.jsonl");
  writeFileSync(log, logText(...pair("x", textOf(300, "x"))));
  return { root, log };
}

const QUESTIONS: readonly Ask<ContextRequests>[] = [
  { method: "stretch", row: 0 },
  { method: "transcript", fromRow: 0, count: 10 },
  { method: "logLine", row: 0 },
  { method: "compare", row: 0 },
  { method: "compare", row: 0, strategy: "span" },
];

async function expectNoAnswerAbout(session: string, client: EngineClient): Promise<void> {
  for (const question of QUESTIONS) {
    await expect(client.askAbout({ session, context: "main" }, question), question.method).rejects.toThrow(NOT_OURS);
  }
}

const stretchOf = (session: string, client: EngineClient) =>
  client.askAbout({ session, context: "main" }, { method: "stretch", row: 0 });

describe("when the roots change", () => {
  it("the session that a page shows closes, and nothing more is sent about it", async () => {
    const { client, config, messages, newest, live, old } = started();
    const { root, log } = elsewhere();
    client.fromPage(1, { type: "ready" });
    await until(() => newest()?.selected?.session === live);
    client.fromPage(1, { type: "select", session: old });
    await until(() => newest()?.selected?.session === old);
    messages.length = 0;
    client.configure({ ...config, roots: [root] });
    await until(() => newest() !== undefined);
    expect(newest()).toMatchObject({ selected: { session: log, context: "main" }, roots: [root] });
    expect(listOf(messages).map(({ key }) => key)).toEqual([log]);
    client.fromPage(1, { type: "select", session: old });
    appendFileSync(old, logText(...pair("more")));
    appendFileSync(live, logText(...pair("more")));
    appendFileSync(log, logText(...pair("y", textOf(300, "y"))));
    await until(() => listOf(messages).some(({ results }) => results === 2));
    expect(JSON.stringify(messages)).not.toContain(old);
    expect(JSON.stringify(messages)).not.toContain(live);
  });

  it("a page is left without a session if there is none", async () => {
    const { client, config, newest, live } = started();
    client.fromPage(1, { type: "ready" });
    await until(() => newest()?.selected?.session === live);
    client.configure({ ...config, roots: [folders.make()] });
    await until(() => newest()?.selected === null);
    expect(newest()).toMatchObject({ contexts: [], context: null, sessions: [] });
  });

  it("its watchers learn that it is gone, and no request about it is answered", async () => {
    const { client, config, live } = started();
    const { root, log } = elsewhere();
    const changes: SessionChange[] = [];
    client.watch(live, change => changes.push(change));
    expect(await stretchOf(live, client)).toMatchObject({ results: 2 });
    client.configure({ ...config, roots: [root] });
    await expectNoAnswerAbout(live, client);
    expect(changes).toEqual(["gone"]);
    expect(await stretchOf(log, client)).toMatchObject({ results: 1 });
    // It is back as soon as the roots include it.
    client.configure(config);
    expect(await stretchOf(live, client)).toMatchObject({ results: 2 });
    expect(changes).toEqual(["gone", "reset"]);
  });

  it("a comparison of it is cancelled", async () => {
    const { client, config, messages, newest, live } = started();
    client.fromPage(1, { type: "ready" });
    await until(() => newest()?.selected?.session === live);
    client.fromPage(1, { type: "request", id: 1, ask: { method: "strategies" } });
    client.configure({ ...config, roots: [elsewhere().root] });
    const answer = () => messages.find(message => "id" in message);
    await until(() => answer() !== undefined);
    expect(answer()).toMatchObject({ type: "failure", id: 1, message: "other logs are open now" });
  });
});

it("a file that is not one of the logs is never read, whatever requests it", async () => {
  const { client } = started();
  const { log } = elsewhere();
  await expectNoAnswerAbout(log, client);
  await expectNoAnswerAbout("/etc/passwd", client);
});

it("a root that does not exist yet is a problem until it does, even if the folder above it is missing too", async () => {
  const { client, config, messages, newest } = started();
  const later = join(folders.make(), "not", "yet");
  const problems = () =>
    messages.flatMap(message => (message.type === "delta" && message.delta.problems ? [message.delta.problems] : []));
  client.configure({ ...config, roots: [...config.roots, later] });
  client.fromPage(1, { type: "ready" });
  await until(() => newest() !== undefined);
  expect(newest()?.problems).toEqual([expect.stringContaining(later)]);
  mkdirSync(later, { recursive: true });
  const log = join(later, "log.jsonl");
  writeFileSync(log, logText(...pair("z")));
  await until(() => listOf(messages).some(({ key }) => key === log));
  await until(() => problems().at(-1)?.length === 0);
});

it("a log that cannot be read is named once, however often the logs are read", async () => {
  const root = folders.make();
  const unread = join(root, "unread.jsonl");
  writeFileSync(unread, logText(...pair("a")));
  utimesSync(unread, 1e9, 1e9);
  // A page shows this one, so that it is read here.
  writeFileSync(join(root, "followed.jsonl"), logText(...pair("b")));
  const messages: ToPage[] = [];
  const { config } = started();
  // In this process there are no reading threads: every other log fails, every time.
  const engine = new Engine((message: FromEngine) => {
    if (message.type === "page") messages.push(message.message);
  });
  const configure = (capacity: number) => {
    const settings = { ...config.settings, capacity };
    engine.take({ type: "configure", config: { ...config, roots: [root], settings } satisfies EngineConfig });
  };
  const problems = () =>
    messages.flatMap(message => (message.type === "delta" && message.delta.problems ? [message.delta.problems] : []));
  configure(5);
  engine.take({ type: "page", panel: 1, message: { type: "ready" } });
  await until(() => (problems().at(-1)?.length ?? 0) > 0);
  for (const capacity of [6, 7]) {
    await wait(300);
    messages.length = 0;
    configure(capacity);
    await until(() => problems().length > 0);
    expect(problems().at(-1)).toEqual([expect.stringContaining(unread)]);
  }
  await engine.stop();
});

it("the basis of answers changes with settings and ratios, but not with the axis", async () => {
  const { client, config, newest } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest() !== undefined);
  const basisUnder = async (change: Partial<EngineConfig>) => {
    const axis = newest()?.settings.axis === "time" ? "order" : "time";
    client.configure({ ...config, ...change, axis });
    await until(() => newest()?.settings.axis === axis);
    return newest()?.basis;
  };
  const first = await basisUnder({});
  expect(await basisUnder({})).toBe(first);
  const others = [
    await basisUnder({ settings: { ...config.settings, verbosity: "verbose" } }),
    await basisUnder({ figures: { ...config.figures, charsPerToken: 3 } }),
    await basisUnder({ settings: { ...config.settings, spanMinBytes: 900 } }),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
});

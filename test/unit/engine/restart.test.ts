/** The engine on its real thread: a crash costs nobody more than a moment. */
import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { Engine } from "../../../src/engine/engine.js";
import type { FromEngine, SessionChange } from "../../../src/engine/engineMessages.js";
import type { ToPage } from "../../../src/protocol/messages.js";
import { logText, textOf } from "../../support/log.js";
import { pair, started, until, withEngine } from "./engineThread.js";

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

it("after a thread that ended without an error, a page finds its session, too", async () => {
  const { client, messages, newest, live } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  messages.length = 0;
  client.crash();
  await until(() => newest()?.selected?.session === live);
});

it("settings that cannot be sent are refused at once, also while an engine is restarted, which gets those before", async () => {
  const { client, config, newest, crash } = started();
  client.fromPage(1, { type: "ready" });
  await crash();
  const settings = { ...config.settings, invalidates: new Proxy({}, {}) };
  expect(() => client.configure({ ...config, settings })).toThrow("could not be cloned");
  await until(() => newest() !== undefined);
  expect(newest()?.settings.capacity).toBe(3);
});

it("after a crash, a page that followed the live session does so again", async () => {
  const { client, newest, crash, live } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  await crash();
  await until(() => newest() !== undefined);
  expect(newest()).toMatchObject({ selected: { session: live }, following: true });
});

it("after a crash, a hidden page gets nothing, and finds its session when it is visible again", async () => {
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

it("a watched session reports what is added, even after a crash, and nothing once nobody listens", async () => {
  const { client, crash, live } = started();
  const changes: SessionChange[] = [];
  const end = client.watch(live, change => changes.push(change));
  const rows = async () => {
    const stretch = await client.askAbout({ session: live, context: "main" }, { method: "stretch", row: 0 });
    return stretch?.results;
  };
  expect(await rows()).toBe(2);
  appendFileSync(live, logText(...pair("c", textOf(300, "c"))));
  await until(() => changes.at(-1) === "grown");
  expect(await rows()).toBe(3);
  changes.length = 0;
  await crash();
  await until(() => changes[0] === "reset");
  expect(await rows()).toBe(3);
  appendFileSync(live, logText(...pair("d", textOf(300, "d"))));
  await until(() => changes.includes("grown"));
  end();
  changes.length = 0;
  appendFileSync(live, logText(...pair("e", textOf(300, "e"))));
  await wait(500);
  expect(changes).toEqual([]);
});

it("a request that is pending at a crash fails; one made before the restart is answered after it", async () => {
  const { client, config, messages, newest, old, live } = started();
  client.fromPage(1, { type: "ready" });
  client.fromPage(2, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  const ask = () => client.askAbout({ session: live, context: "main" }, { method: "stretch", row: 0 });
  const request = (id: number) =>
    client.fromPage(1, { type: "request", id, ask: { method: "transcript", fromRow: 0, count: 1 } });
  const answered = (id: number) => messages.find(message => "id" in message && message.id === id);
  // The open session cannot be replayed without settings: the engine dies before it gets what follows.
  client.configure({ ...config, settings: null as never });
  client.configure(config);
  const open = ask();
  request(7);
  await expect(open).rejects.toThrow("the engine failed and is being restarted");
  await until(() => answered(7) !== undefined);
  expect(answered(7)).toMatchObject({ type: "failure", message: expect.stringContaining("try again") });
  // No engine is running now.
  messages.length = 0;
  const between = ask();
  request(8);
  client.fromPage(1, { type: "select", session: old });
  client.fromPage(2, { type: "request", id: 9, ask: { method: "details", row: 0 } });
  client.closed(2);
  expect((await between)?.results).toBe(2);
  await until(() => answered(8) !== undefined && newest()?.selected?.session === old);
  expect(answered(8)).toMatchObject({ type: "reply", result: { calls: [{ row: 0, id: "a" }] } });
  expect(answered(9)).toBeUndefined();
});

it("a stopped engine answers no requests, and says so", async () => {
  const { client, messages } = started();
  const open = client.ask({ method: "sessions" });
  const request = (id: number) => client.fromPage(1, { type: "request", id, ask: { method: "details", row: 0 } });
  request(1);
  const stopping = client.stop();
  await expect(open).rejects.toThrow("the engine has stopped");
  await stopping;
  await expect(client.ask({ method: "sessions" })).rejects.toThrow("the engine has stopped");
  request(2);
  await until(() => messages.length === 2);
  const failure = { type: "failure", message: "the engine has stopped" };
  expect(messages).toEqual([
    { id: 1, ...failure },
    { id: 2, ...failure },
  ]);
});

it("an engine that cannot start does not keep anyone waiting", async () => {
  const messages: ToPage[] = [];
  const client = withEngine(undefined, { page: (_, message) => messages.push(message) });
  const request = (id: number) => client.fromPage(1, { type: "request", id, ask: { method: "details", row: 0 } });
  const failed = "the engine failed and is being restarted";
  request(1);
  await expect(client.ask({ method: "sessions" })).rejects.toThrow(failed);
  // Nothing is running now: these wait for the next attempt, which fails too.
  request(2);
  await expect(client.ask({ method: "sessions" })).rejects.toThrow(failed);
  await until(() => messages.length === 2);
  expect(messages).toMatchObject([
    { type: "failure", id: 1, message: expect.stringContaining(failed) },
    { type: "failure", id: 2, message: expect.stringContaining(failed) },
  ]);
});

it("an unknown message is reported on either side, and breaks nothing", async () => {
  const program = `const { parentPort } = require("node:worker_threads");
    parentPort.postMessage({ type: "babble" });
    parentPort.on("message", ({ id }) => parentPort.postMessage({ type: "reply", id, result: [] }));`;
  const notices: string[] = [];
  const client = withEngine(program, { notice: line => notices.push(line) });
  expect(await client.ask({ method: "sessions" })).toEqual([]);
  expect(notices).toEqual(['from the engine: unknown message: {"type":"babble"}']);

  const posted: FromEngine[] = [];
  const engine = new Engine(message => posted.push(message));
  engine.take({ type: "babble" } as never);
  engine.take({ type: "request", id: 1, ask: { method: "babble" } as never });
  engine.take({ type: "request", id: 2, ask: { method: "sessions" } });
  await until(() => posted.length === 3);
  expect(posted).toEqual([
    { type: "notice", line: 'to the engine: unknown message: {"type":"babble"}' },
    { type: "failure", id: 1, message: "unknown request: babble" },
    { type: "reply", id: 2, result: [] },
  ]);
  engine.stop();
});

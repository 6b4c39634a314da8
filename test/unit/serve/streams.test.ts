/** Tabs: each has its own panel, for as long as it exists, and gets what is meant for it. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_COST } from "../../../src/inspect/cost.js";
import { DEFAULT_CALIBRATION } from "../../../src/log/calibration.js";
import type { ContextState, ToPage } from "../../../src/protocol/messages.js";
import { delta, Serving, snapshot, until } from "./serving.js";

const GRACE_MS = 10_000;
const MB = 1024 * 1024;
const CONTEXT: ContextState = {
  rows: [],
  tools: [],
  files: [],
  targets: [],
  ids: [],
  marks: [],
  partitionRequests: [],
  requests: [],
  sweep: [],
  sources: [],
  worth: NO_COST,
  calibration: DEFAULT_CALIBRATION,
  models: ["m"],
  badLines: 0,
};
let serving: Serving;
/** The grace period passes when a test says so: how long a tab takes to reconnect depends on the machine. */
const graceIsOver = () => vi.advanceTimersByTime(GRACE_MS);
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  serving = await Serving.start({ graceMs: GRACE_MS, heartbeatMs: 40, maxTabs: 3 });
  serving.engine.onMessage = (panel, { type }) => {
    if (type === "ready") serving.server.tabs.send(panel, snapshot(panel));
  };
});
afterEach(async () => {
  await serving.end();
  vi.useRealTimers();
});

describe("a stream", () => {
  it("delivers a snapshot for `ready`, then deltas and answers", async () => {
    const stream = await serving.stream();
    expect(stream.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-type: text\/event-stream\r\n/i);
    expect((await serving.post(stream.page, { type: "ready" })).status).toBe(204);
    serving.server.tabs.send(1, delta(2));
    serving.server.tabs.send(1, { type: "reply", id: 7, result: "two\nlines \u2028 and more" });
    await until(() => stream.messages.length === 3);
    expect(stream.messages.map(message => message.type)).toEqual(["snapshot", "delta", "reply"]);
    expect(serving.engine.told).toEqual([[1, { type: "ready" }]]);
  });

  it("leaves a snapshot's bytes to be fetched: once, by number, with the token", async () => {
    const stream = await serving.stream();
    const [older, newer] = [1, 2].map(seq => snapshot(seq, { context: { ...CONTEXT, models: [`m${seq}`] } }));
    serving.engine.onMessage = panel => serving.server.tabs.send(panel, older as ToPage);
    await serving.post(stream.page, { type: "ready" });
    await until(() => stream.messages.length === 1);
    expect(stream.messages[0]).toMatchObject({ seq: 1, state: { context: [] } });
    serving.server.tabs.send(1, newer as ToPage);
    await until(() => stream.messages.length === 2);
    const ask = (seq: number, token: string) =>
      serving.ask(`/context?page=${stream.page}&seq=${seq}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(2, "x")).status).toBe(401);
    expect((await ask(1, serving.token)).status).toBe(404);
    const { status, text, headers } = await ask(2, serving.token);
    expect([status, headers["content-type"]]).toEqual([200, "application/octet-stream"]);
    expect(text).toContain('"models":["m2"]');
    expect((await ask(2, serving.token)).status).toBe(404);
  });

  it("delivers it once, even if `ready` comes first", async () => {
    const page = randomUUID();
    await serving.post(page, { type: "ready" });
    expect(serving.engine.told).toEqual([]);
    const stream = await serving.stream(page);
    await until(() => stream.messages.length === 1);
    expect(serving.engine.count("ready")).toBe(1);
  });

  it("sends heartbeats", async () => {
    const stream = await serving.stream();
    await until(() => stream.text.split("\n").filter(line => line === ":").length >= 2);
  });

  it("is one of two, and gets only its own messages", async () => {
    const [left, right] = [await serving.stream(), await serving.stream()];
    await serving.post(right.page, { type: "ready" });
    await serving.post(left.page, { type: "ready" });
    await until(() => left.messages.length === 1 && right.messages.length === 1);
    expect([left, right].map(stream => stream.messages[0])).toEqual([snapshot(1), snapshot(2)]);
    left.close();
    await until(() => serving.engine.count("hidden", 1) === 1);
    graceIsOver();
    expect(serving.engine.count("closed", 1)).toBe(1);
    serving.server.tabs.send(2, delta(3));
    await until(() => right.messages.length === 2);
    expect(serving.engine.count("closed", 2)).toBe(0);
  });
});

describe("a stream that breaks", () => {
  it("frees its panel after a while", async () => {
    const stream = await serving.stream();
    await serving.post(stream.page, { type: "ready" });
    stream.close();
    await until(() => serving.engine.count("hidden") === 1);
    vi.advanceTimersByTime(GRACE_MS - 1);
    expect(serving.engine.count("closed")).toBe(0);
    vi.advanceTimersByTime(1);
    serving.server.tabs.send(1, delta(9));
    expect(serving.engine.told.at(-1)).toEqual([1, "closed"]);
  });

  it("finds its panel again if it reconnects in time, and gets everything again", async () => {
    const first = await serving.stream();
    await serving.post(first.page, { type: "ready" });
    await until(() => first.messages.length === 1);
    first.close();
    await until(() => serving.engine.count("hidden") === 1);
    serving.server.tabs.send(1, delta(2));
    const second = await serving.stream(first.page);
    await until(() => second.messages.length === 1);
    expect(second.messages[0]?.type).toBe("snapshot");
    graceIsOver();
    expect(serving.engine.count("closed")).toBe(0);
  });

  it("is replaced by a newer one of the same tab", async () => {
    const first = await serving.stream();
    await serving.post(first.page, { type: "ready" });
    const second = await serving.stream(first.page);
    await until(() => first.closed && second.messages.length === 1);
    graceIsOver();
    expect([second.closed, serving.engine.count("closed")]).toEqual([false, 0]);
  });

  it("requests nothing while its tab is hidden", async () => {
    const first = await serving.stream();
    await serving.post(first.page, { type: "ready" });
    await serving.post(first.page, { type: "hidden" });
    first.close();
    const second = await serving.stream(first.page);
    await wait(50);
    expect([second.messages, serving.engine.count("ready")]).toEqual([[], 1]);
    await serving.post(first.page, { type: "ready" });
    await until(() => second.messages.length === 1);
  });
});

describe("a tab", () => {
  it("that never opens a stream is forgotten", async () => {
    await serving.post(randomUUID(), { type: "ready" });
    graceIsOver();
    expect(serving.engine.count("closed", 1)).toBe(1);
  });

  it("too many is refused, until another one closes", async () => {
    const streams = [await serving.stream(), await serving.stream(), await serving.stream()];
    const page = randomUUID();
    expect((await serving.post(page, { type: "ready" })).status).toBe(503);
    expect((await serving.ask(`/events?token=${serving.token}&page=${page}`)).status).toBe(503);
    streams[0]?.close();
    await until(() => serving.engine.count("hidden") === 1);
    graceIsOver();
    expect(serving.engine.count("closed")).toBe(1);
    expect((await serving.post(page, { type: "ready" })).status).toBe(204);
  });
});

describe("a tab that does not read", () => {
  it("costs a bounded amount, and gets a snapshot when it reads again", async () => {
    const stream = await serving.stream();
    await serving.post(stream.page, { type: "ready" });
    await until(() => stream.messages.length === 1);
    stream.socket.pause();
    const { tabs } = serving.server;
    tabs.send(1, snapshot(2, { problems: ["x".repeat(20 * MB)] }));
    for (let seq = 3; seq < 100; seq++) tabs.send(1, delta(seq, MB));
    tabs.send(1, snapshot(100, { problems: ["x".repeat(20 * MB)] }));
    expect(serving.engine.count("ready")).toBe(1);

    const before = stream.bytes;
    stream.socket.resume();
    await until(() => serving.engine.count("ready") === 2);
    await until(() => stream.messages.at(-1)?.type === "snapshot" && stream.messages.length > 2);
    // The pending snapshot, a few deltas behind it, and the new snapshot; never the ninety others.
    expect(stream.bytes - before).toBeLessThan(27 * MB);
    const seqs = stream.messages.map(message => ("seq" in message ? message.seq : -1));
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 1]);
    tabs.send(1, delta(2));
    await until(() => stream.messages.at(-1)?.type === "delta");
  });

  it("and lets answers pile up has to reconnect", async () => {
    const stream = await serving.stream();
    stream.socket.pause();
    const result = "x".repeat(40 * MB);
    for (let id = 0; id < 4; id++) serving.server.tabs.send(1, { type: "reply", id, result });
    await until(() => serving.engine.count("hidden") === 1);
  });

  it("nor gets an answer that no browser could hold", async () => {
    const stream = await serving.stream();
    serving.server.tabs.send(1, { type: "reply", id: 5, result: "x".repeat(65 * MB) });
    await until(() => stream.messages.length === 1);
    expect(stream.messages).toEqual([{ type: "failure", id: 5, message: expect.stringMatching(/too long/) }]);
  });
});

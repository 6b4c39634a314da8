/** Callers who request more than they read, and crowds of them: they cost little, and the user's page gets in. */
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Agent, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Serving, until } from "./serving.js";

const KB = 1024;
/** Far more than the system buffers for one connection. */
const LARGE = "x".repeat(32 * KB * KB);
const MINUTE = 60_000;

/** The server's side of it, from Node itself. */
const sockets: Socket[] = [];
const responses: ServerResponse[] = [];
const noteSocket = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
const noteResponse = (message: unknown) => responses.push((message as { response: ServerResponse }).response);
/** What the server has to buffer because it has not been read yet. */
const buffered = () => responses.reduce((sum, one) => sum + (one.destroyed ? 0 : one.writableLength), 0);
const open = () => sockets.filter(socket => !socket.destroyed).length;

let serving: Serving;
const callers: Socket[] = [];
beforeEach(() => {
  subscribe("net.server.socket", noteSocket);
  subscribe("http.server.request.start", noteResponse);
});
afterEach(async () => {
  unsubscribe("net.server.socket", noteSocket);
  unsubscribe("http.server.request.start", noteResponse);
  for (const caller of callers.splice(0)) caller.destroy();
  await serving.end();
  sockets.length = 0;
  responses.length = 0;
});

/** Somebody who sends something, and never reads the answer. */
function call(said: string): Socket {
  const caller = connect(serving.port, "127.0.0.1");
  caller.on("error", () => {});
  caller.pause();
  caller.write(said);
  callers.push(caller);
  return caller;
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${serving.port}`, ...headers, "", ""].join("\r\n");

/** The page as a browser loads it, a message, and the stream that answers it. */
async function usePage(): Promise<void> {
  expect((await serving.ask("/")).status).toBe(200);
  expect((await serving.ask("/loader.js")).text).toBe("the loader");
  expect((await serving.ask(serving.keyed("/webview.css"))).text).toBe("the style");
  const stream = await serving.stream();
  expect((await serving.post(stream.page, { type: "hidden" })).status).toBe(204);
  expect(stream.closed).toBe(false);
}

describe("1,000 requests in one go, whose answers are never read,", () => {
  it.each([
    [24, "for the script", () => get("/webview.js")],
    [4, "for the page", () => get("/")],
    [4, "for what is not there", () => get("/nothing")],
    [4, "for another host", () => "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
    [4, "that want to go on", () => get("/", "Expect: 100-continue")],
    [4, "that expect something", () => get("/", "Expect: everything")],
    [4, "that want another protocol", () => get("/", "Connection: Upgrade", "Upgrade: websocket")],
    [4, "with the token", () => get(serving.keyed("/webview.js"))],
  ])("from %i callers at once, %s, end these callers", async (count, _, one) => {
    serving = await Serving.start({ headersMs: MINUTE, requestMs: MINUTE }, { script: LARGE.slice(0, 64 * KB) });
    for (let at = 0; at < count; at++) call(one().repeat(1000));
    await until(() => {
      if (buffered() > count * 128 * KB) throw new Error(`${buffered()} bytes wait to be read`);
      return sockets.length >= count && open() === 0;
    });
    await usePage();
  });

  it("do not affect the page while they go on and on", async () => {
    serving = await Serving.start({ headersMs: MINUTE, requestMs: MINUTE }, { script: LARGE.slice(0, 64 * KB) });
    const stream = await serving.stream();
    for (let times = 0; times < 5; times++) {
      for (let at = 0; at < 4; at++) call(get("/webview.js").repeat(1000));
      await usePage();
    }
    expect(stream.closed).toBe(false);
    expect(buffered()).toBeLessThan(64 * KB);
  });
});

describe("a crowd of idle connections", () => {
  it("is limited to a few, the newest, and the page gets in", async () => {
    serving = await Serving.start({ strangers: 16, headersMs: MINUTE, requestMs: MINUTE });
    const stream = await serving.stream();
    for (let at = 0; at < 300; at++) call("");
    await until(() => sockets.length > 300 && open() <= 16 + 1);
    await usePage();
    for (let at = 0; at < 300; at++) call("GET / HTTP/1.1\r\n");
    await usePage();
    await until(() => sockets.length > 600 && open() <= 16 + 2);
    expect(stream.closed).toBe(false);
    expect(sockets.filter(socket => !socket.destroyed).length).toBeGreaterThanOrEqual(16);
  });

  it("does not evict a request that came with it", async () => {
    serving = await Serving.start({ strangers: 4, headersMs: MINUTE, requestMs: MINUTE });
    const mine = connect(serving.port, "127.0.0.1");
    mine.write(get(serving.keyed("/webview.css"), "Connection: close"));
    for (let at = 0; at < 100; at++) call("");
    expect(await text(mine)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*the style/);
  });
});

describe("an answer that is not read", () => {
  it("is not read from disk either, and is dropped after a while", async () => {
    serving = await Serving.start({ idleMs: 400 }, { script: LARGE });
    call(get(serving.keyed("/webview.js")));
    await until(() => buffered() > 0);
    expect(buffered()).toBeLessThan(256 * KB);
    await until(() => open() === 0);
  });

  it("is dropped even if the caller has closed its side", async () => {
    serving = await Serving.start({ idleMs: 400 }, { script: LARGE });
    call(get(serving.keyed("/webview.js"))).end();
    await until(() => sockets.length === 1 && open() === 0);
  });

  it("is dropped if it is a stream; one that is read stays, however little it sends", async () => {
    serving = await Serving.start({ idleMs: 1000, heartbeatMs: 100 });
    const [quiet, stuck] = [await serving.stream(), await serving.stream()];
    stuck.socket.pause();
    serving.server.tabs.send(2, { type: "reply", id: 1, result: LARGE });
    await until(() => open() === 1);
    serving.server.tabs.send(1, { type: "reply", id: 1, result: "still here" });
    await until(() => quiet.messages.length === 1);
  });

  it("arrives completely at a reader that pauses now and then", async () => {
    serving = await Serving.start({ idleMs: 2000 }, { script: LARGE });
    const caller = call(get(serving.keyed("/webview.js"), "Connection: close"));
    let bytes = 0;
    caller.on("data", piece => {
      bytes += piece.length;
      caller.pause();
      setImmediate(() => caller.resume());
    });
    caller.resume();
    await new Promise(resolve => caller.on("close", resolve));
    expect(bytes).toBeGreaterThan(LARGE.length);
  });
});

describe("a connection of the page", () => {
  it("is reused", async () => {
    serving = await Serving.start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (path: string, body?: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${serving.token}`, "content-type": "application/json" };
        const method = body === undefined ? "GET" : "POST";
        const asked = request({ agent, host: "127.0.0.1", port: serving.port, path, method, headers }, answer => {
          answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
        });
        asked.on("error", reject).end(body);
      });
    const page = randomUUID();
    for (let times = 0; times < 50; times++) {
      expect(await ask(serving.keyed("/webview.js"))).toBe(200);
      expect(await ask(`/message?page=${page}`, '{"type":"hidden"}')).toBe(204);
    }
    agent.destroy();
    expect(sockets).toHaveLength(1);
  });
});

/** Callers that only want to get in the way. */
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Serving, until } from "./serving.js";

let serving: Serving;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await serving.end();
});

function plug(): { readonly socket: Socket; closed: boolean } {
  const plugged = { socket: connect(serving.port, "127.0.0.1"), closed: false };
  sockets.push(plugged.socket);
  plugged.socket.on("error", () => {});
  plugged.socket.on("close", () => {
    plugged.closed = true;
  });
  plugged.socket.resume();
  return plugged;
}

describe("connections", () => {
  it("of 1,000 at once are only kept up to the limit, and open streams stay", async () => {
    serving = await Serving.start({ strangers: 64, headersMs: 1000 });
    const stream = await serving.stream();
    const many = Array.from({ length: 1000 }, plug);
    await until(() => many.filter(({ closed }) => closed).length >= 1000 - 64);
    expect(stream.closed).toBe(false);
    // The idle ones are closed too, and then there is room again.
    await until(() => many.every(({ closed }) => closed));
    expect((await serving.ask("/")).status).toBe(200);
    serving.server.tabs.send(1, { type: "reply", id: 1, result: "still here" });
    await until(() => stream.messages.length === 1);
  });

  it("of 1,000 requests at once never break the server", async () => {
    // Waiting for its turn on a busy machine does not make a caller slow.
    serving = await Serving.start({ headersMs: 120_000, requestMs: 120_000 });
    const ask = () => serving.ask(serving.keyed("/webview.js"));
    const answers = await Promise.allSettled(Array.from({ length: 1000 }, ask));
    const done = answers.filter(answer => answer.status === "fulfilled").map(({ value }) => value.status);
    expect(new Set(done)).toEqual(new Set([200]));
    expect((await serving.ask("/")).status).toBe(200);
  });
});

describe("a slow caller", () => {
  it("who says nothing, or says it byte by byte, is cut off", async () => {
    serving = await Serving.start({ headersMs: 200, requestMs: 400 });
    const silent = plug();
    const dripping = plug();
    const drip = setInterval(() => dripping.socket.write("G"), 50);
    const header = plug();
    header.socket.write(`POST /message HTTP/1.1\r\nHost: 127.0.0.1:${serving.port}\r\n`);
    const body = plug();
    body.socket.write(
      `POST /message?page=00000000-0000-0000-0000-000000000000 HTTP/1.1\r\nHost: 127.0.0.1:${serving.port}\r\n` +
        `Authorization: Bearer ${serving.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await until(() => [silent, dripping, header, body].every(({ closed }) => closed));
    clearInterval(drip);
    expect(serving.engine.told).toEqual([]);
  });

  it("is not a stream that has nothing to send", async () => {
    serving = await Serving.start({ headersMs: 100, requestMs: 200 });
    const stream = await serving.stream();
    await wait(1500);
    expect(stream.closed).toBe(false);
  });
});

describe("closing", () => {
  it("ends every stream and connection, and frees every panel", async () => {
    serving = await Serving.start();
    const { port } = serving;
    const streams = [await serving.stream(), await serving.stream()];
    const idle = plug();
    await serving.server.close();
    await until(() => streams.every(stream => stream.closed) && idle.closed);
    expect(serving.engine.count("closed")).toBe(2);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });
});

describe("the server", () => {
  it("listens on loopback only, and says so if a port is taken", async () => {
    serving = await Serving.start();
    await expect(fetch(`http://[::1]:${serving.port}/`)).rejects.toThrow();
    const { PageServer } = await import("../../../src/serve/server.js");
    const again = PageServer.start({
      port: serving.port,
      assets: "",
      host: serving.engine,
      report: async () => [],
    });
    await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

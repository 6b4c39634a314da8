/** Who is not let in, and what nobody gets. */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Serving, until } from "./serving.js";

const PAGE = randomUUID();
const READY = { type: "ready" };
const used: string[] = [];
let serving: Serving;
beforeAll(async () => {
  serving = await Serving.start({}, { ticketUsed: times => used.push(times) });
});
afterEach(() => {
  serving.engine.told.length = 0;
});
afterAll(() => serving.end());

describe("the token", () => {
  it.each([
    ["none", ""],
    ["an empty one", "token="],
    ["another", `token=${"A".repeat(43)}`],
    ["a longer one", () => `token=${serving.token}A`],
    ["a shorter one", () => `token=${serving.token.slice(1)}`],
    ["other capitals", () => `token=${serving.token.toUpperCase()}`],
  ])("opens no stream: %s", async (_, query) => {
    const { status } = await serving.ask(`/events?page=${PAGE}&${typeof query === "string" ? query : query()}`);
    expect(status).toBe(401);
  });

  it.each([
    ["none", ""],
    ["another", `Bearer ${"A".repeat(43)}`],
    ["without its scheme", () => serving.token],
    ["with another scheme", () => `Basic ${serving.token}`],
  ])("lets no message in: %s", async (_, given) => {
    const authorization = typeof given === "string" ? given : given();
    expect((await serving.post(PAGE, READY, { headers: { authorization } })).status).toBe(401);
    expect(serving.engine.told).toEqual([]);
  });

  it.each(["/webview.js", "/webview.css"])("opens no file but the first: %s", async path => {
    for (const query of ["", "?token=", `?token=${"A".repeat(43)}`]) {
      const { status, text: said } = await serving.ask(`${path}${query}`);
      expect([status, said]).toEqual([401, "wrong token\n"]);
    }
  });

  it("is not accepted in the URL of a report, which browsers remember", async () => {
    expect((await serving.ask("/report")).status).toBe(401);
    expect((await serving.ask(serving.keyed("/report"))).status).toBe(401);
    const { status } = await serving.ask("/report?format=json", {
      headers: { authorization: `Bearer ${serving.token}` },
    });
    expect(status).toBe(200);
  });

  it("is in no answer", async () => {
    for (const path of ["/", "/loader.js", "/webview.js", "/webview.css", "/nothing", "/open?ticket=x"]) {
      const { text, headers } = await serving.ask(path);
      expect(`${text}${JSON.stringify(headers)}`).not.toContain(serving.token);
    }
  });

  it("is different in every run, and long enough", async () => {
    const other = await Serving.start();
    expect(other.token).not.toBe(serving.token);
    expect(Buffer.from(other.token, "base64url")).toHaveLength(32);
    await other.end();
  });
});

describe("the ticket for a browser", () => {
  const path = () => serving.server.ticketAddress().replace(/^http:\/\/[^/]+/, "");
  const tokenIn = (page: string) => /<meta name="dedup-token" content="([^"]+)">/.exec(page)?.[1] ?? "";
  const opensStream = async (token: string) =>
    (await serving.ask(`/events?token=${token}&page=not-a-page`)).status === 400;
  afterEach(() => {
    vi.useRealTimers();
    used.length = 0;
  });

  it("leads to the page once, with a token that is in no URL", async () => {
    const ticket = path();
    // What Chromium sends when a file redirects here.
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const page = await serving.ask(ticket, { headers });
    expect([page.status, page.headers.location, page.headers["set-cookie"]]).toEqual([200, undefined, undefined]);
    expect(page.text).toContain("<title>Dedup Inspector</title>");
    expect(Buffer.from(tokenIn(page.text), "base64url")).toHaveLength(32);
    expect(await opensStream(tokenIn(page.text))).toBe(true);
    expect(used).toEqual(["once"]);
  });

  it("that is reused locks out whoever came first, and says so; the printed address stays valid", async () => {
    const ticket = path();
    const first = tokenIn((await serving.ask(ticket)).text);
    const stream = await serving.stream(randomUUID(), first);
    const second = await serving.ask(ticket);
    expect([second.status, second.text]).toEqual([403, expect.stringMatching(/used before.*disconnected.*printed/)]);
    await until(() => stream.closed);
    expect([await opensStream(first), await opensStream(serving.token)]).toEqual([false, true]);
    expect((await serving.ask(ticket)).status).toBe(403);
    expect(used).toEqual(["once", "twice", "twice"]);
  });

  it("is not a token, and expires within a minute", async () => {
    const ticket = path();
    expect(ticket).not.toContain(serving.token);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect((await serving.ask(ticket)).status).toBe(403);
    expect(used).toEqual([]);
  });
});

describe("a foreign host (DNS rebinding)", () => {
  it.each([
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example:PORT",
    "[::1]:PORT",
    "0.0.0.0:PORT",
  ])("%j gets nothing", async name => {
    const headers = { host: name.replace("PORT", String(serving.port)) };
    for (const path of ["/", "/webview.js", `/events?page=${PAGE}&token=${serving.token}`]) {
      const { status, text: said } = await serving.ask(path, { headers });
      expect([status, said]).toEqual([403, "this address is not served here\n"]);
    }
    expect((await serving.post(PAGE, READY, { headers })).status).toBe(403);
    expect(serving.engine.told).toEqual([]);
  });

  it.each(["1.0", "1.1"])("is also a missing one, in HTTP %s", async version => {
    const socket = connect(serving.port, "127.0.0.1");
    socket.end(`GET / HTTP/${version}\r\n\r\n`);
    expect(String(await text(socket))).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it("is not localhost", async () => {
    expect((await serving.ask("/", { headers: { host: `LocalHost:${serving.port}` } })).status).toBe(200);
  });
});

describe("a foreign origin", () => {
  it.each(["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "http://localhost", ""])(
    "%j is refused even with the token",
    async origin => {
      const headers = { origin };
      expect((await serving.post(PAGE, READY, { headers })).status).toBe(403);
      expect((await serving.ask(`/events?page=${PAGE}&token=${serving.token}`, { headers })).status).toBe(403);
      expect(serving.engine.told).toEqual([]);
    },
  );

  it("is never allowed by CORS", async () => {
    const origin = "http://evil.example";
    const preflight = await serving.ask("/message", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    const own = await serving.ask("/", { headers: { origin: `http://localhost:${serving.port}` } });
    expect([preflight.status, own.status]).toEqual([403, 200]);
    for (const { headers } of [preflight, own]) {
      expect(Object.keys(headers).filter(name => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("a path", () => {
  it.each([
    "/cli.js",
    "/../cli.js",
    "/webview.js/../cli.js",
    "/./webview.js",
    "//webview.js",
    "/webview.js/",
    "/%2e%2e/cli.js",
    "/..%2fcli.js",
    "/webview.js%00",
    "/webview.js%2f..%2fcli.js",
    "/..\\cli.js",
    "/WEBVIEW.JS",
    "/webview.js.map",
    "/etc/passwd",
    "/favicon.ico",
    "/constructor",
    "/__proto__",
    "*",
    "http://127.0.0.1/",
    "http://evil.example/webview.js",
  ])("that is not one of ours leads nowhere: %s", async path => {
    const { status, text: said } = await serving.ask(path);
    expect([status, said]).toEqual([404, "not found\n"]);
  });
});

describe("a method", () => {
  it.each(["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])("other than GET is refused: %s", async method => {
    for (const path of ["/", "/webview.js", "/events"]) {
      const { status, headers } = await serving.ask(path, { method });
      expect([status, headers.allow]).toEqual([405, "GET"]);
    }
  });

  it("other than POST sends no message", async () => {
    expect((await serving.ask("/message")).headers.allow).toBe("POST");
  });
});

describe("a message", () => {
  it.each([
    ["nothing", ""],
    ["half a message", '{"type":"ready"'],
    ["another text", "ready"],
    ["another type", '{"type":"frobnicate"}'],
    ["a list", "[]"],
    ["null", "null"],
    ["another member's type", '{"type":"select","session":5}'],
    ["a request too large", '{"type":"request","id":1,"ask":{"method":"transcript","fromRow":0,"count":1e9}}'],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe]).toString("latin1")],
  ])("that is invalid is refused: %s", async (_, body) => {
    expect((await serving.post(PAGE, body)).status).toBe(400);
    expect(serving.engine.told).toEqual([]);
  });

  it("of up to 64 KB is read, a longer one is not", async () => {
    const padded = (bytes: number) =>
      JSON.stringify({ type: "hidden", pad: "" }).replace(/""/, `"${"x".repeat(bytes)}"`);
    expect((await serving.post(PAGE, padded(65_000))).status).toBe(204);
    expect((await serving.post(PAGE, padded(66_000))).status).toBe(413);
    const chunked = await serving.post(PAGE, padded(66_000), { headers: { "transfer-encoding": "chunked" } });
    expect(chunked.status).toBe(413);
    expect(serving.engine.count("hidden")).toBe(1);
  });

  it("of another content type is refused: forms can send those from anywhere", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", ""]) {
      expect((await serving.post(PAGE, READY, { headers: { "content-type": type } })).status).toBe(415);
    }
  });

  it.each(["", "x", "../..", `${PAGE}0`, PAGE.toUpperCase().replace(/\d/g, "A")])(
    "needs the id of a page: %j",
    async page => {
      expect((await serving.post(page, READY)).status).toBe(400);
      expect((await serving.ask(`/events?token=${serving.token}&page=${page}`)).status).toBe(400);
    },
  );

  it("cannot carry unknown members", async () => {
    const body = '{"type":"hidden","__proto__":{"x":1},"constructor":1}';
    expect((await serving.post(PAGE, body)).status).toBe(204);
    expect(serving.engine.told.at(-1)?.[1]).toEqual({ type: "hidden" });
  });
});

describe("an expectation", () => {
  it.each(["100-continue", "something else"])("of %j is not met", async expectation => {
    const { status } = await serving.post(PAGE, READY, { headers: { expect: expectation } });
    expect([status, serving.engine.told]).toEqual([417, []]);
  });
});

describe("another protocol", () => {
  it("is not supported: an upgrade is treated as a plain request, a tunnel is cut off", async () => {
    const upgrade = await serving.ask("/", { headers: { connection: "Upgrade", upgrade: "websocket" } });
    expect(upgrade.status).toBe(200);
    const socket = connect(serving.port, "127.0.0.1");
    socket.write(`CONNECT 127.0.0.1:${serving.port} HTTP/1.1\r\nHost: 127.0.0.1:${serving.port}\r\n\r\n`);
    expect(await text(socket)).toBe("");
  });
});

describe("headers", () => {
  it("of more than 8 KB are refused", async () => {
    expect((await serving.ask("/", { headers: { "x-long": "x".repeat(9000) } })).status).toBe(431);
    expect((await serving.ask(`/?${"x".repeat(9000)}`)).status).toBe(431);
  });
});

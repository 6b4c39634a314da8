/** The report of all sessions, as a file: of any length, however long it takes to create. */
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { Serving, until } from "./serving.js";

let serving: Serving;
afterEach(() => serving.end());
const MB = 1024 * 1024;

const ask = () => serving.ask("/report?format=json", { headers: { authorization: `Bearer ${serving.token}` } });

it("may take longer to create than an idle connection lives", async () => {
  let finish = (_pieces: string[]) => {};
  const report = () => new Promise<string[]>(resolve => (finish = resolve));
  serving = await Serving.start({ heartbeatMs: 50, idleMs: 500 }, { report });
  const asked = request({
    host: "127.0.0.1",
    port: serving.port,
    path: "/report?format=json",
    headers: { authorization: `Bearer ${serving.token}` },
  });
  let [signs, answered] = [0, ""];
  asked.on("information", ({ statusCode }) => {
    if (statusCode === 102) signs++;
  });
  asked.on("response", answer => answer.on("data", piece => (answered += piece)));
  asked.end();
  // Three times as long as the connection could have been silent.
  await until(() => signs === 30);
  finish(['{"schema":', "1}"]);
  await until(() => answered === '{"schema":1}');
});

it("is never in memory as a whole: no piece is created before there is room for it", async () => {
  let made = 0;
  function* pieces() {
    while (made < 256) {
      made++;
      yield "x".repeat(MB);
    }
  }
  serving = await Serving.start({}, { report: async () => pieces() });
  const socket = connect(serving.port, "127.0.0.1");
  socket.write(
    `GET /report?format=json HTTP/1.1\r\nHost: 127.0.0.1:${serving.port}\r\nAuthorization: Bearer ${serving.token}\r\n` +
      "Connection: close\r\n\r\n",
  );
  await new Promise(resolve => socket.once("readable", resolve));
  // Nobody reads: what the system buffers is far less than this.
  await until(() => made > 0);
  const before = made;
  expect(before).toBeLessThan(128);
  let bytes = 0;
  socket.on("data", piece => (bytes += piece.length));
  await new Promise(resolve => socket.once("close", resolve));
  expect([made, bytes > 256 * MB]).toEqual([256, true]);
});

it("that cannot be created says why", async () => {
  serving = await Serving.start({}, { report: () => Promise.reject(new Error("a report is already being created")) });
  const { status, text } = await ask();
  expect([status, text]).toEqual([503, "a report is already being created\n"]);
});

it("is created in the requested format only", async () => {
  serving = await Serving.start({}, { report: async format => [format] });
  const inFormat = (query: string) =>
    serving.ask(`/report${query}`, { headers: { authorization: `Bearer ${serving.token}` } });
  for (const format of ["html", "markdown", "json"]) {
    const { status, text } = await inFormat(`?format=${format}`);
    expect([status, text]).toEqual([200, format]);
  }
  for (const query of ["", "?format=", "?format=pdf", "?format=__proto__"]) {
    expect((await inFormat(query)).status).toBe(400);
  }
});

it("is cancelled when nobody waits for it any more", async () => {
  const state = { isAsked: false, isGivenUp: false };
  const report = (_format: unknown, signal: AbortSignal) =>
    new Promise<string[]>((_, reject) => {
      state.isAsked = true;
      signal.addEventListener("abort", () => {
        state.isGivenUp = true;
        reject(signal.reason);
      });
    });
  serving = await Serving.start({}, { report });
  const asked = request({
    host: "127.0.0.1",
    port: serving.port,
    path: "/report?format=html",
    headers: { authorization: `Bearer ${serving.token}` },
  });
  asked.on("error", () => {});
  asked.end();
  await until(() => state.isAsked);
  asked.destroy();
  await until(() => state.isGivenUp);
});

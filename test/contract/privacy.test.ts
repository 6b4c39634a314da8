/** Nothing leaves the machine: no code of ours opens a connection, and no run of it does. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { modulesIn } from "../support/imports.js";
import { call, logText, result, textOf } from "../support/log.js";

const modules = [...modulesIn("src"), ...modulesIn("webview")];

/** The modules that import any of these at run time. */
function importers(...names: string[]): string[] {
  const isOne = (from: string) => names.includes(from.replace(/^node:/, ""));
  return modules
    .filter(({ imports }) => imports.some(({ from, typeOnly }) => !typeOnly && isOne(from)))
    .map(({ path }) => path);
}

describe("the sources", () => {
  it("have one server, on loopback, and nothing that calls out", () => {
    expect(importers("http")).toEqual(["src/serve/server.ts"]);
    expect(importers("https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "inspector")).toEqual([]);
    const callsOut = /(?<![.#\w])(?:fetch\(|new (?:EventSource|WebSocket|XMLHttpRequest)\b|sendBeacon\()/;
    const callers = modules.filter(({ text }) => callsOut.test(text)).map(({ path }) => path);
    // The page in a browser speaks to the server that it came from; its policy lets it reach no other.
    expect(callers).toEqual(["webview/browserTransport.ts"]);
  });

  it("start a program in few places, none of them with text of a log", () => {
    const known = [
      // This program itself, for the report; the browser, with our own address; `node --version`, before live hints.
      "src/vscode/exportReport.ts",
      "src/serve/handover.ts",
      "src/vscode/liveHints.ts",
    ];
    expect(importers("child_process", "cluster").filter(path => !known.includes(path))).toEqual([]);
  });

  it("never make code of text", () => {
    const makesCode =
      /(?<![.\w])(?:eval\(|new Function\()|dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML/;
    expect(modules.filter(({ text }) => makesCode.test(text)).map(({ path }) => path)).toEqual([]);
    // It runs the program that lies beside it, and nothing else.
    expect(importers("vm")).toEqual(["src/hook/start.ts"]);
  });
});

describe("a run", () => {
  const place = new Place();
  const seen = place.path("connections");
  /** Notes every connection and every name that is looked up, on all threads, and lets none through. */
  const preload = place.write(
    "preload.cjs",
    `const note = what => { require("node:fs").appendFileSync(${JSON.stringify(seen)}, what + "\\n"); throw new Error(what); };
     require("node:net").Socket.prototype.connect = () => note("connect");
     require("node:dns").lookup = () => note("lookup");`,
  );
  const connections = () => {
    try {
      return readFileSync(seen, "utf8");
    } catch {
      return "";
    }
  };

  beforeAll(async () => {
    await built();
    const lines = ["1", "2"].flatMap(id => [
      call(id, "WebFetch", { url: "http://127.0.0.1:49151/" }),
      result(id, `${textOf(300)} <img src="http://127.0.0.1:49151/x.png">`),
    ]);
    place.write("logs/s.jsonl", logText({ type: "attachment", sessionId: "s1", cwd: "//127.0.0.1/share" }, ...lines));
  });
  afterAll(() => place.remove());

  it("that did would be seen", () => {
    spawnSync(process.execPath, ["--require", preload, "-e", 'fetch("http://127.0.0.1:49151/").catch(() => {})']);
    expect(connections()).toMatch(/connect/);
    rmSync(seen);
  });

  it.each([
    ["report", "logs", "--json", "--events"],
    ["report", "logs"],
    ["replay", "logs/s.jsonl", "--json"],
    ["sample", "--out", "sample.jsonl"],
  ])("of %s %s opens no connection and looks up no name", async (...args) => {
    const { status, stderr } = await place.run(args, { NODE_OPTIONS: `--require ${preload}` });
    expect([status, stderr, connections()]).toEqual([0, "", ""]);
  });
});

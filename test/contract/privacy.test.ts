/** Nothing leaves the machine: none of our code opens a connection, and neither does any run of it. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { lintObjections } from "../support/lint.js";
import { call, logText, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";

interface Built {
  readonly inputs: Readonly<Record<string, { imports: readonly { path: string }[] }>>;
}

beforeAll(built);

/** Which built modules import any of these, including third-party code. */
function importers(...names: string[]): string[] {
  const { inputs } = JSON.parse(readFileSync(join(REPOSITORY, "dist", "build.json"), "utf8")) as Built;
  const isOne = ({ path }: { path: string }) => names.includes(path.replace(/^node:/, ""));
  return Object.keys(inputs).filter(module => inputs[module]?.imports.some(isOne));
}

describe("the build", () => {
  it("has one server, on loopback, and nothing that calls out", () => {
    expect(importers("http")).toEqual(["src/serve/server.ts"]);
    expect(importers("https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "inspector")).toEqual([]);
  });

  it("starts programs in few places, none of them with text from a log", () => {
    // This program itself, for the report; the browser, with our own address; `node --version`, before live hints.
    const known = ["src/vscode/exportReport.ts", "src/serve/handover.ts", "src/vscode/liveHints.ts"];
    expect(importers("child_process", "cluster").filter(path => !known.includes(path))).toEqual([]);
  });

  it("runs only its own code: programs next to the one that starts them", () => {
    expect(importers("vm")).toEqual(["src/files/compiledProgram.ts"]);
  });
});

describe("lint", () => {
  it("lets only the browser page connect, to the server it came from; its policy allows no other", () => {
    const code = 'fetch("/");\nnew EventSource("/");\nnew WebSocket("/");\nnew XMLHttpRequest();\n';
    const calls = ["EventSource", "WebSocket", "XMLHttpRequest", "fetch"];
    const paths = ["src/serve/a.ts", "webview/a.ts"];
    expect(
      lintObjections(Object.fromEntries([...paths, "webview/browserTransport.ts"].map(path => [path, code]))),
    ).toEqual(paths.flatMap(path => calls.map(name => `${path}: Do not use the global variable ${name}.`)));
  });

  it("lets no text become markup or code", () => {
    const ways = [
      "element.innerHTML = text;",
      "element.innerHTML += text;",
      "element.outerHTML = text;",
      'element.insertAdjacentHTML("beforeend", text);',
      "document.write(text);",
      "new Function(text)();",
      "eval(text);",
      "export const view = <p dangerouslySetInnerHTML={{ __html: text }} />;",
    ];
    const objections = lintObjections(Object.fromEntries(ways.map((code, at) => [`webview/${at}.tsx`, code])));
    const refused = ways.filter((_, at) => objections.some(one => one.startsWith(`webview/${at}.tsx: `)));
    expect(refused).toEqual(ways);
    expect(lintObjections({ "webview/a.tsx": "element.textContent = text;\n" })).toEqual([]);
  });
});

describe("a run", () => {
  const place = new Place();
  const seen = place.path("connections");
  /** Records every connection and every name lookup, on all threads, and blocks them. */
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

  beforeAll(() => {
    const lines = ["1", "2"].flatMap(id => [
      call(id, "WebFetch", { url: "http://127.0.0.1:49151/" }),
      result(id, `${textOf(300)} <img src="http://127.0.0.1:49151/x.png">`),
    ]);
    place.write("logs/s.jsonl", logText({ type: "attachment", sessionId: "s1", cwd: "//127.0.0.1/share" }, ...lines));
  });
  afterAll(() => place.remove());

  it("that did would be detected", () => {
    spawnSync(process.execPath, ["--require", preload, "-e", 'fetch("http://127.0.0.1:49151/").catch(() => {})']);
    expect(connections()).toMatch(/connect/);
    rmSync(seen);
  });

  it.each([
    ["report", "logs", "--json", "--events"],
    ["report", "logs"],
    ["replay", "logs/s.jsonl", "--json"],
    ["sample", "--out", "sample.jsonl"],
  ])("of %s %s opens no connection, looks up no name and runs no text as code", async (...args) => {
    const options = `--require ${preload} --disallow-code-generation-from-strings`;
    const { status, stderr } = await place.run(args, { NODE_OPTIONS: options });
    expect([status, stderr, connections()]).toEqual([0, "", ""]);
  });
});

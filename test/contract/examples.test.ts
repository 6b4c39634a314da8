/** The examples do what their documentation says, unmodified, from a checkout. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { logText, read, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";

const example = (name: string) => join(REPOSITORY, "examples", name);
const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

describe("the MCP server", () => {
  const NOTE = "a line of a long note\n".repeat(20);
  let client: Client;

  beforeEach(async () => {
    place.write("notes/long.md", NOTE);
    place.write("notes/short.md", "short");
    client = new Client({ name: "test", version: "1.0.0" });
    const args = [example("mcp-server.mjs"), place.path("notes")];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  });
  afterEach(() => client.close());

  /** The texts of a tool's result; `id`: the client's id for the call, if it sends one. */
  async function call(name: string, input: Record<string, unknown>, id?: string): Promise<string[]> {
    const meta = id === undefined ? {} : { _meta: { "claudecode/toolUseId": id } };
    const { content } = await client.callTool({ name, arguments: input, ...meta });
    return (content as { text: string }[]).map(({ text }) => text);
  }

  it("gives a text once, then a hint that names what the model can see", async () => {
    expect(await call("read_note", { name: "long" })).toEqual([NOTE, "[answer-1]"]);
    expect(await call("read_note", { name: "long" })).toEqual([
      "> [ref: answer-1, byte-identical, from: read_note(long)]",
    ]);
  });

  it("names the call by its own id if the client sends it", async () => {
    expect(await call("read_note", { name: "long" }, "toolu_1")).toEqual([NOTE]);
    expect(await call("read_note", { name: "long" }, "toolu_2")).toEqual([
      "> [ref: toolu_1, byte-identical, from: read_note(long)]",
    ]);
  });

  it("gives the whole text to a model that asks for it, and points there from then on", async () => {
    await call("read_note", { name: "long" }, "toolu_1");
    expect(await call("read_note", { name: "long", full: true }, "toolu_2")).toEqual([NOTE]);
    expect(await call("read_note", { name: "long" }, "toolu_3")).toEqual([expect.stringContaining("toolu_2")]);
  });

  it("never points at what a note said before it was rewritten, or at a short text", async () => {
    await call("read_note", { name: "long" }, "toolu_1");
    await call("write_note", { name: "long", text: NOTE }, "toolu_2");
    expect(await call("read_note", { name: "long" }, "toolu_3")).toEqual([NOTE]);
    await call("read_note", { name: "short" }, "toolu_4");
    expect(await call("read_note", { name: "short" }, "toolu_5")).toEqual(["short"]);
  });

  it("gives no hint for an error, and reads nothing outside its folder", async () => {
    place.write("secret.md", NOTE);
    for (const name of ["missing", "../secret", "missing"]) {
      const { isError } = await client.callTool({ name: "read_note", arguments: { name } });
      expect(isError).toBe(true);
    }
  });
});

describe("the report on duplicates", () => {
  interface Duplicates {
    readonly basis: unknown;
    readonly duplicates: Readonly<Record<string, { readonly hits: number; readonly ofText: number }>>;
    readonly within: readonly { readonly capacity: number; readonly anything: number; readonly here: number }[];
  }

  function run(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [example("duplicates.mjs"), ...args], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    return stdout;
  }

  const pair = (id: string, path: string, text: string) => [read(id, path), result(id, text)];
  const texts = [1, 2, 3, 4, 5, 6].map(at => textOf(1000, `${at}`));
  const [a = "", b = "", c = "", d = "", e = "", f = ""] = texts;

  it("counts what each strategy finds", () => {
    // The text of /a repeats right away, and once more after five others; /b's repeats in another log.
    const first = [pair("1", "/a", a), pair("2", "/a", a), pair("3", "/b", b), pair("4", "/c", c), pair("5", "/d", d)];
    const rest = [pair("6", "/e", e), pair("7", "/f", f), pair("8", "/a", a)];
    place.write("logs/one.jsonl", logText(...first.flat(), ...rest.flat()));
    place.write("logs/two.jsonl", logText(...pair("9", "/b", b)));
    const { basis, duplicates, within } = JSON.parse(run("--json", place.path("logs"))) as Duplicates;
    expect(basis).toEqual({ logs: 2, sessions: 2, results: 9, bytes: 9000 });
    expect(Object.values(duplicates).map(({ hits }) => hits)).toEqual([1, 1, 2, 2, 1, 2]);
    // Of nine results of a thousand characters: less a hint of 15 tokens of 4, of 33 characters, or none.
    const [simulated, shipped, any, ...ours] = Object.values(duplicates).map(({ ofText }) => Math.round(9000 * ofText));
    expect([simulated, shipped, any]).toEqual([940, 967, 2000]);
    // The length of our hints depends on settings.
    expect(ours.map(saved => Math.ceil(saved / 1000))).toEqual([2, 1, 2]);
    expect(within.map(({ anything, here }) => [anything, here])).toEqual([
      ...[1, 2, 3, 5].map(() => [0.5, expect.closeTo(0.5, 1)]),
      ...[10, 32].map(() => [1, 1]),
    ]);
  });

  it("prints the same for people", () => {
    place.write("logs/one.jsonl", logText(...pair("1", "/a", a), ...pair("2", "/a", a)));
    expect(run(place.path("logs/one.jsonl"))).toMatch(/^1 logs, 1 sessions, 2 results, 2000 bytes$/m);
    expect(run(place.path("logs/one.jsonl"))).toMatch(/^any text that the log has had before +1 +50\.00 % +50\.00 %$/m);
  });
});

/** What `report --markdown` and `report --html` print: the report for people, as a document. */
import { createRequire } from "node:module";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { answer, boundary, call, type Json, logText, result, textOf } from "../support/log.js";

const MarkdownIt = createRequire(import.meta.url)("markdown-it");

let place: Place;
beforeAll(built);
beforeEach(() => {
  place = new Place();
  return () => place.remove();
});

/** Two calls with the same text, and one after a compaction. */
function session(cwd: string, more: Json = {}, tool = "Bash"): string {
  const line = { cwd, timestamp: "2026-01-01T00:00:00.000Z", ...more };
  const turn = (id: string) => [
    answer(`m${id}`, 1000, line),
    call(id, tool, { command: "ls" }, line),
    result(id, textOf(900, "a"), line),
  ];
  return logText(...turn("1"), ...turn("2"), boundary([], line), ...turn("3"));
}

async function print(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await place.ask(["report", ...args]);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** The text of a document, without its style and its markup. */
function textIn(document: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return document
    .replace(/<style>.*<\/style>/s, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&(\w+);/g, (_, name: string) => entities[name] ?? "?")
    .replace(/\\(.)/g, "$1");
}

describe.each(["--markdown", "--html"])("report %s", format => {
  it("has every figure that the report for people has", async () => {
    place.write("p/a.jsonl", session("/home/ana/ladle"));
    place.write("p/b.jsonl", session("/home/ana/spoon"));
    const table = await print("p", "--gates");
    const document = textIn(await print("p", format)).toLowerCase();
    const words = table.split("\n").flatMap(line => line.trim().split(/ {2,}| · /));
    // A document has a table instead of the chart, and no options.
    const missing = words.filter(word => !/[█-▏]|--/.test(word) && !document.includes(word.toLowerCase()));
    expect(missing).toEqual([]);
    expect(words.length).toBeGreaterThan(80);
  });

  it("has what the report for people says about passes and a trial", async () => {
    place.write("p/a.jsonl", session("/w"));
    expect((await place.ask(["hooks", "install", "--yes", "--trial"])).status).toBe(0);
    for (const option of ["--passes", "--trial"]) {
      const table = await print("p", option);
      const document = textIn(await print("p", option, format)).toLowerCase();
      const words = table.split("\n").flatMap(line => line.trim().split(/ {2,}| · /));
      const missing = words.filter(word => !/[█-▏]|--/.test(word) && !document.includes(word.toLowerCase()));
      expect(missing).toEqual([]);
      const [said = ""] = table.match(/^(?:Cached micro-compaction would|It is too early to say).*/m) ?? [];
      expect(document).toContain(said.toLowerCase());
      expect(said).toMatch(option === "--passes" ? /cache reads/ : /The intervals hold/);
    }
  });

  it("has no table of a trial if there was none", async () => {
    place.write("p/a.jsonl", session("/w"));
    for (const options of [[], [format]]) {
      const report = textIn(await print("p", "--trial", ...options));
      expect(report).toContain("No trial is on record");
      expect(report).not.toContain("Conclusion");
    }
  });

  it("says how to turn live hints on, until they are on", async () => {
    place.write("p/a.jsonl", session("/w"));
    expect(await print("p", format)).toContain("turn on live hints");
    expect((await place.ask(["hooks", "install", "--yes"])).status).toBe(0);
    expect(await print("p", format)).not.toContain("turn on live hints");
  });

  it("has no markup from a log, and nothing that a terminal would interpret", async () => {
    const evil = `/w/<script>x</script><img src=//e>](http://e) |\`*_~![x](y)\u001b[2J\u202e&amp;"'\nfake`;
    place.write("evil.jsonl", session(evil, { sessionId: evil }, `T${evil}`));
    place.write("plain.jsonl", session("/w"));
    const document = await print("evil.jsonl", format);
    expect(document).not.toMatch(/<(script|img)/i);
    const steering = [...document].filter(
      character => character !== "\n" && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character),
    );
    expect(steering).toEqual([]);
    const plain = await print("plain.jsonl", format);
    expect(document.split("\n")).toHaveLength(plain.split("\n").length);
  });

  it("can be created from nothing", async () => {
    place.write("p/a.jsonl", session("/w"));
    expect(await print("p", "--project", "nowhere", format)).toContain("0 sessions");
  });

  it("excludes other formats", async () => {
    const { status, stderr } = await place.ask(["report", "p", "--json", format]);
    expect(status).toBe(2);
    expect(stderr).toContain("cannot be used together");
  });
});

describe("report --markdown", () => {
  it("has no link from a log, not even in a program that makes links of addresses", async () => {
    const addresses = [
      "https://evil.com/x",
      "http://localhost/x",
      "http://1.2.3.4/x",
      "//evil.com",
      "www.evil.com",
      "evil.com/x",
      "evil.рф",
      "a@evil.com",
      "mailto:a@evil.com",
    ];
    for (const [at, address] of addresses.entries()) {
      place.write(`p/${at}.jsonl`, session(`${address} ${address}`, { sessionId: address }, address));
    }
    const document = await print("p", "--markdown");
    const rendered = new MarkdownIt({ linkify: true }).render(document);
    expect(rendered).not.toContain("<a");
    // The names are still there, as text.
    for (const address of addresses) expect(rendered).toContain(`<td>${address}</td>`);
  });

  it("has as many cells in each row of a table as in its head, whatever they contain", async () => {
    place.write("p/a.jsonl", session("/w|x/\\|y", {}, "A|B\\"));
    const rows = (await print("p", "--markdown")).split("\n\n").filter(block => block.startsWith("|"));
    const cellsOf = (row: string) => row.replace(/\\./g, "").split("|").length;
    for (const table of rows) {
      const [head = "", ...others] = table.trim().split("\n");
      expect(others.map(cellsOf)).toEqual(others.map(() => cellsOf(head)));
    }
    expect(rows.length).toBeGreaterThan(5);
  });
});

describe("report --html", () => {
  it("is one file that loads nothing", async () => {
    place.write("p/a.jsonl", session("/w"));
    const html = await print("p", "--html");
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/\b(src|href)=|@import|url\((?!#)/);
  });

  it("is ASCII, whatever is in the logs: Windows PowerShell reads it in one encoding and writes it in another", async () => {
    place.write("p/a.jsonl", session("/home/zoë/Кухня 🍜", {}, "Bäsh"));
    const { stdout } = await place.ask(["report", "p", "--html"]);
    expect(stdout).not.toMatch(/[\u0080-\uffff]/);
    expect(textIn(await print("p", "--html"))).toContain("/home/zoë/Кухня 🍜");
  });

  it("has the timeline of each session that it lists, with a mark for each result and a line for each compaction", async () => {
    for (const name of ["a", "b", "c"]) place.write(`p/${name}.jsonl`, session(`/${name}`));
    const html = await print("p", "--html", "--limit", "2");
    const pictures = html.split("<svg").slice(1);
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) {
      expect(picture).toContain("3 results, 1 repeats, 2 partitions");
      expect(picture).toContain('class="f-hit"');
      expect(picture).toContain(">Partition 1<");
      expect(picture).toMatch(/compact/i);
    }
  });

  it("is the same with and without a cache", async () => {
    place.write("p/a.jsonl", session("/w"));
    const first = await print("p", "--html");
    expect(await print("p", "--html")).toBe(first);
    expect(await print("p", "--html", "--no-cache")).toBe(first);
  });
});

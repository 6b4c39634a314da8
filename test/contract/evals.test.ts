/** The plugin's evals ask for what their files contain: a case with a wrong answer would blame the hints. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";

const EVALS = join(REPOSITORY, "plugin", "evals");
const CASES = readdirSync(EVALS, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? entry.name : []));

const folder = mkdtempSync(join(tmpdir(), "dedup-evals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function textOf(...names: string[]): string {
  return readFileSync(join(EVALS, ...names), "utf8");
}

/** The pattern of a grader, as Claude Code reads it. */
function patternOf(name: string, grader: string): RegExp {
  const [, quoted, plain = ""] = /^pattern: (?:'(.*)'|(.*))$/m.exec(textOf(name, "graders", `${grader}.md`)) ?? [];
  return new RegExp(quoted ?? plain, "i");
}

describe.each(CASES)("the case %s", name => {
  it("has a prompt, graders, and its folder's name", () => {
    expect(textOf(name, "prompt.md")).toMatch(/^---\n[\s\S]+\n---\n\n\S/);
    expect(textOf(name, "case.yaml")).toContain(`name: ${name}\n`);
    expect(readdirSync(join(EVALS, name, "graders")).length).toBeGreaterThan(1);
  });

  it("is listed with the others", () => {
    expect(textOf("README.md")).toContain(`| \`${name}\` |`);
  });
});

describe("the expected answers", () => {
  let prices = "";
  beforeAll(() => {
    for (const name of CASES) execFileSync("bash", [join(EVALS, name, "files.sh")], { cwd: folder });
    prices = readFileSync(join(folder, "prices.ts"), "utf8");
  });

  function articleOf(number: string): { price: number; shelf: number; line: string } {
    const found = new RegExp(`^ {2}"article-${number}": (\\d+), // shelf (\\d+).*$`, "m").exec(prices);
    if (found === null) throw new Error(`no article ${number}`);
    return { price: Number(found[1]), shelf: Number(found[2]), line: found[0] };
  }

  it("are in the files", () => {
    const { price, shelf } = articleOf("123");
    expect(`price ${price}, shelf ${shelf}`).toMatch(patternOf("read-again", "answer"));
    const sum = articleOf("080").price + articleOf("160").price;
    expect(`sum ${sum}`).toMatch(patternOf("overlapping-reads", "answer"));
    const { line, price: before } = articleOf("150");
    expect(line.replace(`: ${before},`, ": 999,")).toMatch(patternOf("edit-after-rereading", "edited"));
    expect(line).not.toMatch(patternOf("edit-after-rereading", "edited"));
  });

  it("need lines for which the plugin gives hints: the two reads overlap, and are long enough", () => {
    const lines = prices.split("\n");
    expect(lines.findIndex(line => line.includes("article-080"))).toBeGreaterThan(60);
    expect(lines.findIndex(line => line.includes("article-080"))).toBeLessThan(120);
    expect(lines.slice(59, 120).join("\n").length).toBeGreaterThan(2048);
  });
});

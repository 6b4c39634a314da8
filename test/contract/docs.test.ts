/** What the documents name is there. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";

const DOCUMENTS = [
  "SECURITY.md",
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "src/README.md",
  "test/README.md",
  "test/bench/README.md",
];
const FOLDERS = "src|test|webview|scripts|media|\\.github";

const read = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");
const { scripts, version } = JSON.parse(read("package.json")) as { scripts: Record<string, string>; version: string };

/** Everything that an expression's first group finds. */
const found = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, one = ""]) => one);

describe.each(DOCUMENTS)("%s", document => {
  const text = read(document);

  it("links only to files that are there", () => {
    const links = found(text, /\]\((?!https?:|#)([^)]+)\)/g);
    expect(links.filter(link => !existsSync(join(REPOSITORY, dirname(document), link)))).toEqual([]);
  });

  it("names only files that are there", () => {
    const paths = found(text, new RegExp(`(?<![\\w./-])((?:${FOLDERS})/[\\w./-]*\\w)`, "g"));
    const isThere = (path: string) => ["", ".ts"].some(ending => existsSync(join(REPOSITORY, path + ending)));
    expect(paths.filter(path => !isThere(path))).toEqual([]);
  });

  it("names only commands that there are", () => {
    expect(found(text, /npm run ([\w:]+)/g).filter(name => !(name in scripts))).toEqual([]);
  });
});

describe("the changelog", () => {
  it("begins with the version that is packaged, after what is not released yet", () => {
    const headings = found(read("CHANGELOG.md"), /^## (\S+)/gm);
    expect(headings[headings[0] === "Unreleased" ? 1 : 0]).toBe(version);
  });
});

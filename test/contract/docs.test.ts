/** Whatever a document or a comment refers to exists: files, sections, tests, commands, names in the code. */
import { existsSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import {
  codeFiles,
  commentsIn,
  documents,
  headingsIn,
  ownFiles,
  readText,
  withoutComments,
} from "../support/documents.js";
import { REPOSITORY } from "../support/replay.js";

/** Specifications that are not in the repository; docs/ says what they said. */
const OUTSIDE = /\b(?:engine|report|upstream|log-format)\.md\b/;

const files = ownFiles();
const code = codeFiles();
const names = new Set(files.map(path => basename(path)));
const rooms = new Set(files.flatMap(path => path.match(/^src\/(\w+)\//)?.[1] ?? []));
const { scripts, version, contributes } = JSON.parse(readText("package.json")) as {
  scripts: Record<string, string>;
  version: string;
  contributes: { configuration: { properties: Record<string, unknown> } };
};
const settings = Object.keys(contributes.configuration.properties);
const identifiers = new Set(code.flatMap(path => withoutComments(readText(path)).match(/[\w$]+/g) ?? []));

const isThere = (path: string) => ["", ".ts", ".tsx"].some(ending => existsSync(join(REPOSITORY, path + ending)));
const all = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, one = ""]) => one);

/** Paths that begin with one of our folders, anywhere in a text. */
const PATHS = /(?<![\w./(-])((?:src|test|webview|scripts|media|docs|plugin|\.github)\/[\w./-]*\w)/g;

/** Broken references in a text; `folder`: relative names may start there too. */
function brokenIn(text: string, folder: string): string[] {
  const quoted = all(text, /`([^`\n]+)`/g);
  const modules = quoted.filter(name => /^\w+\/[\w./-]+$/.test(name) && rooms.has(name.split("/")[0] ?? ""));
  const named = quoted.filter(name => /^[\w./-]+\.(?:tsx?|mts|mjs|md)$/.test(name));
  const tests = all(text, /\b([\w/]+\.test\.tsx?)\b/g);
  return [
    ...all(text, PATHS).filter(path => !isThere(path)),
    ...modules.filter(name => !isThere(`src/${name}`) && !isThere(name)),
    ...[...named, ...tests].filter(name => !isFile(name, folder)),
    ...quoted.filter(name => /^dedup\.[a-z]+(?:[A-Z][a-z]+)*$/.test(name) && !settings.includes(name)),
    ...all(text, /npm run ([\w:]+)/g).filter(name => !(name in scripts)),
    ...sectionsIn(text)
      .filter(({ path, title }) => !hasSection(path, title))
      .map(({ path, title }) => `${path} "${title}"`),
  ];
}

/** By its path from the root, from `src` or from the folder; a bare name may mean a file anywhere. */
function isFile(name: string, folder: string): boolean {
  return names.has(name) || ["", "src", folder].some(from => isThere(posix.join(from, name)));
}

/** Citations such as: docs/rules.md "Hints". */
function sectionsIn(text: string): { path: string; title: string }[] {
  return [...text.matchAll(/\b([\w/-]+\.md)`?,? "([^"]+)"/g)].map(([, path = "", title = ""]) => ({ path, title }));
}

function hasSection(path: string, title: string): boolean {
  return isThere(path) && headingsIn(readText(path)).some(heading => heading.title === title);
}

/** Links that lead nowhere. */
function brokenLinksIn(document: string): string[] {
  const links = all(readText(document), /\]\((?!https?:)([^)\s]+)\)/g);
  return links.filter(link => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? document : posix.join(dirname(document), path);
    if (!isThere(target)) return true;
    return anchor !== undefined && !headingsIn(readText(target)).some(heading => heading.anchor === anchor);
  });
}

describe.each(documents())("%s", document => {
  const text = readText(document);

  it("only links to what exists", () => {
    expect(brokenLinksIn(document)).toEqual([]);
  });

  it("only names what exists", () => {
    expect(brokenIn(text, dirname(document))).toEqual([]);
  });

  it("cites nothing outside the repository", () => {
    expect(text.match(OUTSIDE)).toBeNull();
  });
});

describe("comments", () => {
  const found = (broken: (comment: string, folder: string) => readonly string[]) =>
    code.flatMap(path =>
      commentsIn(readText(path)).flatMap(comment => broken(comment, dirname(path)).map(one => `${path}: ${one}`)),
    );

  it("only name what exists", () => {
    expect(found(brokenIn)).toEqual([]);
  });

  it("only refer to names that the code has", () => {
    expect(
      found(text => all(text, /\b[Ss]ee `(\w+)`/g).filter(name => !identifiers.has(name) && !isRoom(name))),
    ).toEqual([]);
  });

  it("cite nothing outside the repository", () => {
    const citing = code.filter(path => OUTSIDE.test(readText(path)) && !path.endsWith("docs.test.ts"));
    expect(citing).toEqual([]);
  });
});

function isRoom(name: string): boolean {
  return rooms.has(name) || files.some(path => basename(path).startsWith(`${name}.`));
}

it("the README lists every setting", () => {
  const listed = all(readText("README.md"), /^\| `(dedup\.\w+)` \|/gm);
  expect(listed.toSorted()).toEqual(settings.toSorted());
});

it("the changelog begins with the packaged version, after unreleased changes", () => {
  const headings = all(readText("CHANGELOG.md"), /^## (\S+)/gm);
  expect(headings[headings[0] === "Unreleased" ? 1 : 0]).toBe(version);
});

describe("the check itself", () => {
  it.each([
    ["a path", "see src/nowhere.ts for more"],
    ["a module", "as in `log/nowhere`"],
    ["a file beside it", "`nowhere.mjs` does it"],
    ["a test", "tested in nowhere.test.ts"],
    ["a command", "npm run nothing -- PATH"],
    ["a setting", "`dedup.nothing`"],
    ["a section", 'docs/rules.md "Nothing"'],
    ["a document", 'docs/nowhere.md "Hints"'],
  ])("finds %s that does not exist", (_, text) => {
    expect(brokenIn(text, "")).not.toEqual([]);
  });

  it("accepts what exists", () => {
    const text =
      'docs/rules.md "Hints", `log/logReader`, `src/log/logReader.ts`, layers.test.ts, `logReader`, npm run check';
    expect(brokenIn(text, "")).toEqual([]);
  });

  it("reads comments across lines", () => {
    const comments = commentsIn(
      '/** One: docs/rules.md\n * "Hints". */\nconst a = "https://x"; // Two,\n// and three.\n',
    );
    expect(comments).toEqual(['One: docs/rules.md "Hints".', "Two, and three."]);
  });
});

/** What people read in the repository: the documents, and the comments in the code. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./replay.js";

export function readText(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}

const NOT_OURS = /^(?:node_modules|dist|coverage|\.git|\.[a-z]+-test|test\/fixtures)(?:\/|$)/;

/** Paths of all our files, relative to the repository's root. */
export function ownFiles(folder = ""): string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap(entry => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (NOT_OURS.test(path)) return [];
    return entry.isDirectory() ? ownFiles(path) : [path];
  });
}

/** Every document except the changelog, which is about the past. */
export function documents(): string[] {
  return ownFiles().filter(path => path.endsWith(".md") && path !== "CHANGELOG.md");
}

export function codeFiles(): string[] {
  return ownFiles().filter(path => /\.(?:ts|tsx|mts|mjs|css)$/.test(path));
}

/** The comments of a file as running text, without comment markers. */
export function commentsIn(code: string): string[] {
  // Comments on consecutive lines are one text.
  const found = code.match(/\/\*[\s\S]*?\*\/|(?:(?<=^|\s)\/\/.*(?:\n\s*(?=\/\/))?)+/gm) ?? [];
  return found.map(comment =>
    comment
      .replace(/^\/\*+|\*+\/$/g, "")
      .replace(/^\s*(?:\/\/|\*)\s?/gm, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

/** The code without its comments. */
export function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

/** The sections that can be linked to, with GitHub's anchors. */
export function headingsIn(document: string): { readonly title: string; readonly anchor: string }[] {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => ({
    title,
    anchor: title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  }));
}

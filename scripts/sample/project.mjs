// The invented project "ladle", a small recipe-scaling web service, and a toy git over its files.

import { CORE } from "./ladle/core.mjs";
import { DOCS } from "./ladle/docs.mjs";
import { PARSE } from "./ladle/parse.mjs";
import { TESTS } from "./ladle/tests.mjs";
import { WEB } from "./ladle/web.mjs";

export const ROOT = "/home/ana/ladle";

/** @typedef {{ oldStart: number, oldLines: number, newStart: number, newLines: number, lines: string[] }} Hunk */

export class Project {
  constructor() {
    /** @type {Map<string, string>} */
    this.files = new Map(Object.entries({ ...CORE, ...DOCS, ...PARSE, ...TESTS, ...WEB }).sort());
    this.head = new Map(this.files);
  }

  /** @param {string} path */
  text(path) {
    const text = this.files.get(path);
    if (text === undefined) throw new Error(`no such file: ${path}`);
    return text;
  }

  paths() {
    return [...this.files.keys()].sort();
  }

  /** Replaces the only occurrence of `before`. @param {string} path @param {string} before @param {string} after */
  replace(path, before, after) {
    const text = this.text(path);
    if (text.split(before).length !== 2) throw new Error(`not exactly once in ${path}: ${before}`);
    this.files.set(
      path,
      text.replace(before, () => after),
    );
  }

  commit() {
    this.head = new Map(this.files);
  }

  /** Paths that differ from the last commit. */
  changed() {
    return this.paths().filter(path => this.files.get(path) !== this.head.get(path));
  }

  /** `git status --short` */
  status() {
    const mark = (/** @type {string} */ path) => (this.head.has(path) ? " M " : "?? ");
    return this.changed()
      .map(path => mark(path) + path)
      .join("\n");
  }

  /** `git diff` of tracked files. @param {string[]} [only] */
  diff(only) {
    const paths = this.changed().filter(path => this.head.has(path) && (only === undefined || only.includes(path)));
    return paths.map(path => this.#diffOf(path)).join("\n");
  }

  /** `git diff --stat` of tracked files. */
  stat() {
    const rows = this.changed().filter(path => this.head.has(path));
    const counts = rows.map(path => {
      const marks = hunksOf(this.head.get(path) ?? "", this.text(path)).flatMap(hunk =>
        hunk.lines.map(line => line[0]),
      );
      return {
        path,
        plus: marks.filter(mark => mark === "+").length,
        minus: marks.filter(mark => mark === "-").length,
      };
    });
    const width = Math.max(...rows.map(path => path.length));
    const sum = (/** @type {"plus" | "minus"} */ key) => counts.reduce((total, count) => total + count[key], 0);
    const lines = counts.map(({ path, plus, minus }) => {
      return ` ${path.padEnd(width)} | ${String(plus + minus).padStart(3)} ${"+".repeat(plus)}${"-".repeat(minus)}`;
    });
    const files = rows.length === 1 ? "1 file changed" : `${rows.length} files changed`;
    return [...lines, ` ${files}, ${sum("plus")} insertions(+), ${sum("minus")} deletions(-)`].join("\n");
  }

  /** @param {string} path */
  #diffOf(path) {
    const hunks = hunksOf(this.head.get(path) ?? "", this.text(path));
    const out = [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`];
    for (const hunk of hunks) {
      out.push(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines);
    }
    return out.join("\n");
  }
}

/** @param {string} text */
export function linesOf(text) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Hunks with three lines of context. @param {string} before @param {string} after @returns {Hunk[]} */
export function hunksOf(before, after) {
  const script = scriptOf(linesOf(before), linesOf(after));
  const near = script.map((_, i) => script.slice(Math.max(0, i - 3), i + 4).some(step => step[0] !== " "));
  /** @type {Hunk[]} */
  const hunks = [];
  let oldLine = 1;
  let newLine = 1;
  script.forEach((step, i) => {
    if (near[i]) {
      if (!near[i - 1]) hunks.push({ oldStart: oldLine, oldLines: 0, newStart: newLine, newLines: 0, lines: [] });
      const hunk = /** @type {Hunk} */ (hunks.at(-1));
      hunk.lines.push(step);
      if (step[0] !== "+") hunk.oldLines++;
      if (step[0] !== "-") hunk.newLines++;
    }
    if (step[0] !== "+") oldLine++;
    if (step[0] !== "-") newLine++;
  });
  return hunks;
}

/** Every line with its mark: " " kept, "-" gone, "+" new. @param {string[]} a @param {string[]} b */
function scriptOf(a, b) {
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (/** @type {number} */ i, /** @type {number} */ j) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = /** @type {Uint16Array} */ (common[i]);
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const out = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(` ${a[i++]}`);
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) out.push(`-${a[i++]}`);
    else out.push(`+${b[j++]}`);
  }
  return out;
}

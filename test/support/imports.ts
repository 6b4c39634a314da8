/** Which module imports what, read from the source text. */
import { readFileSync } from "node:fs";
import { dirname, posix, relative, sep } from "node:path";
import { filesUnder, REPOSITORY } from "./replay.js";

export interface Import {
  /** As written. */
  readonly from: string;
  /** For our own modules the path from the repository's root, otherwise the package or built-in. */
  readonly target: string;
  /** The imported names, as the other module exports them; "*" for everything. */
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

export interface Module {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Written in AssemblyScript, whose compiler drops what is not imported. */
const ASSEMBLY = /[\\/](?:scanner|kernel|sums)[\\/]assembly[\\/]/;

/** The modules under a folder, without declaration files. */
export function modulesIn(folder: string): Module[] {
  return filesUnder(`${REPOSITORY}/${folder}`)
    .filter(path => /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path) && !ASSEMBLY.test(path))
    .map(path => {
      const name = relative(REPOSITORY, path).split(sep).join("/");
      const text = readFileSync(path, "utf8");
      return { path: name, text, imports: importsOf(name, text) };
    });
}

const STATEMENT = /\b(?:import|export)\s+(type\s+)?(?:([\w*{}\s,$]+?)\s+from\s*)?["']([^"'\n]+)["']/g;
const CALL = /\b(?:import|require)\s*\(\s*["'`]([^"'`\n]+)["'`]/g;

export function importsOf(path: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found: Import[] = [];
  for (const [, type, names = "", from = ""] of code.matchAll(STATEMENT)) {
    const typeOnly = type !== undefined || onlyTypes(names);
    found.push({ from, target: targetOf(path, from), names: namesIn(names), typeOnly });
  }
  for (const [, from = ""] of code.matchAll(CALL)) {
    found.push({ from, target: targetOf(path, from), names: ["*"], typeOnly: false });
  }
  return found;
}

/** Of `{ a, type B, c as d }`, `* as all` or a default name. */
function namesIn(clause: string): string[] {
  return clause
    .replace(/[{}]/g, "")
    .split(",")
    .flatMap(part => /^(?:type\s+)?([\w$*]+)/.exec(part.trim())?.[1] ?? []);
}

/** `{ type A, type B }` imports nothing that runs. */
function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const parts = inner?.split(",").flatMap(part => part.trim() || []) ?? [];
  return parts.length > 0 && parts.every(part => part.startsWith("type "));
}

/** AssemblyScript, which reads layouts too, names modules without an ending. */
function targetOf(path: string, from: string): string {
  if (!from.startsWith(".")) return from;
  const target = posix.join(dirname(path), from);
  return posix.extname(target) === "" ? `${target}.js` : target;
}

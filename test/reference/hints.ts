/** Hint texts (docs/rules.md "Hints") and near-references (docs/rules.md "Near-references") for the naive reference replay. */
import { isDeepStrictEqual } from "node:util";

export type Verbosity = "terse" | "standard" | "verbose" | "located";

/** A whole body that is one hint, perhaps after one of Read's line numbers (`%6d→`, `N<TAB>` or `N:`). */
export const HINT =
  /^(?: *\d+[→\t:])?> \[(?:ref: (?<whole>[^\s,\]]+)(?:, byte-identical(?:, from: [^\n]+)?)?|near-ref: (?<near>[^\s,\]]+), [^\n]+)\]$/;

/** A hint for a run of lines. */
export const RUN_HINT =
  /^> \[ref: (\S+?)(?: input\.\S+)? lines \d+-\d+(?:, (?:re)?numbered from \d+)?(?:, from: .+)?\]$/;

export function hintOf(
  entry: { id: string; tool: string; kind: "read" | "mutate" | "other"; target: string },
  verbosity: Verbosity,
  body: string,
): string {
  const hint = wanted(entry, verbosity);
  return hint.length <= body.length / 2 ? hint : wanted(entry, "standard");
}

function wanted(
  entry: { id: string; tool: string; kind: "read" | "mutate" | "other"; target: string },
  verbosity: Verbosity,
): string {
  if (verbosity === "terse") return `> [ref: ${entry.id}]`;
  if (verbosity === "standard") return `> [ref: ${entry.id}, byte-identical]`;
  const tag = entry.kind === "other" ? "other" : `file-${entry.kind}`;
  if (verbosity === "verbose") return `> [ref: ${entry.id}, byte-identical, from: ${tag}]`;
  const target = [...entry.target.replace(/\s+/g, " ")].slice(0, 60).join("");
  const again = /^(Bash|PowerShell)$/.test(entry.tool) ? ", run again now" : "";
  return `> [ref: ${entry.id}, byte-identical, from: ${entry.tool}(${target})${again}]`;
}

const MIN_BODY_BYTES = 500;
const MAX_DELTA_BYTES = 50;

export function nearReference(
  newestFirst: { id: string; body: string }[],
  body: string,
): { id: string; hint: string } | undefined {
  if (Buffer.byteLength(body) < MIN_BODY_BYTES) return undefined;
  for (const entry of newestFirst) {
    const delta = deltaOf(entry.body, body);
    if (delta !== undefined) return { id: entry.id, hint: `> [near-ref: ${entry.id}${delta}]` };
  }
  return undefined;
}

/** `, k1: old→new, k2: old→new` in the order of the new body's keys, or undefined if the rules forbid it. */
function deltaOf(oldBody: string, newBody: string): string | undefined {
  const before = parseMarked(oldBody);
  const after = parseMarked(newBody);
  if (before === undefined || after === undefined) return undefined;
  if (!isDeepStrictEqual([...before.keys()].sort(), [...after.keys()].sort())) return undefined;
  let delta = "";
  for (const [key, value] of after) {
    const old = before.get(key);
    if (isDeepStrictEqual(old, value)) continue;
    if (isContainer(old) || isContainer(value)) return undefined;
    delta += `, ${key}: ${textOf(old)}→${textOf(value)}`;
  }
  // A hint is one line.
  if (/[\r\n]/.test(delta)) return undefined;
  return delta === "" || Buffer.byteLength(delta) > MAX_DELTA_BYTES ? undefined : delta;
}

/**
 * The top level of a JSON object, with every string marked `s…` and every number kept as the text `n…`: numbers are
 * compared as written, and keys such as "1" or "__proto__" keep their place and mean nothing special.
 */
function parseMarked(body: string): Map<string, unknown> | undefined {
  const text = body.trimStart();
  if (!text.startsWith("{")) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const { marked, keys } = marksIn(text);
  const object = JSON.parse(marked) as Record<string, unknown>;
  // A duplicate key: only one of its values would be compared.
  if (keys !== countKeys(object)) return undefined;
  const entries = Object.entries(object);
  return new Map(entries.map(([key, value]) => [key.slice(1), value]));
}

/** Character by character: a regular expression could not handle strings of any length. */
function marksIn(text: string): { marked: string; keys: number } {
  let [marked, keys, inString, inNumber] = ["", 0, false, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    const isOfNumber = !inString && (inNumber ? /[-+.\deE]/ : /[-\d]/).test(character);
    if (isOfNumber && !inNumber) marked += '"n';
    if (!isOfNumber && inNumber) marked += '"';
    inNumber = isOfNumber;
    marked += character;
    if (character === '"') {
      inString = !inString;
      if (inString) marked += "s";
    } else if (character === "\\") marked += text[++at];
    else if (character === ":" && !inString) keys++;
  }
  return { marked, keys };
}

function countKeys(value: unknown): number {
  if (!isContainer(value)) return 0;
  const values = Object.values(value as object);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce((sum: number, inner) => sum + countKeys(inner), own);
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value.slice(1) : String(value);
}

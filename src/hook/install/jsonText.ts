/**
 * JSON with the places of its values in the text: Claude Code's settings are hand-written, so they are changed where
 * they must be and stay as they are everywhere else.
 */

export interface JsonNode {
  readonly kind: "object" | "array" | "scalar";
  /** text[start, end) is the value. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly JsonChild[];
  /** A scalar's value. */
  readonly value?: unknown;
}

/** A member of an object, which begins with its key, or an item of an array. */
export interface JsonChild {
  readonly key: string | undefined;
  readonly start: number;
  readonly node: JsonNode;
}

/** Where a text stops being JSON: line and column count from 1. */
export class JsonProblem extends Error {
  readonly line: number;
  readonly column: number;

  constructor(text: string, at: number, expected: string) {
    const before = text.slice(0, at).split("\n");
    const [line, column] = [before.length, (before.at(-1) ?? "").length + 1];
    super(`not valid JSON at line ${line}, column ${column}: ${expected} expected`);
    this.line = line;
    this.column = column;
  }
}

const DEEPEST = 200;
const SCALAR =
  /(?:"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;
const SPACE = /[ \t\r\n]*/y;

export function parseJson(text: string): JsonNode {
  // Editors on Windows put a byte order mark before everything.
  const first = skipSpace(text, text.startsWith("\ufeff") ? 1 : 0);
  const root = valueAt(text, first, 0);
  const end = skipSpace(text, root.end);
  if (end < text.length) throw new JsonProblem(text, end, "the end of the file");
  return root;
}

/** The value of a member; the last one where a key stands twice, as for every reader of JSON. */
export function memberOf(node: JsonNode, key: string): JsonChild | undefined {
  return node.children.findLast(child => child.key === key);
}

function valueAt(text: string, start: number, depth: number): JsonNode {
  if (depth > DEEPEST) throw new JsonProblem(text, start, "less nesting");
  if (text[start] === "{") return containerAt(text, start, depth, "object");
  if (text[start] === "[") return containerAt(text, start, depth, "array");
  SCALAR.lastIndex = start;
  const found = SCALAR.exec(text)?.[0];
  if (found === undefined) throw new JsonProblem(text, start, "a value");
  return { kind: "scalar", start, end: start + found.length, children: [], value: JSON.parse(found) };
}

function containerAt(text: string, start: number, depth: number, kind: "object" | "array"): JsonNode {
  const close = kind === "object" ? "}" : "]";
  const children: JsonChild[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== close || children.length > 0) {
    const child = kind === "object" ? memberAt(text, at, depth) : itemAt(text, at, depth);
    children.push(child);
    at = skipSpace(text, child.node.end);
    if (text[at] === close) break;
    if (text[at] !== ",") throw new JsonProblem(text, at, `"," or "${close}"`);
    at = skipSpace(text, at + 1);
  }
  return { kind, start, end: at + 1, children };
}

function itemAt(text: string, at: number, depth: number): JsonChild {
  return { key: undefined, start: at, node: valueAt(text, at, depth + 1) };
}

function memberAt(text: string, at: number, depth: number): JsonChild {
  if (text[at] !== '"') throw new JsonProblem(text, at, "a key in quotes");
  const key = valueAt(text, at, depth + 1);
  const colon = skipSpace(text, key.end);
  if (text[colon] !== ":") throw new JsonProblem(text, colon, '":"');
  return { key: key.value as string, start: at, node: valueAt(text, skipSpace(text, colon + 1), depth + 1) };
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

/**
 * Edits single values of a JSON text. People write settings by hand, so everything else keeps its bytes. jsonc-parser
 * finds the values, but its `modify` is not used: it reformats whole lines, edits the first of two duplicate keys
 * although JSON readers use the last, and turns `[1,2]` into `[12]` when it removes the 2.
 */
import { applyEdits, type Node as JsonNode, parseTree, printParseErrorCode, visit } from "jsonc-parser";

export type { JsonNode };

/** The text is not JSON as Claude Code reads it. Line and column are counted from 1. */
export class JsonProblem extends Error {
  constructor(text: string, offset: number, problem: string) {
    const before = text.slice(0, offset).split("\n");
    super(`not valid JSON at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}: ${problem}`);
  }
}

/** The parser is recursive. */
const MAX_DEPTH = 200;
/** Longer indentation is not repeated on new lines. */
const MAX_INDENT = 200;

/** Strict JSON. Throws at the first problem, before anything is built from a hostile text. */
export function parseJson(source: string): JsonNode {
  // Editors on Windows add a byte order mark. Replacing it with a space keeps all offsets.
  const text = source.replace(/^\ufeff/, " ");
  let depth = 0;
  const open = (offset: number) => {
    if (++depth > MAX_DEPTH + 1) throw new JsonProblem(text, offset, "nested too deep");
  };
  const close = () => depth--;
  const options = { disallowComments: true };
  visit(
    text,
    {
      onObjectBegin: open,
      onArrayBegin: open,
      onObjectEnd: close,
      onArrayEnd: close,
      onError: (code, offset) => {
        // "CommaExpected" and the like.
        const words = printParseErrorCode(code).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
        throw new JsonProblem(text, offset, words.toLowerCase());
      },
    },
    options,
  );
  return parseTree(text, [], options) as JsonNode;
}

/** An object's member with this key; the last one if there are several, as in any JSON reader. */
export function propertyOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.type === "object" ? node.children?.findLast(({ children }) => children?.[0]?.value === key) : undefined;
}

/** The value of the member with this key. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return propertyOf(node, key)?.children?.[1];
}

/** Adds a member (with a key) or an item at the end of a container; its outer `levels` are broken into lines. */
export function withChild(text: string, container: JsonNode, value: unknown, levels: number, key?: string): string {
  const last = container.children?.at(-1);
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const unit = /\n([ \t]+)\S/.exec(text)?.[1]?.slice(0, MAX_INDENT) ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  if (last === undefined) {
    const outer = eol + indentAt(text, container.offset);
    const content = outer + unit + name + rendered(value, levels, outer + unit, unit) + outer;
    return applyEdits(text, [{ offset: container.offset + 1, length: container.length - 2, content }]);
  }
  const isOneLine = !text.slice(container.offset, endOf(container)).includes("\n");
  const line = eol + indentAt(text, last.offset);
  const content = isOneLine
    ? `, ${name}${rendered(value, 0, "", "")}`
    : `,${line}${name}${rendered(value, levels, line, unit)}`;
  return applyEdits(text, [{ offset: endOf(last), length: 0, content }]);
}

/** Removes members and items, together with the commas between them and their neighbors. */
export function withoutChildren(text: string, gone: ReadonlySet<JsonNode>): string {
  const cuts: [from: number, to: number][] = [];
  for (const container of new Set([...gone].flatMap(({ parent }) => parent ?? []))) {
    const children = container.children ?? [];
    for (let first = 0; first < children.length; first++) {
      let next = first;
      while (gone.has(children[next] as JsonNode)) next++;
      if (next > first) cuts.push(cutOf(container, children[first - 1], children.slice(first, next), children[next]));
      first = next;
    }
  }
  // Not with `applyEdits`, which copies the text for every edit.
  const pieces: string[] = [];
  let at = 0;
  for (const [from, to] of cuts.sort(([one], [other]) => one - other)) {
    pieces.push(text.slice(at, from));
    at = to;
  }
  return pieces.join("") + text.slice(at);
}

function cutOf(
  container: JsonNode,
  before: JsonNode | undefined,
  gone: readonly JsonNode[],
  after: JsonNode | undefined,
): [from: number, to: number] {
  if (before !== undefined) return [endOf(before), endOf(gone.at(-1) ?? before)];
  return after === undefined
    ? [container.offset + 1, endOf(container) - 1]
    : [gone[0]?.offset ?? after.offset, after.offset];
}

/** `line`: a line break with the indentation of the line that the value is on. */
function rendered(value: unknown, levels: number, line: string, unit: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const children = Object.entries(value).map(([key, child]) => {
    const name = isList ? "" : `${JSON.stringify(key)}: `;
    return name + rendered(child, levels - 1, line + unit, unit);
  });
  const [inner, outer] = levels > 0 ? [line + unit, line] : isList ? ["", ""] : [" ", " "];
  const content = inner + children.join(levels > 0 ? `,${inner}` : ", ") + outer;
  return isList ? `[${content}]` : `{${content}}`;
}

/** The indentation of the line on which a value begins. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
  return indent.length > MAX_INDENT ? "" : indent;
}

function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

/** Adds and removes single values of a JSON text, in the text's own manner of indenting and breaking lines. */
import type { JsonNode } from "./jsonText.js";

/** Adds a member (with a key) or an item at the end of a container; the outer `levels` of it line by line. */
export function withChild(text: string, container: JsonNode, value: unknown, levels: number, key?: string): string {
  const last = container.children.at(-1);
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  if (last === undefined) {
    const base = indentAt(text, container.start);
    const inner = base + unitOf(text);
    const eol = lineBreakOf(text);
    const child = eol + inner + name + rendered(text, value, inner, levels) + eol + base;
    return text.slice(0, container.start + 1) + child + text.slice(container.end - 1);
  }
  const isOneLine = !text.slice(container.start, container.end).includes("\n");
  const indent = indentAt(text, last.start);
  const child = isOneLine
    ? `, ${name}${onOneLine(value)}`
    : `,${lineBreakOf(text)}${indent}${name}${rendered(text, value, indent, levels)}`;
  return text.slice(0, last.node.end) + child + text.slice(last.node.end);
}

/** Removes a child together with the comma that tied it to its neighbour. */
export function withoutChild(text: string, container: JsonNode, index: number): string {
  const { children } = container;
  const [before, gone, after] = [children[index - 1], children[index], children[index + 1]];
  if (gone === undefined) return text;
  const cut = (from: number, to: number) => text.slice(0, from) + text.slice(to);
  if (before !== undefined) return cut(before.node.end, gone.node.end);
  return after === undefined ? cut(container.start + 1, container.end - 1) : cut(gone.start, after.start);
}

function rendered(text: string, value: unknown, indent: string, levels: number): string {
  if (levels === 0 || typeof value !== "object" || value === null) return onOneLine(value);
  const inner = indent + unitOf(text);
  const isList = Array.isArray(value);
  const children = Object.entries(value).map(([key, child]) => {
    const name = isList ? "" : `${JSON.stringify(key)}: `;
    return inner + name + rendered(text, child, inner, levels - 1);
  });
  const eol = lineBreakOf(text);
  return (isList ? "[" : "{") + eol + children.join(`,${eol}`) + eol + indent + (isList ? "]" : "}");
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}: ${onOneLine(child)}`);
  return `{ ${members.join(", ")} }`;
}

/** The white space at the beginning of the line on which a value stands. */
function indentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? "";
}

/** One step of indenting: what stands before the first indented line. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

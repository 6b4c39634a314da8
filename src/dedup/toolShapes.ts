/**
 * Every tool returns its own kind of object, from which Claude Code renders the text that the model reads. A shape is
 * known here only if that text is known byte for byte; nothing else is ever replaced.
 */
import { isMcp, isShell } from "../log/tools.js";
import { type NumberStyle, numberCode, numberOfCode, prefixLength, prefixOf } from "./runs/numbered.js";

/** How Claude Code renders a file, which depends on its version. */
export interface ReadFormat {
  readonly style: NumberStyle;
  /** What follows the file's lines. */
  readonly after: string;
}

export interface KnownShape {
  /** What the model would read. */
  body(format: ReadFormat): string;
  /** The response that makes the model read this text instead. */
  replacedBy(text: string, format: ReadFormat): unknown;
  /** A file with a line that starts with a tab: a colon may follow its numbers. */
  readonly hasTabs?: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** Undefined if the response is an error, an image, saved to a file, interrupted, or simply unknown. */
export function shapeOf(tool: string, response: unknown): KnownShape | undefined {
  if (isMcp(tool)) return ofMcp(response);
  if (typeof response !== "object" || response === null || Array.isArray(response)) return undefined;
  const members = response as Members;
  if (isShell(tool)) return ofShell(members);
  if (tool === "Read") return ofRead(members);
  if (tool === "Grep") return ofGrep(members);
  return undefined;
}

/** Members that are not part of the model's text. */
const SHELL_MEMBERS = new Set([
  "stdout",
  "stderr",
  "noOutputExpected",
  "returnCodeInterpretation",
  "gitOperation",
  "bashEditDiff",
]);

function ofShell(response: Members): KnownShape | undefined {
  const { stdout, stderr } = response;
  if (typeof stdout !== "string" || typeof stderr !== "string") return undefined;
  if (!hasOnly(response, SHELL_MEMBERS)) return undefined;
  return {
    body: () => [stdout.replace(/^(?:\s*\n)+/, "").trimEnd(), stderr.trim()].filter(part => part !== "").join("\n"),
    replacedBy: text => ({ ...response, stdout: text, stderr: "" }),
  };
}

const READ_MEMBERS = new Set(["type", "file"]);
const FILE_MEMBERS = new Set(["filePath", "content", "numLines", "startLine", "totalLines"]);

function ofRead(response: Members): KnownShape | undefined {
  const file = response["file"] as Members | null | undefined;
  if (response["type"] !== "text" || typeof file !== "object" || file === null) return undefined;
  const { content, startLine } = file;
  if (typeof content !== "string" || content === "" || !Number.isSafeInteger(startLine)) return undefined;
  if (!hasOnly(response, READ_MEMBERS) || !hasOnly(file, FILE_MEMBERS)) return undefined;
  const first = startLine as number;
  return {
    hasTabs: content.startsWith("\t") || content.includes("\n\t"),
    body: ({ style, after }) => {
      const lines = content.split("\n").map((line, at) => prefixOf(style, first + at) + line.replace(/\r$/, ""));
      return lines.join("\n") + after;
    },
    replacedBy: (text, { after }) => {
      const lines = text.slice(0, text.length - after.length);
      return { ...response, file: { ...file, ...unnumbered(lines) } };
    },
  };
}

/** The file that the model would read as these numbered lines. */
export function unnumbered(text: string): { readonly content: string; readonly startLine: number } {
  const startLine = numberOfCode(numberCode(text));
  const lines = text.split("\n").map(line => line.slice(prefixLength(numberCode(line))));
  return { content: lines.join("\n"), startLine };
}

const GREP_MEMBERS = new Set(["mode", "numFiles", "filenames", "content", "numLines", "totalLines"]);

function ofGrep(response: Members): KnownShape | undefined {
  const { mode, content } = response;
  if (mode !== "content" || typeof content !== "string" || content === "") return undefined;
  if (!hasOnly(response, GREP_MEMBERS)) return undefined;
  return { body: () => content, replacedBy: text => ({ ...response, content: text }) };
}

/** A text, or blocks of text. Undefined if they include an image. */
function ofMcp(response: unknown): KnownShape | undefined {
  if (typeof response === "string") return { body: () => response, replacedBy: text => text };
  if (!Array.isArray(response) || response.length === 0) return undefined;
  const texts: string[] = [];
  for (const block of response as (Members | null)[]) {
    if (block?.["type"] !== "text" || typeof block["text"] !== "string") return undefined;
    texts.push(block["text"]);
  }
  return { body: () => texts.join("\n"), replacedBy: text => [{ type: "text", text }] };
}

/** Whether these are the only members with a value: any other could be part of what the model reads. */
function hasOnly(members: Members, known: ReadonlySet<string>): boolean {
  for (const name of Object.keys(members)) if (!known.has(name) && !isEmpty(members[name])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === "" || value === 0;
}

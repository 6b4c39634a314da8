/**
 * Every tool returns its own kind of object, from which Claude Code makes the text that the model reads. A shape is
 * known here only if that text is known byte for byte; anything else is never replaced.
 */
import { prefixOf } from "../dedup/runs/numbered.js";

export interface KnownShape {
  /** What the model would read. */
  readonly body: string;
  /** Whether the model reads the replacement as it is. (Read numbers the lines.) */
  readonly verbatim: boolean;
  /** The response with another text in place of everything it says. */
  replacedBy(text: string): unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Undefined if the response is an error, an image, saved to a file, interrupted, or simply unknown. */
export function shapeOf(tool: string, response: unknown): KnownShape | undefined {
  if (tool.startsWith("mcp__")) return ofMcp(response);
  if (typeof response !== "object" || response === null || Array.isArray(response)) return undefined;
  const members = response as Members;
  if (tool === "Bash" || tool === "PowerShell") return ofShell(members);
  if (tool === "Read") return ofRead(members);
  if (tool === "Grep") return ofGrep(members);
  return undefined;
}

/** Members from which no text for the model is made. */
const SHELL_MEMBERS = new Set(["stdout", "stderr", "noOutputExpected", "returnCodeInterpretation", "gitOperation"]);

function ofShell(response: Members): KnownShape | undefined {
  const { stdout, stderr } = response;
  if (typeof stdout !== "string" || typeof stderr !== "string") return undefined;
  if (!hasOnly(response, SHELL_MEMBERS)) return undefined;
  const body = [stdout.replace(/^(?:\s*\n)+/, "").trimEnd(), stderr.trim()].filter(part => part !== "").join("\n");
  return { body, verbatim: true, replacedBy: text => ({ ...response, stdout: text, stderr: "" }) };
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
  const body = content
    .split("\n")
    .map((line, index) => prefixOf("tab", first + index) + line)
    .join("\n");
  return { body, verbatim: false, replacedBy: text => ({ ...response, file: { ...file, content: text } }) };
}

const GREP_MEMBERS = new Set(["mode", "numFiles", "filenames", "content", "numLines", "totalLines"]);

function ofGrep(response: Members): KnownShape | undefined {
  const { mode, content } = response;
  if (mode !== "content" || typeof content !== "string" || content === "") return undefined;
  if (!hasOnly(response, GREP_MEMBERS)) return undefined;
  return { body: content, verbatim: true, replacedBy: text => ({ ...response, content: text }) };
}

/** A text, or blocks of text. Undefined if there is an image among them. */
function ofMcp(response: unknown): KnownShape | undefined {
  if (typeof response === "string") return { body: response, verbatim: true, replacedBy: text => text };
  if (!Array.isArray(response) || response.length === 0) return undefined;
  const texts: string[] = [];
  for (const block of response as (Members | null)[]) {
    if (block?.["type"] !== "text" || typeof block["text"] !== "string") return undefined;
    texts.push(block["text"]);
  }
  return { body: texts.join("\n"), verbatim: true, replacedBy: text => [{ type: "text", text }] };
}

/** Whether every member with a value is one of these: another one could be part of what the model reads. */
function hasOnly(members: Members, known: ReadonlySet<string>): boolean {
  return Object.entries(members).every(([name, value]) => known.has(name) || isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === "" || value === 0;
}

/** What a tool call does to files, as far as its name tells. */
export type ToolKind = "read" | "mutate" | "other";

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ["Read", "read"],
  ["Grep", "read"],
  ["Glob", "read"],
  ["NotebookRead", "read"],
  ["Edit", "mutate"],
  ["Write", "mutate"],
  ["MultiEdit", "mutate"],
  ["NotebookEdit", "mutate"],
]);

export function kindOfTool(name: string): ToolKind {
  return KINDS.get(name) ?? "other";
}

const SHELLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);

/** A shell's output says what a command found just now, not what a file holds. */
export function isShell(tool: string): boolean {
  return SHELLS.has(tool);
}

export type ToolInput = Readonly<Record<string, unknown>>;

/** The file a read or mutate call names, made absolute and tidy, so that two spellings of one path are equal. */
export function pathOfCall(kind: ToolKind, input: ToolInput, cwd: string | undefined): string | undefined {
  if (kind === "other") return undefined;
  const given = firstString(input, ["file_path", "path", "notebook_path"]);
  return given === undefined ? undefined : absolutePath(given, cwd);
}

/** The lines that a Read asks for: from which one on, and how many; 0 for all. */
export type LineRange = readonly [from: number, lines: number];

export function rangeOfCall(tool: string, input: ToolInput): LineRange | undefined {
  return tool === "Read" ? [countOf(input["offset"]) || 1, countOf(input["limit"])] : undefined;
}

/** More lines than any file has: such a number is nonsense. */
const TOO_MANY_LINES = 2 ** 31;

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < TOO_MANY_LINES ? value : 0;
}

const DRIVE = /^[A-Za-z]:/;

function withForwardSlashes(path: string): string {
  return DRIVE.test(path) || path.startsWith("\\\\") ? path.replaceAll("\\", "/") : path;
}

function absolutePath(given: string, cwd: string | undefined): string {
  const path = withForwardSlashes(given);
  if (path.startsWith("/") || DRIVE.test(path) || cwd === undefined) return tidy(path);
  const base = withForwardSlashes(cwd);
  // On Windows a relative path may be spelled with backslashes too; the folder it is joined to tells.
  const relative = base === cwd && base.startsWith("/") ? path : path.replaceAll("\\", "/");
  return tidy(`${base}/${relative}`);
}

/** A doubled or last slash, "." or "..": most paths have none of these. */
const UNTIDY = /\/\.{0,2}(?:\/|$)/;

/** Resolves "." and ".." and doubled slashes; never climbs above a root, a drive or a network share's two slashes. */
function tidy(path: string): string {
  if (path.startsWith("/") && !UNTIDY.test(path)) return path;
  const root = /^(?:[A-Za-z]:\/?|\/\/|\/)?/.exec(path)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of path.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/");
}

/** What a person would call this call's subject: its file, command, pattern or query, on one line. */
export function targetOfCall(input: ToolInput, cwd: string | undefined): string {
  const path = firstString(input, ["file_path", "path", "notebook_path"]);
  const subject = firstString(input, ["command", "pattern", "query", "url", "skill", "description", "prompt"]);
  if (path === undefined) return oneLine(subject ?? "");
  if (subject !== undefined) return oneLine(subject);
  const isInside = cwd !== undefined && comparable(path).startsWith(`${comparable(cwd)}/`);
  return oneLine(isInside ? path.slice(cwd.length + 1) : path);
}

/** Of the same length as the path: a drive is the same in both cases, and so is a slash in both directions. */
function comparable(path: string): string {
  if (path.startsWith("/")) return path;
  return withForwardSlashes(path).replace(DRIVE, drive => drive.toUpperCase());
}

const TARGET_LENGTH = 60;
/** The beginning of a text, for places that have one short line for it. */
export function oneLine(text: string): string {
  const start = text.length > TARGET_LENGTH ? text.slice(0, TARGET_LENGTH) : text;
  if (FOLDED.test(start)) return start;
  // Only the head is shown, so a command of a megabyte is not folded as a whole.
  const head = text.length > 4 * TARGET_LENGTH ? text.slice(0, 4 * TARGET_LENGTH) : text;
  const folded = head.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return folded.length > TARGET_LENGTH ? [...folded].slice(0, TARGET_LENGTH).join("") : folded;
}

/** Visible ASCII with single spaces between: most subjects are just that. */
const FOLDED = /^(?:[!-~]+(?: [!-~]+)*)?$/;

function firstString(input: ToolInput, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

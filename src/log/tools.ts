/** What a tool does to files, judging by its name. */
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

/** A shell's output shows what a command found at the time, not what a file contains. */
export function isShell(tool: string): boolean {
  return SHELLS.has(tool);
}

/** Whether a tool belongs to an MCP server: mcp__server__tool. */
export function isMcp(tool: string): boolean {
  return tool.startsWith("mcp__");
}

/** In its log, Claude Code adds the user's plan to this tool's input, which the model never receives. */
const PLAN_TOOL = "ExitPlanMode";

/** Whether the model has everything that the log says of a call's input. */
export function hasOwnInput(tool: string): boolean {
  return tool !== PLAN_TOOL;
}

export type ToolInput = Readonly<Record<string, unknown>>;

const PATH_KEYS = ["file_path", "path", "notebook_path"];
const SUBJECT_KEYS = ["command", "pattern", "query", "url", "skill", "description", "prompt"];

/** The path in an input; if there are several, by precedence. The scanner knows these names, too. */
export function pathIn(input: ToolInput): string | undefined {
  return firstString(input, PATH_KEYS);
}

/** The same for the call's subject. */
export function subjectIn(input: ToolInput): string | undefined {
  return firstString(input, SUBJECT_KEYS);
}

/** The file that a read or mutate call names, absolute and normalized, so that two spellings of a path are equal. */
export function pathOfCall(kind: ToolKind, input: ToolInput, cwd: string | undefined): string | undefined {
  if (kind === "other") return undefined;
  const given = pathIn(input);
  return given === undefined ? undefined : absolutePath(given, cwd);
}

/** The lines that a Read asks for: the first one, and how many; 0 for all. */
export type LineRange = readonly [from: number, lines: number];

export function rangeOfCall(tool: string, input: ToolInput): LineRange | undefined {
  return tool === "Read" ? rangeOf(input["offset"], input["limit"]) : undefined;
}

export function rangeOf(offset: unknown, limit: unknown): LineRange {
  return [countOf(offset) || 1, countOf(limit)];
}

/** No file has this many lines: such a number is nonsense. */
const TOO_MANY_LINES = 2 ** 31;

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < TOO_MANY_LINES ? value : 0;
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const DRIVE = /^[A-Za-z]:/;

/** Whether a path begins with a Windows drive or network share. */
function isOfWindows(path: string): boolean {
  const first = path.charCodeAt(0);
  const second = path.charCodeAt(1);
  return second === COLON ? DRIVE.test(path) : first === BACKSLASH && second === BACKSLASH;
}

function withForwardSlashes(path: string): string {
  return isOfWindows(path) ? path.replaceAll("\\", "/") : path;
}

/** Also normalizes the path. */
export function absolutePath(given: string, cwd: string | undefined): string {
  if (given.charCodeAt(0) === SLASH) return normalized(given);
  const path = withForwardSlashes(given);
  if (path.startsWith("/") || isOfWindows(path) || cwd === undefined) return normalized(path);
  const base = withForwardSlashes(cwd);
  // On Windows a relative path may contain backslashes too; the folder shows which system it is.
  const relative = base === cwd && base.startsWith("/") ? path : path.replaceAll("\\", "/");
  return normalized(`${base}/${relative}`);
}

/** A doubled or trailing slash, "." or "..": most paths have none of these. */
const ABSOLUTE = /^(?:[A-Za-z]:)?\//;
const UNNORMALIZED = /\/\.{0,2}(?:\/|$)/;

/** Resolves ".", ".." and doubled slashes; never goes above a root, a drive or the two slashes of a network share. */
function normalized(path: string): string {
  if (ABSOLUTE.test(path) && !UNNORMALIZED.test(path)) return path;
  const root = /^(?:[A-Za-z]:\/?|\/\/|\/)?/.exec(path)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of path.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/");
}

/** What a call is about, for display: its file, command, pattern or query, on one line. */
export function targetOf(path: string | undefined, subject: string | undefined, cwd: string | undefined): string {
  if (subject !== undefined) return oneLine(subject);
  if (path === undefined) return "";
  return oneLine(cwd !== undefined && isInside(path, cwd) ? path.slice(cwd.length + 1) : path);
}

function isInside(path: string, folder: string): boolean {
  const next = path.charCodeAt(folder.length);
  if (next !== SLASH && next !== BACKSLASH) return false;
  // Nearly always, both are spelled the same way, and the first two characters are enough.
  if (folder.length > 2 && path.startsWith(folder)) return next === SLASH || isOfWindows(path);
  return comparable(path).startsWith(`${comparable(folder)}/`);
}

/** VS Code writes a drive as `c:`, shells as `C:`, and Claude Code logs what it was started with. */
export function withUpperDrive(path: string): string {
  return path.charCodeAt(1) === COLON ? path.replace(DRIVE, drive => drive.toUpperCase()) : path;
}

/** The path with one spelling for drives and slashes; its length stays the same. */
function comparable(path: string): string {
  if (path.startsWith("/")) return path;
  return withUpperDrive(withForwardSlashes(path));
}

const MAX_TARGET_CHARS = 60;
const MAX_TITLE_CHARS = 120;

/** The start of a text, folded onto one short line. */
function oneLine(text: string): string {
  const start = text.length > MAX_TARGET_CHARS ? text.slice(0, MAX_TARGET_CHARS) : text;
  if (FOLDED.test(start)) return start;
  return beginning(foldedStart(text, MAX_TARGET_CHARS), MAX_TARGET_CHARS);
}

/** A title on one line, cut between words. */
export function titleLine(text: string): string {
  const folded = foldedStart(text, MAX_TITLE_CHARS);
  if (folded.length <= MAX_TITLE_CHARS) return folded;
  const start = beginning(folded, MAX_TITLE_CHARS);
  const words = start.replace(/ \S*$/, "");
  // A single word may be all there is.
  return `${words.length > MAX_TITLE_CHARS / 2 ? words : start}…`;
}

/** At most `max` characters; a surrogate pair counts as one. */
function beginning(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, max);
  return SURROGATE.test(start) ? [...text.slice(0, 2 * max)].slice(0, max).join("") : start;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Only the start is shown, so a command of a megabyte need not be folded completely. */
function foldedStart(text: string, max: number): string {
  const head = text.length > 4 * max ? text.slice(0, 4 * max) : text;
  return head.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Visible ASCII with single spaces: most targets need no folding. */
const FOLDED = /^(?:[!-~]+(?: [!-~]+)*)?$/;

function firstString(input: ToolInput, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

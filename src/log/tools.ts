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

export type ToolInput = Readonly<Record<string, unknown>>;

/** The file a read or mutate call names, made absolute and tidy, so that two spellings of one path are equal. */
export function pathOfCall(kind: ToolKind, input: ToolInput, cwd: string | undefined): string | undefined {
  if (kind === "other") return undefined;
  const given = firstString(input, ["file_path", "path", "notebook_path"]);
  return given === undefined ? undefined : absolutePath(given, cwd);
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

/** Resolves "." and ".." and doubled slashes; never climbs above a root, a drive or a network share's two slashes. */
function tidy(path: string): string {
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
  const inside = cwd !== undefined && (path.startsWith(`${cwd}/`) || path.startsWith(`${cwd}\\`));
  return oneLine(inside ? path.slice(cwd.length + 1) : path);
}

const TARGET_LENGTH = 60;
/** The beginning of a text, for places that have one short line for it. */
export function oneLine(text: string): string {
  // Only the head is shown, so a command of a megabyte is not folded as a whole.
  const head = text.length > 4 * TARGET_LENGTH ? text.slice(0, 4 * TARGET_LENGTH) : text;
  const folded = needsFolding(head) ? head.replace(/[\s\p{Cc}]+/gu, " ").trim() : head;
  return folded.length > TARGET_LENGTH ? [...folded].slice(0, TARGET_LENGTH).join("") : folded;
}

/** Whether there is anything but visible ASCII with single spaces between; most subjects are just that. */
function needsFolding(text: string): boolean {
  let before = 0x20;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || (code === 0x20 && before === 0x20)) return true;
    before = code;
  }
  return before === 0x20 && text !== "";
}

function firstString(input: ToolInput, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

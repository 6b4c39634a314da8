/** Claude Code's settings files: where they are, how they are read, and how they are replaced atomically. */
import { isUtf8 } from "node:buffer";
import { lstatSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "../../files/makeFolder.js";
import { problemOf, readSmallFile } from "../../files/openFile.js";
import { targetOf, writeWhole } from "../../files/wholeFile.js";
import type { Scope } from "../../settings/liveSettings.js";

export interface Places {
  /** Claude Code's own folders, which contain the user's settings; only determined if needed. */
  configFolders(): readonly string[];
  readonly project: string;
}

/** Far larger than any file written by hand. */
const MAX_BYTES = 16 * 1024 * 1024;

/** One file, unless the user has several Claude Code folders. */
export function settingsFilesOf(scope: Scope, { configFolders, project }: Places): string[] {
  if (scope === "user") return configFolders().map(folder => join(folder, "settings.json"));
  return [join(project, ".claude", PROJECT_FILES[scope])];
}

const PROJECT_FILES = { project: "settings.json", local: "settings.local.json" } as const;

/** The scope of a settings file in any project. */
export function projectScopeOf(file: string): Scope {
  return basename(file) === PROJECT_FILES.project ? "project" : "local";
}

/** The file's bytes; undefined if it does not exist. */
export function bytesIfThere(file: string): Buffer | undefined {
  try {
    return readSmallFile(file, { maxBytes: MAX_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw leftAlone(file, problemOf(error));
  }
}

/** The file's text; undefined if it does not exist. Throws if it is not UTF-8: writing it back would change it. */
export function readIfThere(file: string): string | undefined {
  const bytes = bytesIfThere(file);
  if (bytes === undefined) return undefined;
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return text;
  const again = Buffer.from(text);
  const bad = bytes.findIndex((byte, at) => byte !== again[at]);
  const line = bytes.toString("latin1", 0, bad).split("\n").length;
  throw leftAlone(file, `line ${line} holds a byte that is not UTF-8`);
}

export function leftAlone(file: string, why: string): Error {
  return new Error(`${file}: ${why}; nothing was changed`);
}

/** Throws if the file cannot be replaced without breaking something: a link, a permission, a name. */
export function expectReplaceable(file: string): void {
  const target = targetOf(file);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return expectFolder(file, target);
  if (!stats.isFile()) throw leftAlone(file, stats.isDirectory() ? "is a folder" : "not a file");
  if (stats.nlink > 1) throw leftAlone(file, "it has a second name (a hard link), which would keep the old content");
  if ((stats.mode & 0o222) === 0) throw leftAlone(file, "it is read-only");
}

/** Never creates a folder behind a link. */
function expectFolder(file: string, target: string): void {
  const folder = dirname(target);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const isLinked = target !== resolve(file) || lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (isLinked) throw leftAlone(file, `there is no folder ${folder}`);
}

/** Replaces the file, or the target of a link; keeps permissions and owner. `confirm` may still throw. */
export async function replaceFile(file: string, content: string | Uint8Array, confirm: () => void): Promise<void> {
  expectReplaceable(file);
  const target = targetOf(file);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  makeFolder(dirname(target), 0o777);
  const mode = (stats?.mode ?? 0o600) & 0o777;
  try {
    await writeWhole(target, Buffer.from(content), { mode, owner: foreignOwner(stats), confirm });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : leftAlone(file, `it could not be written (${message})`);
  }
}

/** Undefined if a new file gets the right owner anyway. */
function foreignOwner(stats: Stats | undefined): Stats | undefined {
  const isOwn = stats?.uid === process.getuid?.() && stats?.gid === process.getgid?.();
  return isOwn || process.platform === "win32" ? undefined : stats;
}

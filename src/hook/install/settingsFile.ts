/** Claude Code's settings files: where they are, how one is read, and how it is replaced whole or not at all. */
import { isUtf8 } from "node:buffer";
import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { problemOf, readSmallFile } from "../../files/openFile.js";
import { targetOf, writeWhole } from "../../files/wholeFile.js";

export const SCOPES = ["user", "project", "local"] as const;
/** All of the user's projects; this project, for everyone who works on it; this project, for the user alone. */
export type Scope = (typeof SCOPES)[number];

export interface Places {
  /** Claude Code's own folder, where the user's settings are; asked for only where it matters. */
  configFolder(): string;
  readonly project: string;
}

/** Far more than anybody writes by hand. */
const MAX_BYTES = 16 * 1024 * 1024;

export function settingsFileOf(scope: Scope, { configFolder, project }: Places): string {
  if (scope === "user") return join(configFolder(), "settings.json");
  return join(project, ".claude", scope === "project" ? "settings.json" : "settings.local.json");
}

/** The file's bytes; undefined where there is none. */
export function bytesIfThere(file: string): Buffer | undefined {
  try {
    return readSmallFile(file, { maxBytes: MAX_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw leftAlone(file, problemOf(error));
  }
}

/** The file's text; undefined where there is none. Bytes that are no text would not come back as they were. */
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

/** Throws where a file could not be replaced without taking something from somebody. */
export function expectReplaceable(file: string): void {
  const target = targetOf(file);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return expectFolder(file, target);
  if (!stats.isFile()) throw leftAlone(file, stats.isDirectory() ? "is a folder" : "not a file");
  if (stats.nlink > 1) throw leftAlone(file, "it has a second name (a hard link), which would stay behind");
  if ((stats.mode & 0o222) === 0) throw leftAlone(file, "it is read-only");
}

/** A folder that only a link promises is not ours to make. */
function expectFolder(file: string, target: string): void {
  const folder = dirname(target);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const isPromised = target !== resolve(file) || lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (isPromised) throw leftAlone(file, `there is no folder ${folder}`);
}

/** Writes the file behind a name, with the permissions and the owner that it has. `confirm` may still refuse. */
export async function replaceFile(file: string, content: string | Uint8Array, confirm: () => void): Promise<void> {
  expectReplaceable(file);
  const target = targetOf(file);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  mkdirSync(dirname(target), { recursive: true });
  const mode = (stats?.mode ?? 0o600) & 0o777;
  try {
    await writeWhole(target, Buffer.from(content), { mode, owner: foreignOwner(stats), confirm });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : leftAlone(file, `it could not be written (${message})`);
  }
}

/** Undefined where a new file has the right owner by itself. */
function foreignOwner(stats: Stats | undefined): Stats | undefined {
  const isOwn = stats?.uid === process.getuid?.() && stats?.gid === process.getgid?.();
  return isOwn || process.platform === "win32" ? undefined : stats;
}

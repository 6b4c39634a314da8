/** Every settings file as it was before our first change, so that it can be restored exactly. */
import { hash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { dataFolder } from "../../files/folders.js";
import { makeFolder } from "../../files/makeFolder.js";
import { readSmallFile } from "../../files/openFile.js";
import { filesNamed, type Mark, removeIfOurs, removeOwnFiles } from "../../files/ownFiles.js";
import { writeWhole } from "../../files/wholeFile.js";

export interface Backup {
  readonly file: string;
  readonly before: string | null;
  /** Fingerprints of what we wrote or were about to write. */
  readonly wrote: readonly string[];
  /** We created the folder as well. */
  readonly madeFolder: boolean;
}

const MARK: Mark = { name: /^[0-9a-f]{16}\.json$/, begins: /^\{"file":"/ };
/** Large enough for a settings file of the maximum size as a JSON string. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The file may have been changed under another name, such as one through a link to its folder: then that one counts. */
export function backupOf(file: string): string {
  const own = join(backupFolder(), `${textHash(resolve(file)).slice(0, 16)}.json`);
  if (existsSync(own)) return own;
  const name = realName(file);
  return allBackups().find(one => realName(one.file) === name)?.path ?? own;
}

/** The same for all names of a file that differ in their folder's links or, on Windows, in upper and lower case. */
export function realName(file: string): string {
  const path = resolve(file);
  const folder = dirname(path);
  try {
    return join(realpathSync.native(folder), basename(path));
  } catch {
    // The folder may not exist yet.
    return folder === path ? path : join(realName(folder), basename(path));
  }
}

/** Undefined if there is no valid one. Version 1.0.0 kept a single fingerprint. */
export function readBackup(file: string): Backup | undefined {
  try {
    const text = readSmallFile(backupOf(file), { maxBytes: MAX_BYTES }).toString("utf8");
    const { before, wrote, madeFolder } = JSON.parse(text) as Record<keyof Backup, unknown>;
    if (before !== null && typeof before !== "string") return undefined;
    return { file: resolve(file), before, wrote: [wrote].flat() as string[], madeFolder: madeFolder === true };
  } catch {
    return undefined;
  }
}

/** The settings files that we have changed, wherever they are. */
export function backedUpFiles(): string[] {
  return allBackups().map(({ file }) => file);
}

function allBackups(): { readonly path: string; readonly file: string }[] {
  const backups = existsSync(backupFolder()) ? filesNamed(backupFolder(), MARK) : [];
  return backups.flatMap(({ path, isWhole }) => {
    const file = isWhole ? fileOf(path) : undefined;
    return file === undefined ? [] : { path, file };
  });
}

function fileOf(backup: string): string | undefined {
  try {
    const { file } = JSON.parse(readSmallFile(backup, { maxBytes: MAX_BYTES }).toString("utf8")) as { file?: unknown };
    return typeof file === "string" && isAbsolute(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

export async function writeBackup(file: string, backup: Omit<Backup, "file">): Promise<void> {
  makeFolder(dirname(backupOf(file)));
  await writeWhole(backupOf(file), Buffer.from(JSON.stringify({ file: resolve(file), ...backup })));
}

export function removeBackup(file: string): void {
  removeIfOurs({ path: backupOf(file), modified: 0, isWhole: true }, MARK);
}

/** Removes the backup folder unless live hints are still on in some other file. Returns whether it did. */
export function removeBackupsIfUnused(): boolean {
  if (existsSync(backupFolder()) && filesNamed(backupFolder(), MARK).some(({ isWhole }) => isWhole)) return false;
  removeOwnFiles(backupFolder(), [MARK]);
  return true;
}

export function isInstalledText(backup: Backup | undefined, text: string): backup is Backup {
  return backup?.wrote.includes(textHash(text)) === true;
}

export function textHash(text: string): string {
  return hash("sha256", text, "hex");
}

function backupFolder(): string {
  return join(dataFolder(), "settings");
}

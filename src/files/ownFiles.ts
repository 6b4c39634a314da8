/**
 * Removing what this program wrote, and nothing else. Its folders may hold files of others: a name alone proves nothing,
 * and a link leads anywhere.
 */
import { lstatSync, readdirSync, readSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withOpenFile } from "./openFile.js";
import { finishedName } from "./wholeFile.js";

/** How to tell a file of ours. */
export interface Mark {
  readonly name: RegExp;
  /** What its beginning matches, one character for each byte. */
  readonly begins: RegExp;
}

export interface OwnFile {
  readonly path: string;
  readonly modified: number;
  /** False for what a killed process left behind. */
  readonly isWhole: boolean;
}

/** Of a program, too, this much says whose it is. */
const HEAD_BYTES = 64 * 1024;

/** The regular files in a folder that have a name of ours, without a look into them. */
export function filesNamed(folder: string, { name }: Mark): OwnFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const isWhole = name.test(entry.name);
    if (!entry.isFile() || !(isWhole || name.test(finishedName(entry.name)))) return [];
    const path = join(folder, entry.name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : { path, modified: stats.mtimeMs, isWhole };
  });
}

/** Removes a file that also begins as ours do; what was left behind unfinished may be empty. */
export function removeIfOurs({ path, isWhole }: OwnFile, { begins }: Mark): void {
  try {
    const head = headOf(path);
    if (begins.test(head) || (head === "" && !isWhole)) rmSync(path, { force: true });
  } catch {
    // What cannot be read or removed stays.
  }
}

/** Removes everything of ours from a folder, and the folder where nothing else is in it. */
export function removeOwnFiles(folder: string, marks: readonly Mark[]): void {
  try {
    for (const mark of marks) for (const file of filesNamed(folder, mark)) removeIfOurs(file, mark);
  } catch {
    // There is no such folder.
  }
  removeIfEmpty(folder);
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something else, or is not there.
  }
}

function headOf(path: string): string {
  return withOpenFile(path, file => {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  });
}

/**
 * Removes files that this program wrote, and nothing else. Its folders may contain other programs' files: a name alone
 * proves nothing, and a link may lead anywhere.
 */
import { lstatSync, readdirSync, readSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withOpenFile } from "./openFile.js";
import { finishedName } from "./wholeFile.js";

/** How to recognize one of our files. */
export interface Mark {
  readonly name: RegExp;
  /** Matches its first bytes, one character per byte. */
  readonly begins: RegExp;
}

export interface OwnFile {
  readonly path: string;
  readonly modified: number;
  readonly bytes: number;
  /** False for leftovers of a killed process. */
  readonly isWhole: boolean;
}

/** Enough to recognize even one of our programs. */
const HEAD_BYTES = 64 * 1024;

/** The regular files in a folder with names like ours; their contents are not checked. */
export function filesNamed(folder: string, { name }: Mark): OwnFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const isWhole = name.test(entry.name);
    if (!entry.isFile() || !(isWhole || name.test(finishedName(entry.name)))) return [];
    const path = join(folder, entry.name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : { path, modified: stats.mtimeMs, bytes: stats.size, isWhole };
  });
}

/** Removes a file if it also begins like ours; an unfinished one may be empty. */
export function removeIfOurs({ path, isWhole }: Omit<OwnFile, "bytes">, { begins }: Mark): void {
  try {
    const head = headOf(path);
    if (begins.test(head) || (head === "" && !isWhole)) rmSync(path, { force: true });
  } catch {
    // It cannot be read or removed: leave it.
  }
}

/** Removes all our files from a folder, and then the folder if it is empty. */
export function removeOwnFiles(folder: string, marks: readonly Mark[]): void {
  try {
    for (const mark of marks) for (const file of filesNamed(folder, mark)) removeIfOurs(file, mark);
  } catch {
    // The folder does not exist.
  }
  removeIfEmpty(folder);
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty, or does not exist.
  }
}

function headOf(path: string): string {
  return withOpenFile(path, file => {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  });
}

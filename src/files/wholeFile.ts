/**
 * How all our files are written: completely, under a temporary name in the same folder, then renamed. Whatever happens
 * meanwhile, a full disk or a kill, there is either the old file or the new one.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  promises,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
  writevSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/** Operating systems follow as many. */
const MAX_LINKS = 40;

export interface WriteOptions {
  /** The permissions, regardless of the process's umask. */
  readonly mode?: number;
  /** The file's owner; by default the process's user. */
  readonly owner?: Pick<Stats, "uid" | "gid"> | undefined;
  /** Called just before the rename: a last chance to throw. */
  readonly confirm?: () => void;
}

/** For files that people rely on: the data is on the disk before the rename. */
export async function writeWhole(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { mode = 0o600, owner, confirm }: WriteOptions = {},
): Promise<void> {
  const unfinished = unfinishedName(path);
  const file = await promises.open(unfinished, "wx", mode);
  try {
    try {
      await promises.writeFile(file, content);
      if (content instanceof Uint8Array) expectWhole(path, (await file.stat()).size, content.length);
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    confirm?.();
    await promises.rename(unfinished, path);
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * For files that can be made again: does not wait for the disk, which would take longer than making them. What is in many pieces
 * need not be put together: that would take as much memory again.
 */
export function writeWholeSync(path: string, content: string | Uint8Array | readonly Uint8Array[]): void {
  const unfinished = unfinishedName(path);
  const file = openSync(unfinished, "wx", 0o600);
  try {
    try {
      if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(file, content);
      else writePieces(file, content);
      expectWhole(path, fstatSync(file).size, bytesOf(content));
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
}

/**
 * Where to write a file that belongs to the user: it is often a link, say into a folder of dotfiles, sometimes to a file
 * that does not exist yet. The link is kept.
 */
export function targetOf(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  throw new Error(`${path} is a link that leads to itself`);
}

/** A name without the suffix of an unfinished file, as written by this and earlier versions. */
export function finishedName(name: string): string {
  return name.replace(/\.\d+(?:\.[0-9a-z]+)?(?:\.tmp)?$/, "");
}

/** Even `force` fails in a folder that may not be searched or is not a folder. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Then nothing was written there.
  }
}

function unfinishedName(path: string): string {
  return `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}

function writePieces(file: number, pieces: readonly Uint8Array[]): void {
  let written = writevSync(file, pieces);
  // A system may write less at once; if it cannot write the rest, it says why.
  for (const piece of pieces) {
    if (written < piece.length) writeFileSync(file, piece.subarray(written));
    written = Math.max(0, written - piece.length);
  }
}

function bytesOf(content: string | Uint8Array | readonly Uint8Array[]): number {
  if (typeof content === "string" || content instanceof Uint8Array) return Buffer.byteLength(content);
  return content.reduce((sum, piece) => sum + piece.length, 0);
}

/** A system may write less than it was given, which only the file's size shows. */
function expectWhole(path: string, written: number, length: number): void {
  if (written !== length) throw new Error(`only ${written} of ${length} bytes were written to ${path}`);
}

/** Makes the rename durable, on systems where folders can be synced. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await promises.open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // The data is on the disk, under one of the two names.
  }
}

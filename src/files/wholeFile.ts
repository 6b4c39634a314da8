/**
 * How every file of ours is written: whole, to another name in the same folder, and only then under its own. Whatever
 * happens meanwhile, a full disk or a kill, there is the old file or the new one.
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
} from "node:fs";
import { dirname, resolve } from "node:path";

/** As many as systems follow. */
const MAX_LINKS = 40;

export interface WriteOptions {
  /** The permissions, whatever the process's mask is. */
  readonly mode?: number;
  /** Whose the file is to be; without it, the process's user's. */
  readonly owner?: Pick<Stats, "uid" | "gid"> | undefined;
  /** Called when everything is written but the name: a last chance to throw. */
  readonly confirm?: () => void;
}

/** For what people rely on: it is on the disk before it gets its name. */
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

/** For what can be made again: it does not wait for the disk, which would take longer than making it. */
export function writeWholeSync(path: string, content: string | Uint8Array): void {
  const unfinished = unfinishedName(path);
  const file = openSync(unfinished, "wx", 0o600);
  try {
    try {
      writeFileSync(file, content);
      expectWhole(path, fstatSync(file).size, Buffer.byteLength(content));
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
 * Where a file that people have is written: it is often a link, into a folder of dotfiles say, sometimes to a file that is
 * not there yet. The link stays.
 */
export function targetOf(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  throw new Error(`${path} is a link that leads to itself`);
}

/** A name without what marks a file that is not whole yet, as this version and earlier ones do. */
export function finishedName(name: string): string {
  return name.replace(/\.\d+(?:\.[0-9a-z]+)?(?:\.tmp)?$/, "");
}

/** In a folder that may not be searched, or is none, even `force` fails. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Nothing was written there either.
  }
}

function unfinishedName(path: string): string {
  return `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}

/** Systems may take less than they were given, and say so only to those who ask. */
function expectWhole(path: string, written: number, length: number): void {
  if (written !== length) throw new Error(`only ${written} of ${length} bytes were written to ${path}`);
}

/** Makes the new name last, where folders can be synced at all. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await promises.open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // The file itself is whole on the disk, under one of its names.
  }
}

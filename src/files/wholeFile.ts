/**
 * How all our files are written: completely, under a temporary name in the same folder, then renamed. Whatever happens
 * meanwhile, be it a full disk or a kill, there is either the old file or the new one.
 */
import {
  closeSync,
  constants,
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
import { setTimeout as wait } from "node:timers/promises";
import type { System } from "./folders.js";

/** The limit of operating systems. */
const MAX_LINKS = 40;

export interface WriteOptions {
  /** The permissions, regardless of the process's umask. */
  readonly mode?: number;
  /** The file's owner; by default the process's user. */
  readonly owner?: Pick<Stats, "uid" | "gid"> | undefined;
  /** Called just before each attempt to rename: a last chance to throw. */
  readonly confirm?: () => void;
}

/** For files that people rely on: the data is on disk before the rename. */
export function writeWhole(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  options?: WriteOptions,
): Promise<void> {
  return write(path, content, options, unfinished => promises.rename(unfinished, path));
}

/** The same for a file that never changes once it exists: of several processes, the first one has written it. */
export function createWhole(path: string, content: Uint8Array): Promise<void> {
  return write(path, content, {}, async unfinished => {
    try {
      await linkOrCopy(unfinished, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    removeIfPossible(unfinished);
  });
}

/** Fails if there is such a file. Not every disk has links; a copy is not there as a whole at once, but never replaces. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await promises.link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    await promises.copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** `publish`: gives the file its name. */
async function write(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { mode = 0o600, owner, confirm }: WriteOptions = {},
  publish: (unfinished: string) => Promise<void>,
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
    await patiently(() => {
      confirm?.();
      return publish(unfinished);
    });
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
  await syncFolder(dirname(path));
}

const IN_USE: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
const TRY_AGAIN_MS = [20, 50, 100, 200, 400, 800];

/**
 * Renames, and tries again if Windows refuses: there, another program that has opened a file for a moment, such as a
 * virus scanner or Claude Code reading its settings, keeps it and the folders around it from being replaced or moved.
 */
export async function patiently(
  rename: () => Promise<void> | void,
  { platform }: Pick<System, "platform"> = process,
): Promise<void> {
  for (const pause of platform === "win32" ? TRY_AGAIN_MS : []) {
    try {
      return await rename();
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code)) throw error;
      await wait(pause);
    }
  }
  return rename();
}

/** For files that can be recreated: does not wait for the disk, which would take longer than recreating them. */
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

/** The same for a file written piece by piece; until it is finished, it has a temporary name. Each step may fail. */
export class GrowingFile {
  readonly #path: string;
  readonly #unfinished: string;
  readonly #file: number;
  /** The number of bytes written. */
  length = 0;

  constructor(path: string) {
    this.#path = path;
    this.#unfinished = unfinishedName(path);
    this.#file = openSync(this.#unfinished, "wx", 0o600);
  }

  append(pieces: readonly Uint8Array[]): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    expectWhole(this.#path, writevSync(this.#file, pieces), length);
    this.length += length;
  }

  finish(): void {
    try {
      expectWhole(this.#path, fstatSync(this.#file).size, this.length);
    } finally {
      closeSync(this.#file);
    }
    renameSync(this.#unfinished, this.#path);
  }

  /** After a failed step, or instead of the next one. */
  abandon(): void {
    try {
      closeSync(this.#file);
    } catch {
      // It was already closed.
    }
    removeIfPossible(this.#unfinished);
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

/** Even `force` fails in a folder that is not searchable or not a folder. */
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

/** A system may write fewer bytes than given, which only the file's size shows. */
function expectWhole(path: string, written: number, length: number): void {
  if (written !== length) throw new Error(`only ${written} of ${length} bytes were written to ${path}`);
}

/** Makes the rename durable on systems where folders can be synced. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await promises.open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // The data is on disk, under one of the two names.
  }
}

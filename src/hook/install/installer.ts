/** Turns live hints on and off in one settings file. Nothing is written before the change has been shown. */
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { cacheFolder, dataFolder } from "../../tail/folders.js";
import { type HookSettings, hookArguments } from "../settings.js";
import { JsonProblem } from "./jsonText.js";
import { hookBlock, liveCommands, UnexpectedShape, withLiveHooks, withoutLiveHooks } from "./liveHooks.js";
import { copyProgram, hookCommand } from "./program.js";
import { readIfThere, replaceFile } from "./settingsFile.js";

/** What would become of a file; `after` is undefined where it would go, `before` where it is not there yet. */
export interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The file as it was before we first wrote to it, for an exact way back. */
interface Backup {
  readonly file: string;
  readonly before: string | null;
  /** Fingerprint of what we wrote. */
  readonly wrote: string;
  /** The folder around it was ours too. */
  readonly madeFolder: boolean;
}

export function planInstall(file: string, settings: Pick<HookSettings, "engine" | "spans">): Change {
  const before = readIfThere(file);
  const command = hookCommand(hookArguments(settings));
  const block = hookBlock(command, Object.keys(settings.engine.invalidates).length > 0);
  return { file, before, after: understood(file, () => withLiveHooks(before ?? "{}\n", block)) };
}

export function planUninstall(file: string): Change {
  const before = readIfThere(file);
  if (before === undefined) return { file, before, after: before };
  const backup = readBackup(file);
  if (backup?.wrote === hash("sha256", before, "hex")) return { file, before, after: backup.before ?? undefined };
  return { file, before, after: understood(file, () => withoutLiveHooks(before)) };
}

export function isChange({ before, after }: Change): boolean {
  return before !== after;
}

/** Writes what was shown. `shipped`: the hook program to copy. */
export function install(change: Change, shipped: string): void {
  const { file, before, after } = change;
  stillAsShown(change);
  if (after === undefined) return;
  copyProgram(shipped);
  if (!isChange(change)) return;
  const known = readBackup(file);
  const isOurs = before !== undefined && known?.wrote === hash("sha256", before, "hex");
  const backup: Backup = {
    file: resolve(file),
    // Changing our own lines again must not make them the state to go back to.
    before: isOurs ? known.before : before === undefined ? null : withoutLiveHooks(before),
    wrote: hash("sha256", after, "hex"),
    madeFolder: isOurs ? known.madeFolder : !existsSync(dirname(file)),
  };
  mkdirSync(dirname(backupOf(file)), { recursive: true, mode: 0o700 });
  writeFileSync(backupOf(file), JSON.stringify(backup), { mode: 0o600 });
  replaceFile(file, after);
}

/** Writes what was shown and takes away everything of ours that no other settings file needs any more. */
export function uninstall(change: Change): void {
  const { file, after } = change;
  stillAsShown(change);
  const backup = readBackup(file);
  if (isChange(change)) {
    if (after === undefined) rmSync(file);
    else replaceFile(file, after);
    if (after === undefined && backup?.madeFolder) removeIfEmpty(dirname(file));
  }
  rmSync(backupOf(file), { force: true });
  const backups = existsSync(backupFolder()) ? readdirSync(backupFolder()) : [];
  if (backups.length > 0) return;
  rmSync(dataFolder(), { recursive: true, force: true });
  rmSync(join(cacheFolder(), "hook"), { recursive: true, force: true });
  removeIfEmpty(cacheFolder());
}

/** The command that is set in a file, undefined where live hints are off. */
export function installedCommand(file: string): string | undefined {
  const text = readIfThere(file);
  return text === undefined ? undefined : understood(file, () => liveCommands(text)[0]);
}

export function backupOf(file: string): string {
  return join(backupFolder(), `${hash("sha256", resolve(file), "hex").slice(0, 16)}.json`);
}

function backupFolder(): string {
  return join(dataFolder(), "settings");
}

function readBackup(file: string): Backup | undefined {
  try {
    return JSON.parse(readFileSync(backupOf(file), "utf8")) as Backup;
  } catch {
    return undefined;
  }
}

function stillAsShown({ file, before }: Change): void {
  if (readIfThere(file) !== before) throw new Error(`${file} has changed meanwhile; nothing was written`);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something else.
  }
}

function understood<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonProblem || error instanceof UnexpectedShape)) throw error;
    throw new Error(`${file}: ${error.message}; nothing was changed`);
  }
}

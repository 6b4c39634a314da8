/** Turns live hints, or the status line, on and off in one settings file. Nothing is written before it was shown. */
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { claudeFolders } from "../../files/folders.js";
import { removeIfEmpty } from "../../files/ownFiles.js";
import { targetOf } from "../../files/wholeFile.js";
import { type LiveSettings, NO_CHOICES } from "../../settings/liveSettings.js";
import {
  type Backup,
  isInstalledText,
  readBackup,
  removeBackup,
  removeBackupsIfUnused,
  textHash,
  writeBackup,
} from "./backup.js";
import { JsonProblem } from "./jsonEdit.js";
import {
  type Doors,
  doorsIn,
  hookBlock,
  otherCopies,
  UnexpectedShape,
  withLiveHints,
  withoutLiveHints,
} from "./liveHooks.js";
import { forgetMarketplace } from "./marketplaceRecord.js";
import { chooseSettings, chosenSettings, copyProgram, removeProgram, takeBackSettings } from "./ownCopies.js";
import { hookCommand, modFolder } from "./programCommand.js";
import { bytesIfThere, expectReplaceable, leftAlone, readIfThere, replaceFile } from "./settingsFile.js";
import { OtherStatusLine, withoutStatusLine, withStatusLine } from "./statusLineSetting.js";
import { inTurn } from "./turns.js";

/** A planned change; `after` is undefined if the file is to be removed, `before` if it does not exist yet. */
export interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The file is no longer as it was when the change was planned: it can be planned again. */
export class ChangedMeanwhile extends Error {}

/** Another process may have changed the settings of live hints since they were last read. */
type Choose = (chosen: LiveSettings) => LiveSettings;

export function planInstall(file: string): Change {
  const before = readIfThere(file);
  const after = () => withLiveHints(before ?? "{}\n", hookBlock(hookCommand()), modFolder());
  return possible({ file, before, after: understood(file, after) });
}

export function planUninstall(file: string): Change {
  return planRemoval(file, withoutLiveHints);
}

export function planStatusLine(file: string): Change {
  const before = readIfThere(file);
  return possible({ file, before, after: understood(file, () => withStatusLine(before ?? "{}\n")) });
}

/** Whether a file has a status line that is not ours. */
export function hasOtherStatusLine(file: string): boolean {
  try {
    withStatusLine(readIfThere(file) ?? "{}");
    return false;
  } catch (error) {
    return error instanceof OtherStatusLine;
  }
}

export function planNoStatusLine(file: string): Change {
  return planRemoval(file, withoutStatusLine);
}

function planRemoval(file: string, remove: (text: string) => string): Change {
  const before = readIfThere(file);
  if (before === undefined) return { file, before, after: before };
  const backup = readBackup(file);
  const after = understood(file, () => remove(before));
  // The backup contains nothing of ours, so it is only restored once the last of ours goes.
  const isExact = isInstalledText(backup, before) && !hasOurs(after);
  return possible({ file, before, after: isExact ? (backup.before ?? undefined) : after });
}

function hasOurs(text: string): boolean {
  return withoutOurs(text) !== text;
}

function withoutOurs(text: string): string {
  return withoutStatusLine(withoutLiveHints(text));
}

/** Restores the file as it was before live hints, if it is gone or is no longer valid settings. */
export function planRestore(file: string): Change {
  const backup = readBackup(file);
  if (backup === undefined) throw leftAlone(file, "there is no backup of it");
  // Bytes that are not text cannot be shown exactly; they are kept in the renamed file.
  const before = bytesIfThere(file)?.toString("utf8");
  if (before !== undefined && isSound(file)) {
    throw leftAlone(file, "it is not broken; hooks uninstall turns live hints off");
  }
  return possible({ file, before, after: backup.before ?? undefined });
}

/** Whether a file is broken or gone, and there is a backup. */
export function canRestore(file: string): boolean {
  try {
    return isChange(planRestore(file));
  } catch {
    return false;
  }
}

export function isChange({ before, after }: Change): boolean {
  return before !== after;
}

/**
 * Writes what was shown, or nothing. `shipped`: the hook program to copy. `choose`: the settings of live hints from now on,
 * which it returns.
 */
export function install(change: Change, shipped: string): Promise<undefined>;
export function install(change: Change, shipped: string, choose: Choose): Promise<LiveSettings>;
export function install(change: Change, shipped: string, choose?: Choose): Promise<LiveSettings | undefined> {
  return inTurn(() => write(change, shipped, choose));
}

async function write(change: Change, shipped: string, choose?: Choose): Promise<LiveSettings | undefined> {
  const { file, before, after } = change;
  stillAsShown(change);
  const chosen = chosenSettings();
  const settings = choose?.({ ...NO_CHOICES, ...chosen, isOff: undefined });
  if (after === undefined) return settings;
  const known = readBackup(file);
  const isOurs = before !== undefined && isInstalledText(known, before);
  const makesFolder = !existsSync(dirname(file));
  const backup: Omit<Backup, "file"> = {
    // Never back up what we wrote ourselves.
    before: isOurs ? known.before : before === undefined ? null : withoutOurs(before),
    // If we are stopped before the file is written, its current content is still recognized.
    wrote: [...(isOurs ? [textHash(before)] : []), textHash(after)],
    madeFolder: isOurs ? known.madeFolder : makesFolder,
  };
  try {
    await copyProgram(shipped);
    if (settings !== undefined) await chooseSettings(settings);
    if (!isChange(change)) return settings;
    await writeBackup(file, backup);
    await replaceFile(file, after, () => stillAsShown(change));
  } catch (error) {
    if (known === undefined && isChange(change)) await forget(file);
    // Last: the record of an earlier trial stays, even if nothing else of ours does.
    await takeBackSettings(chosen);
    if (makesFolder) removeIfEmpty(dirname(file));
    throw error;
  }
  return settings;
}

/** Writes what was shown. */
export function uninstall(change: Change): Promise<void> {
  return inTurn(() => remove(change));
}

async function remove(change: Change): Promise<void> {
  const { file, after } = change;
  stillAsShown(change);
  const known = readBackup(file);
  const isLast = after === undefined || !hasOurs(after);
  if (!isLast && known !== undefined && isChange(change))
    await writeBackup(file, { ...known, wrote: [...known.wrote, textHash(after)] });
  if (isChange(change)) {
    if (after !== undefined) await replaceFile(file, after, () => stillAsShown(change));
    else rmSync(targetOf(file));
    if (after === undefined && known?.madeFolder) removeIfEmpty(dirname(file));
  }
  if (isLast) await forget(file);
  else if (withoutLiveHints(after) === after) await forgetMarketplace(() => [dirname(file)]);
}

/** Writes what was shown. A broken file is kept next to it: returns its new name. */
export function restore(change: Change): Promise<string | undefined> {
  return inTurn(async () => {
    const { file } = change;
    const broken = bytesIfThere(file);
    stillAsShown(change);
    const kept = broken && freeName(`${file}.broken`);
    if (kept !== undefined) await replaceFile(kept, broken ?? "", () => {});
    try {
      await remove(change);
    } catch (error) {
      if (kept !== undefined) rmSync(kept, { force: true });
      throw error;
    }
    return kept;
  });
}

/** The doors into Claude Code that a settings file opens. */
export function openDoors(file: string): Doors {
  const text = readIfThere(file);
  return text === undefined ? { mod: false, hooks: false } : understood(file, () => doorsIn(text));
}

/** Plugins in a settings file that are the mod as installed by `claude plugin install`, and whether they are enabled. */
export function installedPlugins(file: string): ReadonlyMap<string, boolean> {
  const text = readIfThere(file);
  return text === undefined ? new Map() : understood(file, () => otherCopies(text));
}

/** Removes everything of ours that no other settings file needs. */
async function forget(file: string): Promise<void> {
  removeBackup(file);
  await forgetMarketplace(() => [dirname(file)]);
  if (!removeBackupsIfUnused()) return;
  await forgetMarketplace(claudeFolders);
  removeProgram();
}

function stillAsShown({ file, before }: Change): void {
  if (bytesIfThere(file)?.toString("utf8") !== before) {
    throw new ChangedMeanwhile(`${file} has changed in the meantime; nothing was written`);
  }
}

function possible(change: Change): Change {
  if (isChange(change)) expectReplaceable(change.file);
  return change;
}

function understood<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof OtherStatusLine) throw leftAlone(file, error.message);
    if (!(error instanceof JsonProblem || error instanceof UnexpectedShape)) throw error;
    const way = readBackup(file) && "; hooks restore brings back the file as it was before live hints";
    throw new Error(`${leftAlone(file, error.message).message}${way ?? ""}`);
  }
}

function isSound(file: string): boolean {
  try {
    withoutLiveHints(readIfThere(file) ?? "");
    return true;
  } catch {
    return false;
  }
}

function freeName(name: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(free)) return free;
  }
}

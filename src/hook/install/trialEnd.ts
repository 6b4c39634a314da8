/** The end of a trial, for the command line and VS Code alike. */
import { resolve } from "node:path";
import { NO_CHOICES } from "../../settings/liveSettings.js";
import { backedUpFiles, readBackup, realName } from "./backup.js";
import { openDoors } from "./installer.js";
import { chosenSettings, updateSettings } from "./ownCopies.js";
import { runningTrial, withoutTrial } from "./trials.js";

/** What became of live hints in one settings file. */
export type TurnedOff = "off" | "declined" | "failed";

export interface EndWithoutHints {
  /** Otherwise the trial continues: without one, every session would get the hints that the user does not want. */
  readonly ended: boolean;
  readonly declined: boolean;
  /** Where they are still on although nobody has declined and nothing has failed. */
  readonly stillOn: readonly string[];
}

/** Every session gets hints again. */
export async function endTrialWithHints(): Promise<void> {
  await updateSettings(left => withoutTrial(left));
}

/**
 * Turns live hints off wherever they are on, in other projects too, or only in the files that the user named. `known`:
 * settings files that may have them; `turnOff` asks the user and reports its own failures. After a refusal, nothing more
 * is asked; a file that cannot be changed does not stop the others.
 */
export async function endTrialWithoutHints(
  known: readonly string[],
  turnOff: (file: string) => Promise<TurnedOff>,
  files: readonly string[] = filesWithHints(known),
): Promise<EndWithoutHints> {
  const trial = runningTrial(chosenSettings() ?? NO_CHOICES);
  let failed = false;
  for (const file of files) {
    const turned = await turnOff(file);
    if (turned === "declined") return { ended: false, declined: true, stillOn: [] };
    failed ||= turned === "failed";
  }
  if (failed) return { ended: false, declined: false, stillOn: [] };
  const stillOn = filesWithHints(known);
  // The file with the settings went with the last hints, but what the trial found can still be viewed.
  const record = trial && { ...NO_CHOICES, trial };
  if (stillOn.length === 0) await updateSettings(left => ({ ...withoutTrial(left), isOff: true }), record);
  return { ended: stillOn.length === 0, declined: false, stillOn };
}

/** Also of a trial that is over. */
export function hasTrialRecord(): boolean {
  try {
    return chosenSettings()?.trial !== undefined;
  } catch {
    // It can be removed even if it cannot be read.
    return false;
  }
}

/** In the known files, and wherever else they were turned on. */
export function filesWithHints(known: readonly string[]): string[] {
  const files = [...known.map(file => resolve(file)), ...backedUpFiles()];
  const names = new Set<string>();
  return files.filter(file => {
    const name = realName(file);
    const isNew = !names.has(name);
    names.add(name);
    return isNew && mayHaveHints(file);
  });
}

function mayHaveHints(file: string): boolean {
  try {
    const { mod, hooks } = openDoors(file);
    return mod || hooks;
  } catch {
    // Unreadable or broken: they are on again once it is repaired, if they were on before.
    return readBackup(file) !== undefined;
  }
}

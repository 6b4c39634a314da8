/** Converts the plugin's settings from Claude Code to the engine's. */
import { DEFAULT_SETTINGS, type DedupSettings } from "../dedup/settings.js";
import { membersOf } from "../log/record.js";
import { fromMembers } from "../settings/kinds.js";
import { LIVE_SETTINGS_START, parseLiveSettings, settingsInForce, type Trial } from "../settings/liveSettings.js";
import { HINTS } from "../settings/table.js";

/** Missing or invalid settings get their defaults. */
export function modSettings(options: unknown): DedupSettings {
  const { invalidates, ...members } = membersOf(options);
  const given = { ...members, invalidates: jsonOf(invalidates) };
  return { ...DEFAULT_SETTINGS, ...fromMembers(HINTS, given, "the plugin's options") };
}

export interface ChosenSettings {
  readonly settings: DedupSettings;
  readonly trial: Trial | undefined;
}

/**
 * The settings in the text of our own file; undefined for any other file, for a damaged one, and once live hints are off:
 * then the last ones stay in force. The defaults could give hints that the user had turned off, or to the control group
 * of a trial, and so could the trial's end.
 */
export function chosenIn(text: string): ChosenSettings | undefined {
  if (!text.startsWith(LIVE_SETTINGS_START) || jsonOf(text) === undefined) return undefined;
  const chosen = parseLiveSettings(text);
  return chosen.isOff ? undefined : { settings: settingsInForce(chosen), trial: chosen.trial };
}

/** A plugin's settings are strings, numbers and booleans. */
function jsonOf(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

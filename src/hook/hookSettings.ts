/** How live hints behave: by the file beside the program, which anybody may change while they are on. */
import { isAbsolute, join } from "node:path";
import { DEFAULT_SETTINGS, type DedupSettings } from "../dedup/settings.js";
import { readSmallFile } from "../files/openFile.js";
import { fromOptions, type OptionValues, UsageError } from "../settings/kinds.js";
import {
  LIVE_SETTINGS_FILE,
  type LiveSettings,
  parseLiveSettings,
  settingsInForce,
  type Trial,
} from "../settings/liveSettings.js";
import { REPLAY } from "../settings/table.js";

export interface HookSettings {
  readonly engine: DedupSettings;
  /** Where the hook keeps its state, an absolute path: it runs in any folder. Undefined for the user's cache folder. */
  readonly folder: string | undefined;
}

export const HOOK_DEFAULTS: HookSettings = { engine: DEFAULT_SETTINGS, folder: undefined };

const STATE = "state";
/** Version 1.0.0 had it; what it turned on is the default now. */
const SPAN = "span";
const SETTINGS = Object.values(REPLAY);
/** Far more than such a file ever has. */
const MAX_BYTES = 1024 * 1024;

export function liveSettingsFile(folder: string): string {
  return join(folder, LIVE_SETTINGS_FILE);
}

/** The choices in a folder's file; undefined if there is none. */
export function readLiveSettings(folder: string): LiveSettings | undefined {
  try {
    return parseLiveSettings(readSmallFile(liveSettingsFile(folder), { maxBytes: MAX_BYTES }).toString("utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * `folder`: where the program lies. Without a file there, the command line decides, as in hooks that somebody wrote by
 * hand or that version 1.0.0 installed.
 */
export function settingsFor(args: readonly string[], folder: string | undefined): ChosenSettings {
  const given = hookSettings(args);
  const chosen = folder === undefined ? undefined : readLiveSettings(folder);
  if (chosen === undefined) return { settings: given, trial: undefined };
  return { settings: { ...given, engine: settingsInForce(chosen) }, trial: chosen.trial };
}

interface ChosenSettings {
  readonly settings: HookSettings;
  readonly trial: Trial | undefined;
}

/** An option that is unknown or wrong is an error, and an error makes the hook stay silent. */
export function hookSettings(args: readonly string[]): HookSettings {
  const options = optionsIn(args);
  const folder = options[STATE];
  if (folder !== undefined && !(typeof folder === "string" && isAbsolute(folder))) {
    throw new UsageError(`--${STATE} must be an absolute path`);
  }
  const readJson = (argument: string): unknown => JSON.parse(argument);
  return { engine: fromOptions(REPLAY, options, readJson), folder };
}

/** `--flag`, `--flag=value` or `--flag value`. Node's own `parseArgs` would take longer to load than this to run. */
function optionsIn(args: readonly string[]): OptionValues {
  const options: Record<string, string | true> = {};
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const [, flag = "", inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const setting = SETTINGS.find(one => one.flag === flag);
    if (flag === SPAN && inline === undefined) continue;
    if (setting === undefined && flag !== STATE) throw new UsageError(`unknown option ${arg}`);
    const isToggle = setting?.kind === "toggle";
    if (isToggle && inline !== undefined) throw new UsageError(`--${flag} takes no value`);
    const value = isToggle || (inline ?? left.shift());
    if (value === undefined) throw new UsageError(`--${flag} needs a value`);
    options[flag] = value;
  }
  return options;
}

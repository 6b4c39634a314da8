/** How live hints behave, from the file next to the program, which may change at any time. */
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
/** From version 1.0.0; what it turned on is the default now. */
const SPAN = "span";
const SETTINGS = Object.values(REPLAY);
/** Far larger than such a file ever is. */
const MAX_BYTES = 1024 * 1024;

export function liveSettingsFile(folder: string): string {
  return join(folder, LIVE_SETTINGS_FILE);
}

/** The settings in a folder's file; undefined if there is none. */
export function readLiveSettings(folder: string): LiveSettings | undefined {
  try {
    return parseLiveSettings(readSmallFile(liveSettingsFile(folder), { maxBytes: MAX_BYTES }).toString("utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * `folder`: where the program is. Without a file there, the command line decides, for hooks written by hand or installed
 * by version 1.0.0.
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

/** An unknown or invalid option is an error, and errors silence the hook. */
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

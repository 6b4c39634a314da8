/** How live hints behave: the hook's own command line says it, so that Claude Code's settings show all of it. */
import { isAbsolute } from "node:path";
import { DEFAULT_SETTINGS, type DedupSettings } from "../dedup/settings.js";
import { fromOptions, type OptionValues, toArguments, UsageError } from "../settings/kinds.js";
import { REPLAY } from "../settings/table.js";

export interface HookSettings {
  readonly engine: DedupSettings;
  /** Where the hook keeps its state, an absolute path: it runs in any folder. Undefined for the user's cache folder. */
  readonly folder: string | undefined;
}

export const HOOK_DEFAULTS: HookSettings = { engine: DEFAULT_SETTINGS, folder: undefined };

const STATE = "state";
const SETTINGS = Object.values(REPLAY);

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
    if (setting === undefined && flag !== STATE) throw new UsageError(`unknown option ${arg}`);
    const isToggle = setting?.kind === "toggle";
    if (isToggle && inline !== undefined) throw new UsageError(`--${flag} takes no value`);
    const value = isToggle || (inline ?? left.shift());
    if (value === undefined) throw new UsageError(`--${flag} needs a value`);
    options[flag] = value;
  }
  return options;
}

/** The arguments for what differs from the defaults. */
export function hookArguments(engine: DedupSettings): string[] {
  return toArguments(REPLAY, engine, text => text);
}

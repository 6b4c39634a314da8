/** How live hints behave: the hook's own command line says it, so that Claude Code's settings show all of it. */
import { isAbsolute } from "node:path";
import { VERBOSITIES } from "../dedup/hints.js";
import { DEFAULT_SETTINGS, type DedupSettings, type InvalidationMap } from "../dedup/settings.js";

export interface HookSettings {
  readonly engine: DedupSettings;
  /** Also replace runs of lines that an earlier result already showed. */
  readonly spans: boolean;
  /** Where the hook keeps its state, an absolute path: it runs in any folder. Undefined for the user's cache folder. */
  readonly folder: string | undefined;
}

/** A model has no table of ids: a hint that names the call's subject is found. */
export const HOOK_ENGINE: DedupSettings = { ...DEFAULT_SETTINGS, verbosity: "located" };
export const HOOK_DEFAULTS: HookSettings = { engine: HOOK_ENGINE, spans: false, folder: undefined };

/** `--name=value` or `--name value`. What is not understood is an error, and an error makes the hook stay silent. */
export function hookSettings(args: readonly string[]): HookSettings {
  let { engine, spans, folder } = HOOK_DEFAULTS;
  const left = [...args];
  while (left.length > 0) {
    const arg = left.shift() ?? "";
    if (arg === "--near-ref") engine = { ...engine, nearRef: true };
    else if (arg === "--span") spans = true;
    else {
      const at = arg.indexOf("=");
      const name = at < 0 ? arg : arg.slice(0, at);
      const value = at < 0 ? left.shift() : arg.slice(at + 1);
      if (value === undefined) throw new Error(`unknown option ${arg}, or its value is missing`);
      if (name === "--capacity") engine = { ...engine, capacity: wholeNumber(name, value, 1) };
      else if (name === "--min-bytes") engine = { ...engine, minBytes: wholeNumber(name, value, 0) };
      else if (name === "--verbosity") engine = { ...engine, verbosity: verbosity(value) };
      else if (name === "--invalidates") engine = { ...engine, invalidates: JSON.parse(value) as InvalidationMap };
      else if (name === "--state" && isAbsolute(value)) folder = value;
      else throw new Error(`unknown option ${name}`);
    }
  }
  return { engine, spans, folder };
}

/** The arguments that say what differs from the defaults. */
export function hookArguments({ engine, spans }: Pick<HookSettings, "engine" | "spans">): string[] {
  const { capacity, minBytes, nearRef, verbosity: words, invalidates } = engine;
  return [
    ...(capacity === HOOK_ENGINE.capacity ? [] : [`--capacity=${capacity}`]),
    ...(minBytes === HOOK_ENGINE.minBytes ? [] : [`--min-bytes=${minBytes}`]),
    ...(words === HOOK_ENGINE.verbosity ? [] : [`--verbosity=${words}`]),
    ...(nearRef ? ["--near-ref"] : []),
    ...(spans ? ["--span"] : []),
    ...(Object.keys(invalidates).length === 0 ? [] : [`--invalidates=${JSON.stringify(invalidates)}`]),
  ];
}

function wholeNumber(name: string, value: string, least: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least) throw new Error(`${name} must be a whole number of at least ${least}`);
  return number;
}

function verbosity(value: string): DedupSettings["verbosity"] {
  const found = VERBOSITIES.find(known => known === value);
  if (found === undefined) throw new Error(`--verbosity must be one of ${VERBOSITIES.join(", ")}`);
  return found;
}

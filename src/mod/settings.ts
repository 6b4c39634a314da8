/** The plugin's own settings, as Claude Code hands them over, as the engine's. */
import { DEFAULT_SETTINGS, type DedupSettings } from "../dedup/settings.js";
import { membersOf, stringsOf } from "../log/record.js";
import type { InvalidationMap } from "../settings/shapes.js";
import { REPLAY } from "../settings/table.js";

/** A model has no table of ids: a hint that names the call's subject is found. */
export const MOD_DEFAULTS: DedupSettings = { ...DEFAULT_SETTINGS, verbosity: "located" };

/** What is missing or makes no sense is as by default. */
export function modSettings(options: unknown): DedupSettings {
  const { capacity, minBytes, spanMinBytes, runs, nearRef, verbosity, invalidates } = membersOf(options);
  return {
    capacity: wholeNumber(capacity, 1) ?? MOD_DEFAULTS.capacity,
    minBytes: wholeNumber(minBytes, 0) ?? MOD_DEFAULTS.minBytes,
    spanMinBytes: wholeNumber(spanMinBytes, MIN_RUN_BYTES) ?? MOD_DEFAULTS.spanMinBytes,
    runs: typeof runs === "boolean" ? runs : MOD_DEFAULTS.runs,
    nearRef: typeof nearRef === "boolean" ? nearRef : MOD_DEFAULTS.nearRef,
    verbosity: REPLAY.verbosity.choices.find(known => known === verbosity) ?? MOD_DEFAULTS.verbosity,
    invalidates: invalidationMap(invalidates) ?? MOD_DEFAULTS.invalidates,
  };
}

/** Hints for shorter runs would hardly be shorter than the runs. */
const MIN_RUN_BYTES = 200;

function wholeNumber(value: unknown, min: number): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= min ? value : undefined;
}

/** Written as JSON: a plugin's settings are texts, numbers and switches. */
function invalidationMap(value: unknown): InvalidationMap | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  try {
    const entries = Object.entries(membersOf(JSON.parse(value)));
    return Object.fromEntries(entries.map(([tool, stale]) => [tool, stringsOf(stale)]));
  } catch {
    return undefined;
  }
}

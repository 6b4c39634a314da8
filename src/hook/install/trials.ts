/** A trial of live hints, as `hooks install --trial` begins it and `hooks end-trial` ends it. */
import { randomBytes } from "node:crypto";
import type { LiveSettings, Trial } from "../../settings/liveSettings.js";

/** 128 bits: nobody guesses which sessions will be given hints. */
const KEY_BYTES = 16;

/** One that runs goes on: with another key, sessions would change their group. `folder`: where live hints are on. */
export function withTrial(settings: LiveSettings, folder: string | undefined, now = new Date()): LiveSettings {
  if (runningTrial(settings) !== undefined) return settings;
  const trial: Trial = {
    key: randomBytes(KEY_BYTES).toString("hex"),
    since: now.toISOString(),
    ...(folder !== undefined && { folder }),
  };
  return { ...settings, trial };
}

/** Every session is given hints again. What was found out can still be looked at. */
export function withoutTrial(settings: LiveSettings, now = new Date()): LiveSettings {
  const trial = runningTrial(settings);
  return trial === undefined ? settings : { ...settings, trial: { ...trial, until: now.toISOString() } };
}

export function runningTrial({ trial }: LiveSettings): Trial | undefined {
  return trial?.until === undefined ? trial : undefined;
}

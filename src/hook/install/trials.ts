/** A trial of live hints, started by `hooks install --trial` and ended by `hooks end-trial`. */
import { randomBytes } from "node:crypto";
import type { LiveSettings, Trial } from "../../settings/liveSettings.js";

/** 128 bits, so that nobody can guess which sessions will get hints. */
const KEY_BYTES = 16;

/** A running trial continues: with another key, sessions would change groups. `folder`: where live hints are on. */
export function withTrial(settings: LiveSettings, folder: string | undefined, now = new Date()): LiveSettings {
  if (runningTrial(settings) !== undefined) return settings;
  const trial: Trial = {
    key: randomBytes(KEY_BYTES).toString("hex"),
    since: now.toISOString(),
    ...(folder !== undefined && { folder }),
  };
  return { ...settings, trial };
}

/** All sessions get hints again. The findings can still be viewed. */
export function withoutTrial(settings: LiveSettings, now = new Date()): LiveSettings {
  const trial = runningTrial(settings);
  return trial === undefined ? settings : { ...settings, trial: { ...trial, until: now.toISOString() } };
}

export function runningTrial({ trial }: LiveSettings): Trial | undefined {
  return trial?.until === undefined ? trial : undefined;
}

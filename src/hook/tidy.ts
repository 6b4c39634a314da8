import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const KEEP_DAYS = 30;

/** Files of ours, finished or left behind by a process that was killed. */
const OURS = /^[0-9a-f]{16}\.(?:state|journal)(?:\.\d+(?:\.[0-9a-z]+\.tmp)?)?$/;

/** Forgets sessions that nobody has gone on with for a month; Claude Code forgets them after that time, too. */
export function tidy(folder: string, now = Date.now()): void {
  for (const name of namesIn(folder)) {
    try {
      const file = join(folder, name);
      const stats = lstatSync(file);
      if (stats.isFile() && now - stats.mtimeMs > KEEP_DAYS * 86_400_000) rmSync(file, { force: true });
    } catch {
      // Gone meanwhile, or not to be touched: the others are looked at all the same.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => OURS.test(name));
  } catch {
    return [];
  }
}

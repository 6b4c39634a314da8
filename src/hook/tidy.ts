import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const KEEP_DAYS = 30;

/** Forgets sessions that nobody has gone on with for a month; Claude Code forgets them after that time, too. */
export function tidy(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (now - statSync(file).mtimeMs > KEEP_DAYS * 86_400_000) rmSync(file, { force: true });
  }
}

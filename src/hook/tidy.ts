import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";

const KEEP_DAYS = 30;

/** What the hook remembers of sessions. */
export const SESSION_FILES: Mark = {
  name: /^[0-9a-f]{16}\.(?:state|journal)$/,
  begins: /^(?:dedup-inspector |\s*\{")/,
};

/** Forgets sessions that nobody has gone on with for a month; Claude Code forgets them after that time, too. */
export function tidy(folder: string, now = Date.now()): void {
  try {
    for (const file of filesNamed(folder, SESSION_FILES)) {
      if (now - file.modified > KEEP_DAYS * 86_400_000) removeIfOurs(file, SESSION_FILES);
    }
  } catch {
    // There is no such folder, or it cannot be read: nothing depends on this.
  }
}

/**
 * Changes to Claude Code's settings, to their backups and to our copies take turns: otherwise, what one process installs
 * would be removed by another that fails or uninstalls at the same moment.
 */
import { dataFolder } from "../../files/folders.js";
import { takeLock } from "../../files/lock.js";
import { removeIfEmpty } from "../../files/ownFiles.js";

const TRY_AGAIN_MS = 50;

/** Not to be nested. Nothing in it may wait for the user. */
export async function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const lock = { folder: dataFolder(), name: "changing.lock", purpose: "changes settings" };
  const release = await takeLock(lock, new AbortController().signal, { tryAgainMs: TRY_AGAIN_MS });
  try {
    return await change();
  } finally {
    release?.();
    // The last one to uninstall leaves nothing behind.
    removeIfEmpty(lock.folder);
  }
}

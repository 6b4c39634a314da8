import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Whether a thread has a priority of its own. */
export const canGiveWay = process.platform === "linux";

/**
 * Lowers the priority of the calling thread, so that reading in the background goes unnoticed. Linux has a priority for
 * each thread. Other systems only have one for the whole process, which is the extension host's: there, only the number
 * of threads limits it.
 */
export function giveWay(): void {
  try {
    const thread = /task\/(\d+)$/.exec(canGiveWay ? readlinkSync("/proc/thread-self") : "")?.[1];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Then it runs at normal priority.
  }
}

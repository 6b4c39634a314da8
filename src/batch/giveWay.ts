import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Whether a thread has a priority of its own. */
export const canGiveWay = process.platform === "linux";

/**
 * Makes the calling thread give way to every other one, so that reading in the background is not felt. Linux has a
 * priority for each thread. On other systems there is only that of the whole process, which is the extension host's:
 * there the number of threads is all that limits it.
 */
export function giveWay(): void {
  try {
    const thread = /task\/(\d+)$/.exec(canGiveWay ? readlinkSync("/proc/thread-self") : "")?.[1];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Then it takes its share like any other thread.
  }
}

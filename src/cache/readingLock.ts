/**
 * Held while reading the whole history, so that several windows do not all read it: the others wait, and then find
 * everything in the cache. It only saves work. Nothing depends on it, so if it cannot be created, everybody reads.
 */
import { type LockOptions, takeLock } from "../files/lock.js";

/** Waits for the lock and returns a function to release it; undefined if `signal` was aborted meanwhile. */
export function lockReading(
  folder: string,
  signal: AbortSignal,
  options?: LockOptions,
): Promise<(() => void) | undefined> {
  return takeLock({ folder, name: "reading.lock", purpose: "reads" }, signal, options);
}

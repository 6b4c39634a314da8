/** Waiting for other processes, threads or sockets. */
import { setTimeout as wait } from "node:timers/promises";

/** Only guards against hanging: even on a busy machine, nothing takes nearly as long. */
const PATIENCE_MS = 120_000;

/** Waits until a condition holds. `what` describes what did not happen. */
export async function until(holds: () => boolean, what: string | (() => string) = () => String(holds)): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${typeof what === "string" ? what : what()}`);
    await wait(10);
  }
}

/** Long enough for anything still pending; on a busy machine it may arrive in pieces. */
const QUIET_MS = 1000;

/** Waits until nothing has changed for a while. */
export async function settled(value: () => number): Promise<void> {
  let last = value();
  for (let since = performance.now(); performance.now() - since < QUIET_MS; await wait(10)) {
    if (value() === last) continue;
    last = value();
    since = performance.now();
  }
}

/** Longer than the granularity of file times. */
const TICK_MS = 50;

/** Waits until the logs just written count as complete: what may still be changing is not cached. */
export function logsSettled(): Promise<void> {
  return wait(TICK_MS);
}

/** Waiting for what another process, thread or socket does. */
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

/** Waiting for what another process, thread or socket does. */
import { setTimeout as wait } from "node:timers/promises";

/** Only against hanging: nothing that is waited for takes a busy machine nearly as long. */
const PATIENCE_MS = 120_000;

/** Waits until something holds. `what` says what was waited for in vain. */
export async function until(holds: () => boolean, what: string | (() => string) = () => String(holds)): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${typeof what === "string" ? what : what()}`);
    await wait(10);
  }
}

import { setTimeout as wait } from "node:timers/promises";

/** Polls until there is a result. A machine under load takes longer, but gets there. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { limitMs = 120_000, everyMs = 30 } = {},
): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; await wait(everyMs)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
  }
}

import { setTimeout as wait } from "node:timers/promises";

/** Looks again and again until there is something to see. A machine under load gets there late, and still gets there. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false,
  { limitMs = 120_000, everyMs = 30 } = {},
): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; await wait(everyMs)) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
  }
}

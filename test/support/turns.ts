/**
 * Vitest's own messages between threads time out if nobody reads them for a minute, and then the whole run fails. On a
 * busy machine that happens quickly: the event loop has to turn between tests, and within those that take many seconds.
 */
import fc from "fast-check";

// Captured before a test can replace it with a fake.
const { setImmediate } = globalThis;

export function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** Does some work, and lets the event loop turn. */
export async function turned(work: () => void): Promise<void> {
  work();
  await turn();
}

/** A property that lets the event loop turn after each run. */
export function turning<Values extends [unknown, ...unknown[]]>(
  ...args: [...values: Arbitraries<Values>, check: Check<Values>]
): fc.IAsyncProperty<Values> {
  const check = args.at(-1) as Check<Values>;
  return fc.asyncProperty<Values>(...(args.slice(0, -1) as Arbitraries<Values>), async (...values) => {
    const holds = check(...values) !== false;
    await turn();
    return holds;
  });
}

type Arbitraries<Values> = { [At in keyof Values]: fc.Arbitrary<Values[At]> };
type Check<Values extends unknown[]> = (...values: Values) => unknown;

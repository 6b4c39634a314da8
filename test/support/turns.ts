/**
 * Vitest's own messages between threads are lost if nobody looks at them for a minute, and then the whole run fails. On a
 * busy machine that is soon over: the event loop has to turn between tests, and within those that take many seconds.
 */
import fc from "fast-check";

// Taken before a test can put a fake one in its place.
const { setImmediate } = globalThis;

export function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** Does some work, and lets the event loop turn. */
export async function turned(work: () => void): Promise<void> {
  work();
  await turn();
}

/** A property after each of whose runs the event loop turns. */
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

/**
 * Vitest's own messages between threads are lost if nobody looks at them for a minute, and then the whole run fails. On a
 * busy machine that is soon over: the event loop has to turn between tests, and within those that take many seconds.
 */
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

/** As much of a test runner as suites in an extension host need: in order, one at a time, all of them. */

interface Test {
  readonly name: string;
  readonly check: () => unknown;
  readonly limitMs: number;
}

const tests: Test[] = [];
/** Only guards against hanging. */
const LIMIT_MS = 300_000;

export function test(name: string, check: () => unknown, limitMs = LIMIT_MS): void {
  tests.push({ name, check, limitMs });
}

/** VS Code calls this, and treats a rejection as a failure. */
export async function run(): Promise<void> {
  if (tests.length === 0) throw new Error("there are no tests");
  const failed: string[] = [];
  for (const { name, check, limitMs } of tests) {
    const startedAt = Date.now();
    const error = await outcomeOf(check, limitMs);
    console.log(`${error === undefined ? "  ok" : "FAIL"} ${name} (${Date.now() - startedAt} ms)`);
    if (error !== undefined) {
      failed.push(name);
      console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  console.log(`${tests.length - failed.length} of ${tests.length} tests passed in VS Code`);
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed.join("; ")}`);
}

async function outcomeOf(check: () => unknown, limitMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limitMs / 1000} s`)), limitMs);
  });
  try {
    await Promise.race([check(), late]);
    return undefined;
  } catch (error) {
    return error ?? new Error("failed without a reason");
  } finally {
    clearTimeout(timer);
  }
}

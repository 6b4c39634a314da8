import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of pure functions, by folder: nothing that one of them leaves behind could affect another. */
const ROOMS = ["settings", "log", "scanner", "kernel", "dedup", "inspect", "protocol", "webview", "words", "mod"];
const PURE = ROOMS.map(room => `test/unit/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    setupFiles: ["test/support/fixedSeed.ts"],
    passWithNoTests: false,
    // Many tests wait for programs or timers, so two workers per core pay off.
    maxWorkers: Math.max(4, availableParallelism()),
    // Only guards against hanging: the slowest take half a minute on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      // Without a thread for each file: loading the same modules again takes longer than most tests.
      { extends: true, test: { name: "pure", include: PURE, pool: "threads", isolate: false } },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/unit/**/*.test.ts", "test/contract/**/*.test.ts", "test/faults/**/*.test.ts"],
          exclude: PURE,
        },
      },
    ],
  },
});

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
    minWorkers: 4,
    maxWorkers: Math.max(4, availableParallelism()),
    // Only guards against hanging: the slowest take half a minute on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // All pure ones run on one thread: loading the same modules for each file takes longer than most of its tests.
    poolOptions: { threads: { isolate: false, minThreads: 1, maxThreads: 1 } },
    projects: [
      { extends: true, test: { name: "pure", include: PURE, pool: "threads" } },
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

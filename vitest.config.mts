import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.ts", "test/contract/**/*.test.ts", "test/faults/**/*.test.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    passWithNoTests: false,
    // Many tests wait for programs or timers: a worker for every core pays even on two.
    minWorkers: 2,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Only against hanging: the slowest take half a minute on a machine that is busy with something else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

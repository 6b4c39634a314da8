import { defineConfig } from "vitest/config";

/** The real Claude Code, three at a time: most of the time each waits for an API that thinks. */
export default defineConfig({
  test: {
    include: ["test/claude/**/*.test.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    minWorkers: 3,
    maxWorkers: 3,
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

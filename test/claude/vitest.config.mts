import { defineConfig } from "vitest/config";

/** The real Claude Code, two at a time: half of the time one waits for an API that thinks. */
export default defineConfig({
  test: {
    include: ["test/claude/**/*.test.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    minWorkers: 2,
    maxWorkers: 2,
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

import { defineConfig } from "vitest/config";

/** The real Claude Code: one at a time, as each takes all of a small machine. */
export default defineConfig({
  test: {
    include: ["test/claude/**/*.test.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    fileParallelism: false,
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

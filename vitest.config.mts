import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.ts", "test/contract/**/*.test.ts", "test/faults/**/*.test.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    passWithNoTests: false,
    testTimeout: 60_000,
  },
});

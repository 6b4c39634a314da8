import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.ts", "test/contract/**/*.test.ts", "test/faults/**/*.test.ts"],
    passWithNoTests: false,
    testTimeout: 60_000,
  },
});

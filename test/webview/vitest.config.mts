import { defineConfig } from "vitest/config";

/** The built page in a real browser: one Chromium for all files, one file at a time. */
export default defineConfig({
  test: {
    include: ["test/webview/**/*.test.ts"],
    globalSetup: ["test/webview/setup.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    fileParallelism: false,
    passWithNoTests: false,
    // Only against hanging.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

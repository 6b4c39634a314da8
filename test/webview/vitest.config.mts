import { defineConfig } from "vitest/config";

const MEASURED = ["test/webview/{speed,live}.test.ts"];

/** The built page in a real browser: one Chromium for all files. Measurements run on their own, afterwards. */
export default defineConfig({
  test: {
    globalSetup: ["test/webview/setup.ts"],
    setupFiles: ["test/support/fixedSeed.ts"],
    maxWorkers: 2,
    passWithNoTests: false,
    // Only guards against hanging.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: "page", include: ["test/webview/**/*.test.ts"], exclude: MEASURED } },
      { extends: true, test: { name: "speed", include: MEASURED, sequence: { groupOrder: 1 } } },
    ],
  },
});

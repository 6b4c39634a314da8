import { defineConfig } from "vitest/config";

/** One version of Claude Code, and the tests that it runs: `run.mjs` says which. */
interface Version {
  readonly version: string;
  readonly program: string;
  readonly include: string[];
  readonly exclude: string[];
}

const versions = JSON.parse(process.env["CLAUDE_VERSIONS"] ?? "[]") as Version[];

/** The real Claude Code, several at a time: mostly each one waits for the API or for a screen. */
export default defineConfig({
  test: {
    setupFiles: ["test/support/fixedSeed.ts"],
    maxWorkers: 5,
    passWithNoTests: false,
    // Only guards against hanging.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: versions.map(({ version, program, include, exclude }) => ({
      extends: true,
      test: { name: version, include, exclude, env: { CLAUDE_PROGRAM: program } },
    })),
  },
});

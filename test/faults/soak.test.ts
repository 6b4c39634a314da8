import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";

it("a short week of work loses nothing: the list and the picture match a batch replay", {
  timeout: 300_000,
}, async () => {
  const args = ["test/soak/run.mjs", "--lines", "8000", "--sessions", "10", "--seed", "7"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: REPOSITORY });
  expect(stdout).toContain("figures equal to a batch replay");
});

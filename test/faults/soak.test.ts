import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";

it("a small week of work loses nothing: the list and the picture are those of a batch replay", {
  timeout: 300_000,
}, () => {
  const args = ["test/soak/run.mjs", "--lines", "8000", "--sessions", "10", "--seed", "7"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: "utf8" });
  expect(stdout + stderr).toContain("figures equal to a batch replay");
  expect(status).toBe(0);
});

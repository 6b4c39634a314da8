/** A disk that is nearly full. Only root can create one. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, type TestContext } from "vitest";

/** Runs something while a folder is a disk of this many kilobytes; its own contents are hidden meanwhile. */
export async function withSmallDisk(
  context: TestContext,
  folder: string,
  kilobytes: number,
  act: () => Promise<void>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { status, error } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]);
  if (status !== 0) {
    console.log(`skipped: a disk that is nearly full (it cannot be mounted: ${error?.message ?? `status ${status}`})`);
    expect(process.env["CI"]).not.toBe("true");
    return context.skip();
  }
  try {
    await act();
  } finally {
    spawnSync("umount", ["-l", folder]);
  }
}

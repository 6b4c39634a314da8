/** A new export takes the place of an earlier one completely or not at all. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ExportFolder } from "../../../src/export/exportFolder.js";

const renaming = vi.hoisted(() => ({ renames: 0, failing: 0 }));

/** A disk on which one rename fails: no real one does so at a chosen moment. */
vi.mock("node:fs", async importOriginal => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const renameSync: typeof fs.renameSync = (from, to) => {
    if (++renaming.renames === renaming.failing) throw new Error("input/output error");
    fs.renameSync(from, to);
  };
  return { ...fs, renameSync };
});

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "dedup-inspector-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const place = () => join(home, "out");
const rows = () => readFileSync(join(place(), "sessions", "day=2026-01-01", "part-0.csv"), "utf8");

async function writeExport(text: string, failing = 0): Promise<void> {
  const folder = new ExportFolder(place());
  writeFileSync(folder.fileFor("sessions", "2026-01-01", "csv"), text);
  Object.assign(renaming, { renames: 0, failing });
  try {
    await folder.finish({});
  } finally {
    folder.discard();
  }
}

it("replaces the earlier one", async () => {
  await writeExport("earlier");
  await writeExport("new");
  expect(rows()).toBe("new");
  expect(readdirSync(home)).toEqual(["out"]);
});

it.each([
  ["the earlier one cannot be set aside", 1],
  ["the new one cannot be moved to its place", 2],
])("leaves the earlier one if %s", async (_why, failing) => {
  await writeExport("earlier");
  await expect(writeExport("new", failing)).rejects.toThrow("input/output error");
  expect(rows()).toBe("earlier");
  expect(readdirSync(home)).toEqual(["out"]);
});

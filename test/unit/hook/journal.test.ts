import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { hookSettings } from "../../../src/hook/hookSettings.js";
import { Journal, SOMEWHERE } from "../../../src/hook/journal.js";
import { Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

/** Represents an entry that cannot be read: everything before it is forbidden until its place is known. */
const unknown = { at: SOMEWHERE, begun: true };

it("an entry after a truncated one is not lost with it", () => {
  const path = join(folders.make(), "a.journal");
  const journal = new Journal(path);
  const [first, second, third] = [1, 2, 3].map(at => ({ at, edited: "/a" }));
  for (const entry of [first, second]) journal.add(entry as { at: number; edited: string });
  // A full disk, or a kill.
  truncateSync(path, readFileSync(path).length - 4);
  journal.add(third as { at: number; edited: string });
  expect(journal.entries()).toEqual([first, unknown, third]);
  appendFileSync(path, '{"at":4,"edi');
  expect(journal.entries()).toEqual([first, unknown, third, unknown]);
});

it("the state has its own folder, wherever the hook runs", () => {
  expect(hookSettings(["--state=/abs"]).folder).toBe("/abs");
  for (const folder of ["", ".", "state"]) expect(() => hookSettings([`--state=${folder}`])).toThrow("--state");
});

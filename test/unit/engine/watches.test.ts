/** Roots that change back and forth: watches for the old ones are released. */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Engine } from "../../../src/engine/engine.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { Folders } from "../../support/liveLog.js";
import { settled, until } from "../../support/until.js";
import { logIn } from "../tail/watched.js";

const folders = new Folders();
afterAll(() => folders.remove());

/** The system watches of this process, as counted by Node. */
function watches(): number {
  return process.getActiveResourcesInfo().filter(name => name === "FSEventWrap").length;
}

it("only the last roots are watched, however quickly they change, and nothing after the end", async () => {
  const roots = [folders.make(), folders.make()];
  for (const root of roots) for (const project of ["a", "b"]) logIn(join(root, project));
  const before = watches();
  const engine = new Engine(() => {});
  const place = { place: "browser", workspace: [], axis: "order", useCache: false } as const;
  const change = (at: number) =>
    engine.take({
      type: "configure",
      config: { ...place, roots: [roots[at % 2] ?? ""], settings: DEFAULT_SETTINGS, figures: DEFAULT_FIGURES },
    });
  for (let round = 0; round < 25; round++) {
    change(round);
    // Some changes come before the previous one has been processed, some after.
    if (round % 5 === 0) await wait(20);
  }
  await until(() => watches() > before);
  await settled(watches);
  // The root and its two projects.
  expect(watches() - before).toBe(3);
  await engine.stop();
  // Node counts a closed watch until the next turn of its loop.
  await until(() => watches() === before);
});

/** Where live hints can be turned on: every settings file once, whatever names lead to it. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { liveHintsPlaces } from "../../../src/hook/install/places.js";
import { Place } from "../../support/cli.js";

const place = new Place();
afterAll(() => place.remove());
afterEach(() => vi.unstubAllEnvs());

// VS Code writes a Windows drive as `c:`, and Windows the home folder as `C:`. Here, a link is the other spelling.
describe("in the home folder", () => {
  it.each([
    ["has run", true],
    ["has not run yet", false],
  ])("the project's settings are the user's own, however the folder is spelled, if Claude Code %s", (_, hasRun) => {
    const home = place.path(`home ${hasRun}`);
    mkdirSync(hasRun ? join(home, ".claude") : home, { recursive: true });
    const spelled = `${home} spelled`;
    symlinkSync(home, spelled, "junction");
    for (const name of ["HOME", "USERPROFILE"]) vi.stubEnv(name, home);
    vi.stubEnv("CLAUDE_CONFIG_DIR", "");
    expect(liveHintsPlaces(spelled)).toEqual([
      { scope: "local", project: spelled, file: join(spelled, ".claude", "settings.local.json") },
      { scope: "user", file: join(home, ".claude", "settings.json") },
    ]);
  });
});

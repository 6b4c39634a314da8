/** The plugin folder in the real Claude Code. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SPAN_EXPLANATION } from "../../src/log/explanation.js";
import { REPOSITORY } from "../support/replay.js";
import { turn, use } from "./rig/api.js";
import { aside, cat, TEXT } from "./rig/calls.js";
import { dangling, hintsIn, outcomesOf, saidIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

describe("the plugin", () => {
  const place = new Workplace();
  const folder = place.plugin;

  afterAll(() => place.remove());

  it("is valid", async () => {
    expect(await place.claude("plugin", "validate", folder)).toContain("Validation passed");
  });

  it("qualifies for a plugin directory, as far as this version checks that", async () => {
    const isChecked = (await place.claude("plugin", "validate", "--help")).includes("--profile");
    const profile = isChecked ? ["--profile", "directory"] : [];
    expect(await place.claude("plugin", "validate", ...profile, folder)).toContain("Validation passed");
  });

  it("passes its own tests in Claude Code's engine for mods", async () => {
    expect(await place.claude("plugin", "test", folder)).toMatch(/5 pass\n 0 fail/);
  });

  it("gives live hints while enabled, and leaves the settings alone", async () => {
    place.write("a.txt", "a line that is read twice\n".repeat(40));
    const [first, again] = [use("Bash", { command: "cat a.txt" }), use("Bash", { command: "cat a.txt" })];
    const script = { main: [turn(first), turn(use("Bash", { command: "echo aside" })), turn(again)] };
    const { requests } = await place.play(script, { args: ["--plugin-dir", folder] });
    expect([...hintsIn(requests)]).toEqual([[again.id, first.id]]);
    expect(dangling(requests)).toEqual([]);
    expect(await place.dedup("hooks", "status")).not.toMatch(/ on /);
  });
});

describe("the marketplace", () => {
  const ID = "dedup-inspector@dedup";
  const place = new Workplace();
  const folder = join(place.home, "package");

  afterAll(() => place.remove());

  /** Laid out as in a checkout and in the npm package. */
  function lay(): void {
    for (const name of [".claude-plugin", "plugin"]) {
      cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
    }
  }

  /** Whether hints are given, and explained once. */
  async function expectHints(): Promise<void> {
    place.write("a.txt", TEXT);
    const calls = [cat(), cat()] as const;
    const { requests } = await place.play({ main: [turn(calls[0]), aside(), turn(calls[1]), aside()] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1"]);
    const last = requests.findLast(({ conversation }) => conversation === "main");
    expect(last && saidIn(last).split(SPAN_EXPLANATION)).toHaveLength(2);
  }

  it("is valid, and has the plugin, which gives hints", async () => {
    lay();
    expect(await place.claude("plugin", "validate", folder)).toContain("Validation passed");
    await place.claude("plugin", "marketplace", "add", folder);
    await place.claude("plugin", "install", ID);
    const status = await place.dedup("hooks", "status");
    expect(status).toContain(`plugin ${ID}: on`);
    expect(status).toMatch(/^user +on /m);
    await expectHints();
  });

  it("gets along with hooks install: one of the two is silent", async () => {
    await place.dedup("hooks", "install", "--yes");
    expect(await place.dedup("hooks", "status")).toContain("either it or the mod above gives hints");
    await expectHints();
    expect(await place.dedup("hooks", "uninstall", "--yes")).toContain(`claude plugin uninstall ${ID}`);
    await expectHints();
    await place.claude("plugin", "uninstall", ID);
    expect(await place.dedup("hooks", "status")).not.toContain(ID);
  });
});

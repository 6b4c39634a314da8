/** The plugin folder, as the real Claude Code takes it. */
import { afterAll, describe, expect, it } from "vitest";
import { turn, use } from "./rig/api.js";
import { dangling, hintsIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

describe("the plugin", () => {
  const place = new Workplace();
  const folder = place.plugin;

  afterAll(() => place.remove());

  it("is valid", async () => {
    expect(await place.claude("plugin", "validate", folder)).toContain("Validation passed");
  });

  it("passes its own tests in Claude Code's engine for mods", async () => {
    expect(await place.claude("plugin", "test", folder)).toMatch(/3 pass\n 0 fail/);
  });

  it("gives live hints while it is in use, and leaves the settings alone", async () => {
    place.write("a.txt", "a line that is read twice\n".repeat(40));
    const [first, again] = [use("Bash", { command: "cat a.txt" }), use("Bash", { command: "cat a.txt" })];
    const script = { main: [turn(first), turn(use("Bash", { command: "echo aside" })), turn(again)] };
    const { requests } = await place.play(script, { args: ["--plugin-dir", folder] });
    expect([...hintsIn(requests)]).toEqual([[again.id, first.id]]);
    expect(dangling(requests)).toEqual([]);
    expect(await place.dedup("hooks", "status")).not.toMatch(/ on /);
  });
});

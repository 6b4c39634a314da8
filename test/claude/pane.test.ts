/** The mod's pane in Claude Code's own interface, and the same as text without one. */
import { appendFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clockTime, short } from "../../src/words/numbers.js";
import { ScriptedApi, say, turn } from "./rig/api.js";
import { aside, cat, TEXT } from "./rig/calls.js";
import { eventually } from "./rig/eventually.js";
import type { Terminal } from "./rig/terminal.js";
import { Workplace } from "./rig/workplace.js";

const withMod = (place: Workplace) => ["--plugin-dir", place.plugin, "--debug"];

/** Reads a file, does something else, and reads it again. */
const reading = () => [
  turn(cat()),
  aside(),
  turn(cat()),
  { ...say("read"), inputTokens: 30_000, writtenTokens: 20_000 },
];

/** An hour after one of the last few minutes, as displayed. */
function inAnHour(): RegExp {
  const times = [0, 1, 2, 3].map(minutes => clockTime(Date.now() / 1000 + 3600 - 60 * minutes));
  return new RegExp(`cached until (?:${times.join("|")})(?! or)`);
}

/** Saves the screen for inspection: `DEDUP_SCREENS=FILE`. */
function show(name: string, screen: string): void {
  const file = process.env["DEDUP_SCREENS"];
  if (file !== undefined) appendFileSync(file, `== ${name}\n${screen.trimEnd()}\n`);
}

describe("the mod's pane", () => {
  let place: Workplace;
  let api: ScriptedApi;

  beforeEach(() => {
    place = new Workplace();
    place.write("a.txt", TEXT);
    api = new ScriptedApi({ main: [...reading(), ...reading()] });
  });

  afterEach(async () => {
    api.stop();
    const log = place.debugLog;
    await place.remove();
    expect(log).not.toMatch(/Live hints are off|hook skipped|did not load|does not validate/);
  });

  /** What the report of the session's log says, in the pane's words. */
  async function realised(): Promise<string> {
    const { totals } = JSON.parse(await place.dedup("report", place.logs.main, "--json"));
    return `${short(totals.realisedTokens)} tokens`;
  }

  /** Either may be a moment ahead of the other: the pane knows a result before Claude Code has written it to its log. */
  async function agreesWithReport(terminal: Terminal): Promise<void> {
    await eventually("the report's figure", async () => terminal.screen.includes(`Saved so far  ${await realised()}`));
  }

  const opened = async (options: { columns?: number; env?: Record<string, string> } = {}): Promise<Terminal> => {
    const terminal = await place.terminal(await api.start(), { args: withMod(place), ...options });
    await terminal.enter("script:main read it");
    await terminal.answers("read");
    expect(terminal.screen).not.toContain("Saved so far");
    await terminal.enter("/dedup");
    await terminal.shows("Saved so far");
    return terminal;
  };

  it.each([
    ["wide", 160, {}],
    ["as usual", 100, {}],
    ["narrow", 60, {}],
    ["without colours", 100, { NO_COLOR: "1" }],
  ])("opens, follows the session and closes: %s", async (name, columns, env) => {
    const terminal = await opened({ columns, env });
    await terminal.shows(/Last results/);
    await terminal.shows(/live hint to call 1/);
    await agreesWithReport(terminal);
    await terminal.shows(/Context +30\.0k of/);
    await terminal.shows(inAnHour());
    show(name, terminal.screen);
    await terminal.enter("read it again");
    await terminal.shows(/^.*\b6\b.*cat a\.txt/m);
    await agreesWithReport(terminal);
    show(`${name}, later`, terminal.screen);
    await terminal.enter("/dedup");
    await terminal.hides("Saved so far");
  });

  it("prints the same without an interface", async () => {
    const url = await api.start();
    await place.prompt(url, "script:main read it", { args: withMod(place) });
    const printed = await place.prompt(url, "/dedup", { args: ["--continue", ...withMod(place)] });
    show("claude -p", printed);
    expect(printed).toContain(`Saved so far  ${await realised()}`);
    expect(printed).toMatch(/3 {2}9\d % {2}Bash cat a\.txt {2,}live hint to call 1$/m);
  });

  it("draws nothing unasked, except for an optional short line", async () => {
    place.settings({ pluginConfigs: { "dedup-inspector@inline": { options: { line: true } } } });
    const terminal = await place.terminal(await api.start(), { args: withMod(place) });
    await terminal.enter("script:main read it");
    await terminal.answers("read");
    await terminal.shows(/saved \d/);
    show("the line", terminal.screen);
  });
});

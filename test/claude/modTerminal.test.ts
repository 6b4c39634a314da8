/** Live hints as a mod in Claude Code's own interface: what went out of the conversation there is never pointed at. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";
import { ScriptedApi, say, turn } from "./rig/api.js";
import { aside, bash, cat, TEXT } from "./rig/calls.js";
import { outcomesOf, resultsIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

/** A copy: Claude Code writes declarations beside a mod that it may be asked to work on. */
function withMod(place: Workplace): string[] {
  const copy = join(place.home, "plugin");
  cpSync(join(REPOSITORY, "plugin"), copy, { recursive: true });
  return ["--plugin-dir", copy, "--debug"];
}

const CUTTING = { tengu_jiggly_blossom: "on", tengu_wise_pearl: { write_records: true } };
/** The switches are this version's, and count only where nothing can leave the machine. */
const cutsResults =
  process.env["DEDUP_CONFINED"] === "1" && process.env["CLAUDE_PROGRAM"]?.includes("claude-code-2.1.325");

/** As if a log had been written hours ago. */
function restFor(hours: number, log: string): void {
  const earlier = (time: string) => new Date(Date.parse(time) - hours * 3_600_000).toISOString();
  writeFileSync(log, readFileSync(log, "utf8").replace(/(?<="timestamp":")[^"]+/g, earlier));
}

describe("the mod in the terminal", () => {
  let place: Workplace;

  beforeEach(() => {
    place = new Workplace();
    place.write("a.txt", TEXT);
  });

  afterEach(async () => {
    const log = place.debugLog;
    await place.remove();
    expect(log).not.toMatch(/Live hints are off|hook skipped|did not load/);
  });

  /** As in terminal.test.ts: after a long rest, old results are left out of the next request. */
  it.skipIf(!cutsResults)("points at nothing that was cut while nobody was there", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [cut, again, last] = calls;
    const others = Array.from({ length: 34 }, (_, at) =>
      turn(bash(`for n in $(seq 60); do echo "$n of output ${at}, ${"words ".repeat(10)}"; done`)),
    );
    await place.play({ main: [turn(cut), ...others, say("read")] }, { thinkMs: 0 });
    restFor(3, place.logs.main);
    const later = [turn(again), aside(), turn(last), say("read again")].map(one => ({ ...one, inputTokens: 100_000 }));
    const api = new ScriptedApi({ main: later });
    try {
      const terminal = await place.terminal(await api.start(), {
        args: ["--resume", place.session, ...withMod(place)],
        env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "", DISABLE_TELEMETRY: "" },
        remembered: { cachedFeatureFlags: CUTTING, cachedFeatureFlagsAt: Date.now() },
      });
      await terminal.enter("script:main read it again");
      await terminal.answers("read again");
      const request = api.requests.findLast(({ conversation }) => conversation === "main");
      expect(request && resultsIn(request).get(cut.id)).toBe("[Old tool result content cleared]");
      expect(outcomesOf(api.requests, calls)).toEqual(["full", "full", "= 2"]);
    } finally {
      api.stop();
    }
  });

  it("points at nothing after going back", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [gone, again, last] = calls;
    const api = new ScriptedApi({
      main: [say("ready"), turn(gone), say("read"), turn(again), aside(), turn(last), say("read again")],
    });
    try {
      const terminal = await place.terminal(await api.start(), { args: withMod(place) });
      await terminal.enter("script:main be ready");
      await terminal.answers("ready");
      await terminal.enter("read it");
      await terminal.answers("read");
      await terminal.goBack("read it");
      await terminal.enter("read it after all");
      await terminal.answers("read again");
      expect(outcomesOf(api.requests, calls)).toEqual(["gone", "full", "= 2"]);
    } finally {
      api.stop();
    }
  });
});

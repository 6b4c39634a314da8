/** Live hints as a mod in Claude Code's own interface: hints never point at what has left the conversation. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SPAN_EXPLANATION } from "../../src/log/explanation.js";
import { ScriptedApi, say, turn } from "./rig/api.js";
import { aside, cat, TEXT } from "./rig/calls.js";
import { CUT, cutsResults, cutting, manyResults, pause } from "./rig/longPause.js";
import { dangling, outcomesOf, resultsIn, saidIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

const withMod = (place: Workplace) => ["--plugin-dir", place.plugin, "--debug"];

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

  /** As in terminal.test.ts: after a long pause, old results are dropped from the next request. */
  it.skipIf(!cutsResults)("points at nothing that was cut during a long pause", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [cut, again, last] = calls;
    await place.play({ main: [turn(cut), ...manyResults(), say("read")] }, { thinkMs: 0 });
    pause(place.logs.main);
    const later = [turn(again), aside(), turn(last), say("read again")].map(one => ({ ...one, inputTokens: 100_000 }));
    const api = new ScriptedApi({ main: later });
    try {
      const terminal = await place.terminal(await api.start(), {
        args: ["--resume", place.session, ...withMod(place)],
        ...cutting(),
      });
      await terminal.enter("script:main read it again");
      await terminal.answers("read again");
      const request = api.requests.findLast(({ conversation }) => conversation === "main");
      expect(request && resultsIn(request).get(cut.id)).toBe(CUT);
      expect(outcomesOf(api.requests, calls)).toEqual(["full", "full", "= 2"]);
    } finally {
      api.stop();
    }
  });

  it.skipIf(!cutsResults)("tells the model what was cut and is still referred to, with the next prompt", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [cut, hinted, last] = calls;
    const first = [turn(cut), ...manyResults(), turn(hinted), say("read")];
    await place.play({ main: first }, { thinkMs: 0, args: withMod(place) });
    pause(place.logs.main);
    const later = [turn(last), say("read again"), say("done")].map(one => ({ ...one, inputTokens: 100_000 }));
    const api = new ScriptedApi({ main: later });
    try {
      const terminal = await place.terminal(await api.start(), {
        args: ["--resume", place.session, ...withMod(place)],
        ...cutting(),
      });
      await terminal.enter("script:main read it again");
      await terminal.answers("read again");
      await terminal.enter("and now");
      await terminal.answers("done");
      const requests = api.requests.filter(({ conversation }) => conversation === "main").slice(-1);
      expect(outcomesOf(requests, calls)).toEqual(["full", "= 1", "full"]);
      expect(dangling(requests)).toEqual([]);
      const [request] = requests;
      expect(request && saidIn(request).split(`${cut.id} Bash(cat a.txt) had returned`)).toHaveLength(2);
    } finally {
      api.stop();
    }
  });

  it("works without a question, and follows settings that change between prompts", async () => {
    await place.dedup("hooks", "install", "--yes");
    const calls = [cat(), cat(), cat()] as const;
    const first = [turn(calls[0]), aside(), turn(calls[1]), say("read")];
    const api = new ScriptedApi({ main: [...first, aside(), turn(calls[2]), say("read again")] });
    try {
      const terminal = await place.terminal(await api.start(), { args: ["--debug"] });
      await terminal.enter("script:main read it");
      await terminal.answers("read");
      await place.dedup("hooks", "install", "--verbosity", "terse");
      await terminal.enter("read it again");
      await terminal.answers("read again");
      const request = api.requests.findLast(({ conversation }) => conversation === "main");
      const results = request ? resultsIn(request) : new Map<string, string>();
      expect(results.get(calls[1].id)).toContain(`> [ref: ${calls[0].id}, byte-identical, from: `);
      // If a version lists a result with more than its text, hints are for all its lines instead of the whole.
      expect(results.get(calls[2].id)).toMatch(new RegExp(`^> \\[ref: ${calls[0].id}(?: lines 1-\\d+)?\\]$`));
    } finally {
      api.stop();
    }
  });

  it("explains hints again if a rewind removed the explanation", async () => {
    const calls = [cat(), cat()] as const;
    const api = new ScriptedApi({
      main: [say("ready"), turn(calls[0]), aside(), turn(calls[1]), say("read again"), say("done")],
    });
    try {
      const terminal = await place.terminal(await api.start(), { args: withMod(place) });
      await terminal.enter("script:main be ready");
      await terminal.answers("ready");
      await terminal.goBack("script:main be ready");
      await terminal.enter("script:main read it");
      await terminal.answers("read again");
      await terminal.enter("and now");
      await terminal.answers("done");
      expect(outcomesOf(api.requests, calls)).toEqual(["full", "= 1"]);
      const last = api.requests.findLast(({ conversation }) => conversation === "main");
      expect(last && saidIn(last)).not.toContain("be ready");
      expect(last && saidIn(last).split(SPAN_EXPLANATION)).toHaveLength(2);
    } finally {
      api.stop();
    }
  });

  it("points at nothing that a rewind removed", async () => {
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

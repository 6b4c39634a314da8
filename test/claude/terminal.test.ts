/** Claude Code as people use it, in a terminal: hints never point at what has left the conversation. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ScriptedApi, say, type ToolUse, type Turn, turn } from "./rig/api.js";
import { aside, cat, TEXT } from "./rig/calls.js";
import { eventually } from "./rig/eventually.js";
import { CUT, cutsResults, cutting, manyResults, pause } from "./rig/longPause.js";
import { dangling, expandedIn, outcomesOf, saidIn } from "./rig/requests.js";
import type { Terminal } from "./rig/terminal.js";
import { Workplace } from "./rig/workplace.js";

describe("live hints in the terminal", () => {
  let place: Workplace;
  let api: ScriptedApi | undefined;

  beforeEach(() => {
    place = new Workplace();
    place.write("a.txt", TEXT);
  });

  afterEach(async () => {
    api?.stop();
    await place.remove();
  });

  const turnOn = (...more: string[]) => place.turnHooksOn(...more);

  /** A Claude Code with `--debug` picks up changed settings a moment later. */
  const turnOnWhileItRuns = async (...more: string[]) => {
    await turnOn(...more);
    await eventually("the changed settings", () => /Settings changed from (user|local)Settings/.test(place.debugLog));
  };

  const open = async (turns: readonly Turn[], ...args: string[]): Promise<Terminal> => {
    api = new ScriptedApi({ main: turns });
    return place.terminal(await api.start(), { args });
  };

  const sound = (calls: readonly ToolUse[], outcomes: readonly string[]) => {
    const requests = api?.requests ?? [];
    expect(outcomesOf(requests, calls)).toEqual(outcomes);
    expect(dangling(requests)).toEqual([]);
    expect(place.complaints).toBe("");
  };

  it.each(["/effort low", "/context", "/model sonnet"])("do not outlive a rewind followed by %s", async command => {
    await turnOn();
    const calls = [cat(), cat(), cat()] as const;
    const [gone, again, last] = calls;
    const later = [turn(again), aside(), turn(last), say("read again")];
    const terminal = await open([say("ready"), turn(gone), say("read"), ...later]);
    await terminal.enter("script:main be ready");
    await terminal.answers("ready");
    await terminal.enter("read it");
    await terminal.answers("read");
    await terminal.goBack("read it");
    await terminal.enter(command);
    await terminal.commandIsDone(command);
    await terminal.enter("read it after all");
    await terminal.answers("read again");
    sound(calls, ["gone", "full", "= 2"]);
  });

  it("notice a rewind to the first prompt, even if they were turned on after it", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [gone, again, last] = calls;
    const later = [turn(again), aside(), turn(last), say("read again")];
    const terminal = await open([turn(gone), say("read"), ...later], "--debug");
    await terminal.enter("script:main read it");
    await terminal.answers("read");
    await turnOnWhileItRuns();
    await terminal.goBack("script:main read it");
    await terminal.enter("script:main read it again");
    await terminal.answers("read again");
    sound(calls, ["gone", "full", "= 2"]);
  });

  /**
   * After an idle hour the newest version cuts old results, if Anthropic has enabled that: here by remembered feature
   * flags, and by a log whose timestamps are hours old.
   */
  it.skipIf(!cutsResults)("are not given for results that were cut during a long pause", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [cut, again, last] = calls;
    await place.play({ main: [turn(cut), ...manyResults(), say("read")] }, { thinkMs: 0 });
    pause(place.logs.main);

    // As if the context had not shrunk: that alone would end every hint.
    const later = [turn(again), aside(), turn(last), say("read again")].map(one => ({ ...one, inputTokens: 100_000 }));
    api = new ScriptedApi({ main: later });
    const terminal = await place.terminal(await api.start(), {
      args: ["--resume", place.session, "--debug"],
      ...cutting(),
    });
    // Only turned on now: in a session that they saw being resumed, they would ignore what was there before.
    await turnOnWhileItRuns("--capacity", "64");
    await terminal.enter("script:main read it again");
    await terminal.answers("read again");
    sound(calls, ["full", "full", "= 2"]);
    const request = api?.requests.findLast(({ conversation }) => conversation === "main");
    const texts = request && expandedIn(request);
    expect(calls.map(({ id }) => texts?.get(id))).toEqual([CUT, TEXT.trimEnd(), TEXT.trimEnd()]);
  });

  it.skipIf(!cutsResults)("come with what they refer to if that was cut during a long pause", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [cut, hinted, last] = calls;
    await turnOn();
    await place.play({ main: [turn(cut), ...manyResults(), turn(hinted), say("read")] }, { thinkMs: 0 });
    pause(place.logs.main);
    const later = [turn(last), aside(), say("read again")].map(one => ({ ...one, inputTokens: 100_000 }));
    api = new ScriptedApi({ main: later });
    const terminal = await place.terminal(await api.start(), {
      args: ["--resume", place.session, "--debug"],
      ...cutting(),
    });
    await terminal.enter("script:main read it again");
    await terminal.answers("read again");
    // The first request after the pause could not say it yet.
    const requests = api.requests.filter(({ conversation }) => conversation === "main").slice(-1);
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1", "full"]);
    expect(dangling(requests)).toEqual([]);
    const [request] = requests;
    expect(request && saidIn(request).split(`${cut.id} Bash(cat a.txt) had returned`)).toHaveLength(2);
    expect(place.complaints).toBe("");
  });
});

describe("the status line in the terminal", () => {
  it("says how full the context is, and how much of it repeats", async () => {
    const place = new Workplace();
    const api = new ScriptedApi({ main: [turn(cat()), turn(cat()), say("read")] });
    try {
      place.write("a.txt", TEXT);
      await place.dedup("statusline", "install", "--yes");
      const terminal = await place.terminal(await api.start());
      await terminal.enter("script:main go");
      await terminal.shows(/^● read\s*$/m);
      // One of two results, less the length of the hint that could replace it.
      await terminal.shows(/^ *\d+(?:\.\d)? % · 4[5-9] % repeats/m);
    } finally {
      api.stop();
      await place.remove();
    }
  });
});

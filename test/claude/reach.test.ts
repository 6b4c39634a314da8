/** What a model no longer has, or never had, although it is in the session's log. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ScriptedApi, say, turn } from "./rig/api.js";
import { aside, cat, TEXT } from "./rig/calls.js";
import { eventually } from "./rig/eventually.js";
import { dangling, hintsIn, outcomesOf, resultsIn, saidIn } from "./rig/requests.js";
import { type Session, Workplace } from "./rig/workplace.js";

/** A promise and its resolver. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}

describe("live hints", () => {
  let place: Workplace;

  beforeEach(async () => {
    place = new Workplace();
    place.write("a.txt", TEXT);
    await place.turnHooksOn();
  });

  afterEach(() => place.remove());

  const sound = ({ requests }: Session) => {
    expect(dangling(requests)).toEqual([]);
    expect(place.complaints).toBe("");
  };

  /** A compaction right after a hint: it keeps the answer that made the context too large, and its result. */
  const compacted = async (text: string) => {
    place.write("a.txt", text);
    const calls = [cat(), cat(), cat()] as const;
    const [first, hinted, after] = calls;
    const grown = { ...turn(hinted), inputTokens: 160_000 };
    const session = await place.play(
      { main: [turn(first), aside(), grown, turn(after)] },
      { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" } },
    );
    expect(hintsIn(session.requests).get(hinted.id)).toBe(first.id);
    expect(outcomesOf(session.requests, calls)).toEqual(["gone", "= 1", "full"]);
    sound(session);
    const left = session.requests.filter(request => {
      const results = resultsIn(request);
      return results.has(hinted.id) && !results.has(first.id);
    });
    return { first, said: left.map(saidIn) };
  };

  it("are supplied with their text if a compaction keeps a hint but not the text", async () => {
    const { first, said } = await compacted(TEXT);
    expect(said).toHaveLength(2);
    for (const text of said) {
      expect(text).toContain(`${first.id} Bash(cat a.txt) had returned`);
      expect(text).toContain(`\n${TEXT.trimEnd()}\n`);
    }
  });

  it("are explained if their text is too long to be supplied again", async () => {
    const long = TEXT.repeat(8);
    const { first, said } = await compacted(long);
    expect(said).toHaveLength(2);
    for (const text of said) {
      expect(text).toContain(`repeat the call if you need what it returned: ${first.id} Bash(cat a.txt)`);
      expect(text).not.toContain(long.trimEnd());
    }
  });

  /** Two processes on one session: the second resumes it after the first's call, and ends before that continues. */
  it("do not point at what another process on the same session got", async () => {
    const [theirs, own, again] = [cat(), cat(), cat()];
    const { promise: secondHasEnded, resolve: letFirstGoOn } = gate();
    const api = new ScriptedApi({
      first: [aside(), { ...turn(own), until: secondHasEnded }, aside(), turn(again)],
      second: [turn(theirs)],
    });
    const url = await api.start();
    const working = place.prompt(url, "script:first go");
    await eventually(
      "the first call's result",
      () => api.requests.filter(one => one.conversation === "first").length > 1,
    );
    await place.prompt(url, "script:second go", { args: ["--resume", place.session] });
    letFirstGoOn();
    await working;
    api.stop();
    expect(outcomesOf(api.requests, [theirs, own, again], "first")).toEqual(["gone", "full", "= 2"]);
    sound({ requests: api.requests });
  });

  it("do not point at what the other process got after this one resumed the session", async () => {
    const [theirs, own, again] = [cat(), cat(), cat()];
    const { promise: secondIsThere, resolve: letFirstGoOn } = gate();
    const { promise: firstHasEnded, resolve: letSecondGoOn } = gate();
    const api = new ScriptedApi({
      first: [aside(), { ...turn(theirs), until: secondIsThere }],
      second: [aside(), { ...turn(own), until: firstHasEnded }, aside(), turn(again)],
    });
    const url = await api.start();
    const sent = (name: string) => api.requests.filter(one => one.conversation === name).length;
    const first = place.prompt(url, "script:first go");
    await eventually("the first call's result", () => sent("first") > 1);
    const second = place.prompt(url, "script:second go", { args: ["--resume", place.session] });
    await eventually("the second process's request", () => sent("second") > 1);
    letFirstGoOn();
    await first;
    letSecondGoOn();
    await second;
    api.stop();
    expect(outcomesOf(api.requests, [theirs, own, again], "second")).toEqual(["gone", "full", "= 2"]);
    sound({ requests: api.requests });
  });

  it("are not given for what the API itself has cleared", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [first, cleared, last] = calls;
    const clearing = { ...turn(cleared), cleared: 1 };
    const session = await place.play({ main: [turn(first), aside(), clearing, aside(), turn(last)] });
    // The API removes it after the request has arrived, so only the log shows it.
    expect(outcomesOf(session.requests, calls)).toEqual(["full", "full", "= 2"]);
    sound(session);
  });

  it("start over in a fork", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [first, forked, last] = calls;
    const api = new ScriptedApi({ main: [turn(first), say("read"), turn(forked), aside(), turn(last)] });
    const url = await api.start();
    await place.prompt(url, "script:main go");
    await place.prompt(url, "go on", { args: ["--resume", place.session, "--fork-session"] });
    api.stop();
    expect(outcomesOf(api.requests, calls)).toEqual(["full", "full", "= 2"]);
    sound({ requests: api.requests });
  });
});

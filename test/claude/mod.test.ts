/** Live hints as a mod, in the real Claude Code: what the model reads is what arrives at the API. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SPAN_EXPLANATION } from "../../src/log/explanation.js";
import { MOD_DEFAULTS } from "../../src/mod/settings.js";
import { replayedEmissions } from "../support/modLog.js";
import { REPOSITORY } from "../support/replay.js";
import { type Request, type Script, ScriptedApi, say, turn, use } from "./rig/api.js";
import { aside, bash, cat, TEXT } from "./rig/calls.js";
import { expandedResults } from "./rig/expand.js";
import { hintsIn, outcomesOf, resultsIn, saidIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

const PLUGIN = join(REPOSITORY, "plugin");
const WITH_MOD = ["--plugin-dir", PLUGIN, "--debug"];

function source(name: string, lines: number): string {
  return Array.from({ length: lines }, (_, at) => `export const ${name}${at} = ${at * 7}; // the ${name} of line ${at}`)
    .join("\n")
    .concat("\n");
}

/** Overlapping reads, a re-read after an edit, a command after a read, a read after a write, commands run again. */
function work(place: Workplace): Script {
  const a = place.write("a.ts", source("alpha", 240));
  place.write("c.txt", source("gamma", 60));
  const b = place.file("b.ts");
  const read = (file_path: string, more = {}) => turn(use("Read", { file_path, ...more }));
  return {
    main: [
      read(a, { limit: 120 }),
      read(a, { offset: 60, limit: 120 }),
      turn(bash("cat a.ts")),
      turn(bash("cat c.txt")),
      turn(use("Edit", { file_path: a, old_string: "alpha100 ", new_string: "ALPHA100 " })),
      read(a),
      turn(use("Write", { file_path: b, content: source("beta", 120) })),
      read(b),
      turn(bash("ls")),
      turn(bash("cat c.txt")),
      turn(bash("tail -40 c.txt")),
      turn(bash("true")),
      turn(bash("cat c.txt")),
      read(a, { offset: 30, limit: 150 }),
    ],
  };
}

function lastOf(requests: readonly Request[], conversation = "main"): Request {
  const last = requests.findLast(request => request.conversation === conversation);
  if (last === undefined) throw new Error(`there was no request of ${conversation}`);
  return last;
}

/** Results in order, wherever they were made and whatever their calls are called. */
function texts(results: ReadonlyMap<string, string>, place: Workplace): string[] {
  return [...results.values()].map(text => text.replaceAll(place.project, "PROJECT"));
}

function chars(request: Request): number {
  return [...resultsIn(request).values()].reduce((sum, text) => sum + text.length, 0);
}

describe("the mod in a session", () => {
  const [without, withMod] = [new Workplace(), new Workplace()];
  let plain: readonly Request[];
  let hinted: readonly Request[];

  beforeAll(async () => {
    plain = (await without.play(work(without))).requests;
    hinted = (await withMod.play(work(withMod), { args: WITH_MOD })).requests;
  });

  afterAll(async () => {
    await without.remove();
    await withMod.remove();
  });

  it("sends at least a quarter fewer characters of results", () => {
    const [before, after] = [chars(lastOf(plain)), chars(lastOf(hinted))];
    console.log(
      `${before} characters of results without, ${after} with: ${Math.round(100 - (100 * after) / before)} % fewer`,
    );
    expect(after).toBeLessThan(0.75 * before);
  });

  it("sends requests that expand to exactly what is sent without it", () => {
    const ofMain = (requests: readonly Request[]) => requests.filter(({ conversation }) => conversation === "main");
    const [expected, got] = [ofMain(plain), ofMain(hinted)];
    expect(got).toHaveLength(expected.length);
    for (const [index, request] of got.entries()) {
      expect(texts(expandedResults(request), withMod)).toEqual(texts(resultsIn(expected[index] as Request), without));
    }
  });

  it("emits what the replay of the log without it foretold, and keeps that in its log", () => {
    const log = readFileSync(without.logs.main, "utf8");
    const emitted = replayedEmissions(without.logs.main, log, MOD_DEFAULTS);
    const [ids, others] = [lastOf(plain), lastOf(hinted)].map(request => [...resultsIn(request).keys()]);
    const renamed = (text: string) =>
      (ids ?? []).reduce((said, id, at) => said.replaceAll(id, others?.[at] ?? ""), text);
    const foretold = [...resultsIn(lastOf(plain))].map(([id, text]) => emitted.get(`main ${id}`) ?? text);
    const sent = texts(resultsIn(lastOf(hinted)), withMod);
    expect(sent).toEqual(foretold.map(text => renamed(text).replaceAll(without.project, "PROJECT")));
  });

  it("explains hints once, where a log's reader finds it", async () => {
    expect(saidIn(lastOf(hinted)).split(SPAN_EXPLANATION)).toHaveLength(2);
    expect(readFileSync(withMod.logs.main, "utf8")).toContain(`"content":[${JSON.stringify(SPAN_EXPLANATION)}]`);
    expect(withMod.debugLog).not.toMatch(/Live hints are off|hook skipped/);
  });
});

const CUTTING = { tengu_jiggly_blossom: "on", tengu_wise_pearl: { write_records: true } };
/** The switches are this version's, and count only where nothing can leave the machine. */
const cutsResults =
  process.env["DEDUP_CONFINED"] === "1" && process.env["CLAUDE_PROGRAM"]?.includes("claude-code-2.1.325");

/** As if a log had been written hours ago. */
function restFor(hours: number, log: string): void {
  const earlier = (time: string) => new Date(Date.parse(time) - hours * 3_600_000).toISOString();
  writeFileSync(log, readFileSync(log, "utf8").replace(/(?<="timestamp":")[^"]+/g, earlier));
}

describe("the mod", () => {
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

  const play = (script: Script, more = {}) => place.play(script, { args: WITH_MOD, ...more });

  it("gives the text where it is asked for again", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const { requests } = await play({ main: [turn(calls[0]), aside(), turn(calls[1]), turn(calls[2])] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1", "full"]);
  });

  it("gives the text of a Read that was answered with hints and is asked for again", async () => {
    const file_path = place.write("a.ts", source("alpha", 80));
    const read = (more = {}) => use("Read", { file_path, ...more });
    const [part, whole, again] = [read({ limit: 60 }), read(), read()];
    const { requests } = await play({ main: [turn(part), turn(whole), turn(again)] });
    const results = resultsIn(lastOf(requests));
    expect(results.get(whole.id)).toContain(`> [ref: ${part.id} lines 1-60`);
    expect(results.get(again.id)).toBe(expandedResults(lastOf(requests)).get(whole.id));
  });

  it("does not let results of one message refer to one another", async () => {
    const calls = [cat(), cat()] as const;
    const { requests } = await play({ main: [turn(...calls), aside()] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "full"]);
  });

  it("keeps subagents apart from the conversation that started them", async () => {
    const [own, theirs, again] = [cat(), cat(), cat()];
    const agent = use("Agent", {
      description: "read",
      prompt: "script:helper go",
      subagent_type: "general-purpose",
      run_in_background: false,
    });
    const script = { main: [turn(own), turn(agent), aside()], helper: [turn(theirs), aside(), turn(again), aside()] };
    const { requests } = await play(script);
    expect(outcomesOf(requests, [own])).toEqual(["full"]);
    expect(outcomesOf(requests, [theirs, again], "helper")).toEqual(["full", "= 1"]);
  });

  it("refuses to write a hint into a file", async () => {
    const [first, again] = [cat(), cat()];
    const content = `one\n> [ref: ${first.id} lines 2-9]\ntwo\n`;
    const write = use("Write", { file_path: place.file("b.txt"), content });
    const shell = bash(`cat > c.txt <<'END'\n${content}END`);
    const { requests } = await play({ main: [turn(first), aside(), turn(again), turn(write), turn(shell)] });
    const results = resultsIn(lastOf(requests));
    for (const { id } of [write, shell]) expect(results.get(id)).toContain("write those lines themselves");
    expect([existsSync(place.file("b.txt")), existsSync(place.file("c.txt"))]).toEqual([false, false]);
  });

  it("learns from a session that is taken up again what it holds", async () => {
    const [first, again] = [cat(), cat()];
    const script = { main: [turn(first), say("read")], later: [aside(), turn(again), aside()] };
    const { requests } = await play(script, { prompts: ["script:main go", "script:later go"] });
    expect(outcomesOf(requests, [first, again], "later")).toEqual(["full", "= 1"]);
  });

  it("points at nothing that a compaction took away, and gives what a kept hint stood for", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [first, kept, after] = calls;
    const grown = { ...turn(kept), inputTokens: 160_000 };
    const { requests } = await play(
      { main: [turn(first), aside(), grown, turn(after)] },
      { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" } },
    );
    expect(hintsIn(requests).get(kept.id)).toBe(first.id);
    expect(outcomesOf(requests, calls)).toEqual(["gone", "= 1", "full"]);
    const left = requests.filter(request => resultsIn(request).has(kept.id) && !resultsIn(request).has(first.id));
    expect(left.length).toBeGreaterThan(0);
    for (const request of left) {
      expect(saidIn(request)).toContain(`${first.id} Bash(cat a.txt) had returned`);
      expect(saidIn(request)).toContain(SPAN_EXPLANATION);
    }
  });

  it("is alone where the hooks of the settings are on too", async () => {
    await place.dedup("hooks", "install", "--yes");
    const calls = [cat(), cat()] as const;
    const { requests } = await play({ main: [turn(calls[0]), aside(), turn(calls[1]), aside()] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1"]);
    expect(saidIn(lastOf(requests)).match(/Tool output `> \[ref: ID/g)).toHaveLength(1);
    expect(place.ownFiles.filter(path => path.endsWith(".state"))).toEqual([]);
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
        args: ["--resume", place.session, ...WITH_MOD],
        env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "", DISABLE_TELEMETRY: "" },
        remembered: { cachedFeatureFlags: CUTTING, cachedFeatureFlagsAt: Date.now() },
      });
      await terminal.enter("script:main read it again");
      await terminal.answers("read again");
      expect(resultsIn(lastOf(api.requests)).get(cut.id)).toBe("[Old tool result content cleared]");
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
      const terminal = await place.terminal(await api.start(), { args: WITH_MOD });
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

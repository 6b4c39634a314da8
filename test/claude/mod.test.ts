/** Live hints as a mod, in the real Claude Code: what arrives at the API is what the model reads. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { SPAN_EXPLANATION } from "../../src/log/explanation.js";
import { replayedEmissions } from "../support/modLog.js";
import { type Request, type Script, ScriptedApi, say, turn, use } from "./rig/api.js";
import { aside, bash, cat, TEXT } from "./rig/calls.js";
import { expandedResults } from "./rig/expand.js";
import { rereadAfterFormatter } from "./rig/formatter.js";
import { pause } from "./rig/longPause.js";
import { messageFingerprint, recordedRequests } from "./rig/requestRecords.js";
import { hintsIn, outcomesOf, resultsIn, saidIn } from "./rig/requests.js";
import { chars, lastOf, predicted, source, texts, work } from "./rig/work.js";
import { Workplace } from "./rig/workplace.js";

const withMod = (place: Workplace) => ["--plugin-dir", place.plugin, "--debug"];

describe("the mod in a session", () => {
  const [without, other] = [new Workplace(), new Workplace()];
  let plain: readonly Request[];
  let hinted: readonly Request[];

  beforeAll(async () => {
    plain = (await without.play(work(without))).requests;
    hinted = (await other.play(work(other), { args: withMod(other) })).requests;
  });

  afterAll(async () => {
    await without.remove();
    await other.remove();
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
      expect(texts(expandedResults(request), other)).toEqual(texts(resultsIn(expected[index] as Request), without));
    }
  });

  it("emits what the replay of the log without it predicted, and keeps that in its log", () => {
    const log = readFileSync(without.logs.main, "utf8");
    const emitted = replayedEmissions(without.logs.main, log, DEFAULT_SETTINGS);
    const sent = texts(resultsIn(lastOf(hinted)), other);
    expect(sent).toEqual(predicted(emitted, lastOf(plain), lastOf(hinted), without));
  });

  it("has saved what the report predicted, less its explanation", async () => {
    // The same for both: a log with hints has too little text to measure the ratio.
    const ratio = 4;
    const totals = async (place: Workplace) =>
      JSON.parse(await place.dedup("report", place.logs.main, "--json", "--chars-per-token", `${ratio}`)).totals;
    const [predicted, realised] = [await totals(without), await totals(other)];
    const expected = predicted.savedTokens - SPAN_EXPLANATION.length / ratio;
    console.log(`${predicted.savedTokens} tokens predicted, ${realised.realisedTokens} realised`);
    expect(Math.abs(realised.realisedTokens - expected) / expected).toBeLessThan(0.02);
  });

  it("is in the log's own records of requests, to the byte", ({ skip }) => {
    const records = recordedRequests(other.logs.main);
    if (records.length === 0) skip("this version keeps no records of requests");
    const requests = hinted.filter(({ conversation }) => conversation === "main");
    expect(records).toHaveLength(requests.length);
    for (const [index, { messages }] of requests.entries()) {
      const withResults = messages.filter(({ content }) => JSON.stringify(content).includes('"tool_result"'));
      expect(withResults).toHaveLength(index);
      expect(records[index]).toEqual(expect.arrayContaining(withResults.map(messageFingerprint)));
    }
  });

  it("explains hints once, where a reader of the log finds it", async () => {
    expect(saidIn(lastOf(hinted)).split(SPAN_EXPLANATION)).toHaveLength(2);
    expect(readFileSync(other.logs.main, "utf8")).toContain(`"content":[${JSON.stringify(SPAN_EXPLANATION)}]`);
    expect(other.debugLog).not.toMatch(/Live hints are off|hook skipped/);
  });
});

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

  const play = (script: Script, more = {}) => place.play(script, { args: withMod(place), ...more });

  it("gives the full text when asked again", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const { requests } = await play({ main: [turn(calls[0]), aside(), turn(calls[1]), turn(calls[2])] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1", "full"]);
  });

  it("gives the full text when a Read that was answered with hints is repeated", async () => {
    const file_path = place.write("a.ts", source("alpha", 80));
    const read = (more = {}) => use("Read", { file_path, ...more });
    const [part, whole, again] = [read({ limit: 60 }), read(), read()];
    const { requests } = await play({ main: [turn(part), turn(whole), turn(again)] });
    const results = resultsIn(lastOf(requests));
    expect(results.get(whole.id)).toContain(`> [ref: ${part.id} lines 1-60`);
    expect(results.get(again.id)).toBe(expandedResults(lastOf(requests)).get(whole.id));
  });

  it("does not bring back the text from before an edit, if Claude Code has read the file since", async () => {
    const [whole, again] = await rereadAfterFormatter(place, script => play(script));
    expect(whole).toContain("> [ref: ");
    expect(again).toMatch(/unchanged since|^1\t.*EDITED/);
  });

  it("does not let results of one message refer to each other", async () => {
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

  it("learns what a resumed session contains", async () => {
    const [first, again] = [cat(), cat()];
    const script = { main: [turn(first), say("read")], later: [aside(), turn(again), aside()] };
    const { requests } = await play(script, { prompts: ["script:main go", "script:later go"] });
    expect(outcomesOf(requests, [first, again], "later")).toEqual(["full", "= 1"]);
  });

  it("points at nothing that the API cleared after a long pause", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const [first, again, last] = calls;
    const clearing = { ...turn(again), cleared: 1 };
    const api = new ScriptedApi({ main: [turn(first), say("read"), clearing, aside(), turn(last), say("read again")] });
    const url = await api.start();
    await place.prompt(url, "script:main go", { args: withMod(place) });
    pause(place.logs.main);
    await place.prompt(url, "go on", { args: ["--resume", place.session, ...withMod(place)] });
    api.stop();
    // The API removes it after the request has arrived, so only the log shows it.
    expect(outcomesOf(api.requests, calls)).toEqual(["full", "full", "= 2"]);
  });

  it("points at nothing that a compaction removed, and supplies what a kept hint replaced", async () => {
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

  it("is the only one active if the settings hooks are on too", async () => {
    await place.dedup("hooks", "install", "--yes");
    const calls = [cat(), cat()] as const;
    const { requests } = await play({ main: [turn(calls[0]), aside(), turn(calls[1]), aside()] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1"]);
    expect(saidIn(lastOf(requests)).match(/Tool output `> \[ref: ID/g)).toHaveLength(1);
    expect(place.ownFiles.filter(path => path.endsWith(".state"))).toEqual([]);
  });

  it("respects the plugin's settings", async () => {
    const options = { verbosity: "terse", capacity: 1, runs: false };
    place.settings({ pluginConfigs: { "dedup-inspector@inline": { options } } });
    const calls = [cat(), cat(), cat()] as const;
    const other = turn(bash(`for n in $(seq 40); do echo "$n of another output"; done`));
    const { requests } = await play({
      main: [turn(calls[0]), aside(), turn(calls[1]), other, turn(calls[2]), aside()],
    });
    const results = resultsIn(lastOf(requests));
    expect(results.get(calls[1].id)).toBe(`> [ref: ${calls[0].id}]`);
    expect(results.get(calls[2].id)).toBe(TEXT.trimEnd());
  });
});

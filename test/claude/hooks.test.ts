/** Live hints as settings hooks, in the real Claude Code: what arrives at the API is what the model reads. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { replayedEmissions } from "../support/modLog.js";
import { type Request, type Script, turn, use } from "./rig/api.js";
import { bash, cat, TEXT } from "./rig/calls.js";
import { expandedResults } from "./rig/expand.js";
import { rereadAfterFormatter } from "./rig/formatter.js";
import { resultsIn, saidIn } from "./rig/requests.js";
import { chars, lastOf, predicted, source, texts, work } from "./rig/work.js";
import { Workplace } from "./rig/workplace.js";

const HOOKS = { ...DEFAULT_SETTINGS, door: "hooks" as const };

describe("settings hooks in a session", () => {
  const [without, withHooks] = [new Workplace(), new Workplace()];
  let plain: readonly Request[];
  let hinted: readonly Request[];

  beforeAll(async () => {
    plain = (await without.play(work(without))).requests;
    await withHooks.dedup("hooks", "install", "--yes");
    hinted = (await withHooks.play(work(withHooks))).requests;
  });

  afterAll(async () => {
    await without.remove();
    await withHooks.remove();
  });

  it("send fewer characters of results", () => {
    const [before, after] = [chars(lastOf(plain)), chars(lastOf(hinted))];
    console.log(
      `${before} characters of results without, ${after} with: ${Math.round(100 - (100 * after) / before)} % fewer`,
    );
    expect(after).toBeLessThan(0.75 * before);
    expect(withHooks.complaints).toBe("");
  });

  it("send requests that expand to exactly what is sent without them", () => {
    const ofMain = (requests: readonly Request[]) => requests.filter(({ conversation }) => conversation === "main");
    const [expected, got] = [ofMain(plain), ofMain(hinted)];
    expect(got).toHaveLength(expected.length);
    for (const [index, request] of got.entries()) {
      expect(texts(expandedResults(request), withHooks)).toEqual(texts(resultsIn(expected[index] as Request), without));
    }
  });

  it("emit what the replay of the log without them predicted", () => {
    const emitted = replayedEmissions(without.logs.main, readFileSync(without.logs.main, "utf8"), HOOKS);
    const sent = texts(resultsIn(lastOf(hinted)), withHooks);
    expect(sent).toEqual(predicted(emitted, lastOf(plain), lastOf(hinted), without));
  });

  it("save what the report says they saved, within 2 %", async () => {
    const totals = async (place: Workplace) =>
      JSON.parse(await place.dedup("report", place.logs.main, "--json", "--door", "hooks", "--chars-per-token", "2.6"))
        .totals;
    const [estimate, realised] = [await totals(without), await totals(withHooks)];
    const explanation = (saidIn(lastOf(hinted)).length - saidIn(lastOf(plain)).length) / 2.6;
    const expected = estimate.savedTokens - explanation;
    expect(Math.abs(realised.realisedTokens - expected) / expected).toBeLessThan(0.02);
    expect(realised.savedTokens).toBe(0);
  });
});

describe("settings hooks", () => {
  let place: Workplace;

  beforeEach(async () => {
    place = new Workplace();
    place.write("a.txt", TEXT);
    await place.dedup("hooks", "install", "--yes");
  });

  afterEach(async () => {
    const { complaints } = place;
    await place.remove();
    expect(complaints).toBe("");
  });

  const textsOf = async (script: Script) => {
    const { requests } = await place.play(script);
    return [...resultsIn(lastOf(requests)).values()];
  };

  it("give the full text when a Read that was answered with hints is repeated", async () => {
    const file_path = place.write("a.ts", source("alpha", 80));
    const read = (more = {}) => turn(use("Read", { file_path, ...more }));
    const [, whole, again, more] = await textsOf({ main: [read({ limit: 60 }), read(), read(), read()] });
    expect(whole).toMatch(/^60\t> \[ref: /);
    expect(again).toMatch(/^1\texport const alpha0 = /);
    expect(again?.split("\n").filter(line => /^\d+\texport/.test(line))).toHaveLength(80);
    // From now on the model has the text.
    expect(more).not.toMatch(/> \[ref: /);
  });

  it("do not bring back the text from before an edit, if Claude Code has read the file since", async () => {
    const [whole, again] = await rereadAfterFormatter(place, script => place.play(script));
    expect(whole).toContain("> [ref: ");
    expect(again).toMatch(/unchanged since|^1\t.*EDITED/);
  });

  it("refuse to write a hint into a file", async () => {
    const [first, second] = [cat(), cat()];
    const written = place.file("out.txt");
    const hint = `> [ref: ${first.id}, byte-identical]`;
    const results = await textsOf({
      main: [
        turn(first),
        turn(bash("echo aside")),
        turn(second),
        turn(use("Write", { file_path: written, content: `${hint}\n` })),
        turn(bash(`printf '%s' '${hint}' > ${written}`)),
        turn(use("Write", { file_path: written, content: "> [ref: nothing, byte-identical]\n" })),
      ],
    });
    expect(results[3]).toContain("write those lines themselves");
    expect(results[4]).toContain("write those lines themselves");
    expect(existsSync(written)).toBe(true);
    expect(readFileSync(written, "utf8")).toBe("> [ref: nothing, byte-identical]\n");
  });
});

/** The same scripted work without and with live hints: what is saved is what the replay of the first log predicted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPLANATION } from "../../src/log/explanation.js";
import { type Request, type Script, turn, use } from "./rig/api.js";
import { bytesOf, dangling, expandedIn, hintsIn, resultsIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

/** Files of typical size, without repeated lines. */
function source(name: string, lines: number): string {
  return Array.from({ length: lines }, (_, index) => `export const ${name}${index} = ${index * 7}; // ${name}`).join(
    "\n",
  );
}

/** Typical reads, searches and edits; nothing repeats right after its hint. */
function work(place: Workplace): Script {
  const [a, b] = [place.write("a.ts", source("alpha", 120)), place.write("b.ts", `${source("beta", 90)}\n`)];
  place.write("äöü.txt", `${'"quoted"\tand ünïcode → '.repeat(20)}\n`.repeat(4));
  const read = (file_path: string) => turn(use("Read", { file_path }));
  const bash = (command: string) => turn(use("Bash", { command }));
  return {
    main: [
      read(a),
      bash("cat b.ts"),
      read(a),
      bash("ls"),
      bash("cat b.ts"),
      bash("cat äöü.txt"),
      bash("grep -n alpha1 a.ts"),
      bash("grep -n alpha1 a.ts | cat"),
      turn(use("Edit", { file_path: b, old_string: "beta3 ", new_string: "BETA3 " })),
      read(b),
      bash("cat äöü.txt"),
      read(a),
      read(b),
      bash("true"),
    ],
  };
}

interface Emitted {
  readonly id: string;
  readonly emitted: string | null;
  readonly refs: readonly string[];
}

describe("live hints in Claude Code", () => {
  const [without, withHints] = [new Workplace(), new Workplace()];
  let plain: readonly Request[];
  let hinted: readonly Request[];

  beforeAll(async () => {
    plain = (await without.play(work(without))).requests;
    await withHints.turnHooksOn();
    hinted = (await withHints.play(work(withHints))).requests;
  });

  afterAll(async () => {
    await without.remove();
    await withHints.remove();
  });

  it("save as much as the replay of the log without them predicted", async () => {
    const replayed = await without.dedup("replay", without.logs.main, "--json", "--verbosity", "located");
    const emitted = replayed
      .trim()
      .split("\n")
      .map(line => JSON.parse(line) as Emitted);
    const predicted = plain.reduce((sum, request) => sum + savedIn(request, emitted), 0);
    const explanations = hinted.length * EXPLANATION.length;
    const fall = bytesOf(plain) - bytesOf(hinted);
    expect(hintsIn(hinted).size).toBe(emitted.filter(({ refs }) => refs.length > 0).length);
    expect(hintsIn(hinted).size).toBe(5);
    expect(Math.abs(fall - (predicted - explanations)) / predicted).toBeLessThan(0.02);
  });

  it("save what the report says they saved, less their explanation", async () => {
    const totals = async (place: Workplace) =>
      JSON.parse(await place.dedup("report", place.logs.main, "--json", "--verbosity", "located")).totals;
    const [estimate, realised] = [await totals(without), await totals(withHints)];
    expect(estimate).toMatchObject({ hits: 5, realisedTokens: 0 });
    expect(realised).toMatchObject({ hits: 0, savedTokens: 0, bypassed: { realised: 5 } });
    const expected = estimate.savedTokens - EXPLANATION.length / 2.6;
    expect(Math.abs(realised.realisedTokens - expected) / expected).toBeLessThan(0.02);
  });

  it("point at results that the same request contains in full", () => {
    expect(dangling(hinted)).toEqual([]);
    expect(withHints.complaints).toBe("");
    expect(textsIn(plain, without)).toHaveLength(14);
    expect(textsIn(hinted, withHints)).toEqual(textsIn(plain, without));
  });

  it("are safe, if few, with a model that answers before the log is written", async () => {
    const hasty = new Workplace();
    await hasty.turnHooksOn();
    const { requests } = await hasty.play(work(hasty), { thinkMs: 0 });
    expect(dangling(requests)).toEqual([]);
    expect(hasty.complaints).toBe("");
    expect(textsIn(requests, hasty)).toEqual(textsIn(plain, without));
    await hasty.remove();
  });
});

/** The texts of a conversation's last request, in order, independent of the folder and of the calls' ids. */
function textsIn(requests: readonly Request[], place: Workplace): (string | undefined)[] {
  const last = requests.findLast(({ conversation }) => conversation === "main");
  return last ? [...expandedIn(last).values()].map(text => text?.replaceAll(place.project, "PROJECT")) : [];
}

/** Bytes of a request's JSON that hints would have saved. */
function savedIn(request: Request, emitted: readonly Emitted[]): number {
  const results = resultsIn(request);
  return emitted
    .filter(({ id, refs }) => refs.length > 0 && results.has(id))
    .reduce((sum, { id, emitted: text }) => sum + jsonBytes(results.get(id) ?? "") - jsonBytes(text ?? ""), 0);
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** What the hook knows after many short runs, each continuing from the last, compared with one that read everything. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HOOK_DEFAULTS } from "../../../src/hook/hookSettings.js";
import { LineFinder } from "../../../src/hook/lineFinder.js";
import { LiveContext, type SavedContext } from "../../../src/hook/liveContext.js";
import { packed, unpacked } from "../../../src/hook/stateFile.js";
import { Chance } from "../../support/liveLog.js";
import { call, type Json, logText, prompt, result, textOf } from "../../support/log.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-lives-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SETTINGS = { ...HOOK_DEFAULTS, engine: { ...HOOK_DEFAULTS.engine, capacity: 40 } };

/** A session that is rewound again and again, a little or all the way, has two processes, and repeats lines. */
function sessionOf(chance: Chance, steps: number): { lines: Json[]; calls: string[] } {
  const lines: Json[] = [prompt("go", { uuid: "p", parentUuid: null })];
  const uuids = ["p"];
  const tips = ["p", "p"];
  const add = (line: Json, parentUuid: string | null) => {
    const uuid = `u${uuids.length}`;
    uuids.push(uuid);
    lines.push({ ...line, uuid, parentUuid });
    return uuid;
  };
  const calls: string[] = [];
  for (let step = 0; step < steps; step++) {
    const who = chance.is(0.7) ? 0 : 1;
    let at = tips[who] as string;
    if (chance.is(0.03))
      at = add(prompt("back", { isMeta: chance.is(0.5) }), chance.pick(uuids.slice(-chance.pick([20, 900]))));
    else if (chance.is(0.002)) at = add(prompt("anew"), chance.is(0.5) ? null : "gone");
    const id = `t${step}`;
    calls.push(id);
    at = add(call(id, "Bash", { command: id }, { message: { id: `m${step}`, model: "m" } }), at);
    at = add(result(id, textFor(`${chance.below(60)}`)), at);
    if (chance.is(0.3)) at = add({ type: "progress" }, at);
    tips[who] = at;
    if (chance.is(0.1)) lines.push(...lines.slice(-chance.pick([2, 6, 30])));
  }
  return { lines, calls };
}

type Life = () => LiveContext;

/** Reads a log in runs of a few lines each, as fresh processes do, and returns what the last one left. */
function livedThrough(log: string, file: number, pieces: readonly string[]): SavedContext | undefined {
  let saved: SavedContext | undefined;
  for (const piece of pieces) {
    const context = contextOf(log, file, saved);
    context.push(Buffer.from(piece));
    saved = unpacked(packed(context.state)) as SavedContext;
  }
  return saved;
}

function contextOf(log: string, file: number, saved: SavedContext | undefined): LiveContext {
  const { offset: end, lines } = saved?.reader ?? { offset: 0, lines: 0 };
  const finder = new LineFinder({ file, agentOfFile: undefined, begin: 0, end, lines });
  return new LiveContext(log, SETTINGS, { begin: 0, saved, lookUp: uuid => finder.find(uuid) });
}

/** Long enough for a hint, and for runs of its lines. */
function textFor(mark: string): string {
  return Array.from({ length: 12 }, (_, line) => textOf(60, `${mark} in line ${line}`)).join("\n");
}

describe("a fresh process for every call", () => {
  it.each([1, 2, 3, 4, 5, 6])("knows what one that read everything knows, seed %i", seed => {
    const chance = new Chance(seed);
    const { lines, calls } = sessionOf(chance, 400);
    const log = join(folder, "s.jsonl");
    writeFileSync(log, logText(...lines));
    const file = openSync(log, "r");
    const pieces: string[] = [];
    for (let at = 0; at < lines.length; ) {
      const next = at + 1 + chance.below(seed === 1 ? 400 : 40);
      pieces.push(logText(...lines.slice(at, next)));
      at = next;
    }
    // Deciding changes a context: each text needs its own.
    const [savedOnce, savedOften] = [livedThrough(log, file, [pieces.join("")]), livedThrough(log, file, pieces)];
    const [once, often] = [savedOnce, savedOften].map(saved => () => contextOf(log, file, saved)) as [Life, Life];
    const texts = Array.from({ length: 60 }, (_, mark) => [textFor(`${mark}`), `${textFor(`${mark}`)}\nmore`]).flat();
    const last = calls.at(-1) ?? "";
    const answers = (context: () => LiveContext) =>
      texts.map(body => {
        const present = { id: last, tool: "Bash", body, response: undefined };
        const { event, runs } = context().decide(present, () => false) ?? {};
        return [event?.kind, event && "ref" in event ? event.ref : undefined, runs?.map(({ hint }) => hint)];
      });
    const [fromOnce, fromOften] = [answers(once), answers(often)];
    expect(new Set(fromOnce.map(([kind]) => kind))).toEqual(new Set(["hit", "miss"]));
    expect(fromOnce.some(([, , runs]) => runs !== undefined && runs.length > 0)).toBe(true);
    expect(fromOften).toEqual(fromOnce);
    closeSync(file);
  });
});

describe("a session with more results than can be remembered", () => {
  it("gets no hints, rather than wrong ones", () => {
    const log = join(folder, "long.jsonl");
    const lines = [prompt("go"), call("1", "Bash"), result("1", textFor("a")), call("2", "Bash")];
    writeFileSync(log, logText(...lines));
    const file = openSync(log, "r");
    const context = contextOf(log, file, undefined);
    context.push(Buffer.from(logText(...lines)));
    const saved = context.state;
    const decided = (results: SavedContext["results"]) => {
      const resumed = contextOf(log, file, { ...saved, results });
      return resumed.decide({ id: "2", tool: "Bash", body: textFor("a"), response: undefined }, () => false);
    };
    expect(decided(saved.results)?.event.kind).toBe("hit");
    expect(decided(new Uint32Array(2 * 65_536))).toBeUndefined();
    closeSync(file);
  });
});

/** What the hook knows after many short lives, each taking up what the last one left, beside one that read it all. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LiveContext, type SavedContext } from "../../../src/hook/context.js";
import { LineFinder } from "../../../src/hook/lineFinder.js";
import { fromText, toText } from "../../../src/hook/plainText.js";
import { HOOK_DEFAULTS } from "../../../src/hook/settings.js";
import { Chance } from "../../support/liveLog.js";
import { call, type Json, logText, prompt, result, textOf } from "../../support/log.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-lives-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SETTINGS = { ...HOOK_DEFAULTS, spans: true, engine: { ...HOOK_DEFAULTS.engine, capacity: 40 } };

/** A session that goes back again and again, a little or all the way, or is worked on by two. */
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
    at = add(result(id, textOf(300, `${chance.below(60)}`)), at);
    if (chance.is(0.3)) at = add({ type: "progress" }, at);
    tips[who] = at;
  }
  return { lines, calls };
}

/** Reads a log in lives of a few lines each, as fresh processes do. */
function livedThrough(log: string, file: number, pieces: readonly string[]): LiveContext {
  let saved: SavedContext | undefined;
  let context: LiveContext | undefined;
  for (const piece of pieces) {
    const { offset: end, lines } = saved?.reader ?? { offset: 0, lines: 0 };
    const finder = new LineFinder({ file, agentOfFile: undefined, begin: 0, end, lines });
    context = new LiveContext(log, SETTINGS, { begin: 0, saved, lookUp: uuid => finder.find(uuid) });
    context.push(Buffer.from(piece));
    saved = fromText(toText(context.state)) as SavedContext;
  }
  return context as LiveContext;
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
    const once = livedThrough(log, file, [pieces.join("")]);
    const often = livedThrough(log, file, pieces);
    closeSync(file);
    const last = calls.at(-1) ?? "";
    expect(once.held.length).toBeGreaterThan(5);
    expect(often.held).toEqual(once.held);
    expect(often.sources).toEqual(once.sources);
    expect(often.requests).toBe(once.requests);
    for (const held of [...once.held, ...once.sources]) {
      for (const tool of ["Read", "Bash"]) {
        expect([held.id, often.mayRefer(held, last, tool)]).toEqual([held.id, once.mayRefer(held, last, tool)]);
      }
    }
  });
});

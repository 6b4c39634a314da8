/** V8's compiled code of the hook program is kept next to it, and never trusted if it could be anything else. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { HookedSession, hintTo, longText as text } from "../support/hook.js";
import { REPOSITORY } from "../support/replay.js";

beforeAll(built);

let session: HookedSession;
const place = (name: string) => join(session.folder, name);
beforeEach(() => {
  session = new HookedSession();
  for (const name of ["hook.js", "hookProgram.js"]) copyFileSync(join(REPOSITORY, "dist", name), place(name));
  session.program = place("hook.js");
});
afterEach(() => session.remove());

const keptFiles = () => readdirSync(session.folder).filter(name => name.includes(".compiled"));
const kept = () => place(keptFiles()[0] ?? "");

function twoCalls(): void {
  session.bash("1", text());
  expect(session.bash("2", text())).toBe(hintTo("1"));
}

/** A third and a fourth call, of another text. */
function twoMore(): void {
  session.bash("3", text("b"));
  expect(session.bash("4", text("b"))).toBe(hintTo("3"));
}

it("is one file for the running Node, kept once a log was read", () => {
  session.send({ hook_event_name: "SessionStart", source: "startup" });
  expect(keptFiles()).toEqual([]);
  session.bash("1", text());
  expect(keptFiles()).toEqual([`hookProgram.${process.version}.${process.arch}.compiled`]);
  const afterSilence = readFileSync(kept());
  expect(session.bash("2", text())).toBe(hintTo("1"));
  const afterHint = readFileSync(kept());
  expect(afterHint.equals(afterSilence)).toBe(false);
  twoMore();
  expect(readFileSync(kept()).equals(afterHint)).toBe(true);
  expect(keptFiles()).toHaveLength(1);
});

it("is kept again by the first hint for a run of lines", () => {
  const lines = (word: string) => Array.from({ length: 40 }, (_, line) => `${word} ${line} of a long text`).join("\n");
  session.bash("1", lines("line"));
  twoMore();
  const before = readFileSync(kept());
  expect(session.bash("2", `${lines("line")}\n${lines("other")}`)).toContain("> [ref: 1 lines 1-40");
  expect(readFileSync(kept()).equals(before)).toBe(false);
});

it("is not kept after a call that read a lot: V8 would optimize in every later call what was hot in that one", () => {
  session.bash("1", text());
  rmSync(kept());
  for (let call = 0; call < 8; call++) {
    session.begin(`long${call}`);
    session.end(`long${call}`, text(`${call}`).repeat(20));
  }
  session.bash("2", text("b"));
  expect(keptFiles()).toEqual([]);
  session.bash("3", text("c"));
  expect(keptFiles()).toHaveLength(1);
});

it.each(["hookProgram.js", "statusProgram.js"])("is pure ASCII, which is read in a tenth of the time: %s", name => {
  expect(readFileSync(join(REPOSITORY, "dist", name)).every(byte => byte < 0x80)).toBe(true);
});

describe("damaged, it is recreated", () => {
  /** Beyond the first byte, which only says how soon the file is recreated. */
  const flipped = (share: number) => (bytes: Buffer) => {
    const at = 1 + Math.floor(share * (bytes.length - 2));
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    return bytes;
  };
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["empty", () => Buffer.alloc(0)],
    ["cut short", bytes => bytes.subarray(0, bytes.length >> 1)],
    ["cut short by a byte", bytes => bytes.subarray(0, -1)],
    ["ending in zeros", bytes => bytes.fill(0, bytes.length - 8192)],
    ["all zeros", bytes => bytes.fill(0)],
    ["without anything after the source", bytes => bytes.subarray(0, 1 + readFileSync(place("hookProgram.js")).length)],
    ["wrong in the source", flipped(0.1)],
    ["wrong in one copy", flipped(0.5)],
    ["wrong in the other", flipped(0.9)],
  ])("%s", (_how, damage) => {
    twoCalls();
    writeFileSync(kept(), damage(readFileSync(kept())));
    const damaged = readFileSync(kept());
    twoMore();
    expect(readFileSync(kept()).equals(damaged)).toBe(false);
    expect(session.complaints).toEqual([]);
  });
});

it("of another program of the same length is not used", () => {
  twoCalls();
  const program = readFileSync(place("hookProgram.js"), "utf8");
  writeFileSync(place("hookProgram.js"), program.replaceAll("byte-identical", "BYTE-IDENTICAL"));
  session.bash("3", text("b"));
  expect(session.bash("4", text("b"))).toBe(hintTo("3").replace("byte-identical", "BYTE-IDENTICAL"));
});

it("is not needed if it cannot be written", () => {
  // A folder in its place can neither be read nor replaced.
  mkdirSync(place(`hookProgram.${process.version}.${process.arch}.compiled`));
  twoCalls();
  twoMore();
  expect(keptFiles()).toHaveLength(1);
});

it("without the program, there is no answer", () => {
  rmSync(place("hookProgram.js"));
  expect(session.bash("1", text())).toBe(text());
});

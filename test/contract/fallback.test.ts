/** A model that keeps asking again gets fewer hints, through both doors and with the same count as a replay. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { answer } from "../../src/hook/answer.js";
import { readEvent } from "../../src/hook/event.js";
import { asBytes } from "../../src/log/bytes.js";
import { LiveHints } from "../../src/mod/sessionHints.js";
import { opened } from "../support/kernel.js";
import { call, type Json, logText, result } from "../support/log.js";
import { dataOf } from "../support/replay.js";

/** As docs/rules.md says, "Falling back". */
const MIN_HINTED = 10;
const MAX_ASKED_SHARE = 0.15;

const folder = mkdtempSync(join(tmpdir(), "dedup-fallback-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Call {
  readonly id: string;
  readonly command: string;
  readonly text: string;
}

/** Returns what the model reads. */
type Door = (call: Call) => string;

function text(mark: string, lines = 30): string {
  return Array.from({ length: lines }, (_, at) => `line ${at} of what ${mark} prints, long enough`).join("\n");
}

function callLine({ id, command }: Call): Json {
  return call(id, "Bash", { command }, { uuid: `c-${id}`, message: { id: `m-${id}`, model: "m" } });
}

function resultLine({ id }: Call, said: string): Json {
  return result(id, said, { uuid: `r-${id}` });
}

let sessions = 0;

function hooks(): Door {
  const log = join(folder, `${++sessions}.jsonl`);
  writeFileSync(log, "");
  const settings = { engine: DEFAULT_SETTINGS, folder: join(folder, `state-${sessions}`) };
  return one => {
    appendFileSync(log, logText(callLine(one)));
    const response = { stdout: one.text, stderr: "", interrupted: false, isImage: false };
    const names = { hook_event_name: "PostToolUse", transcript_path: log, tool_name: "Bash", tool_use_id: one.id };
    const event = readEvent({
      ...names,
      session_id: "s",
      tool_input: { command: one.command },
      tool_response: response,
    });
    if (event === undefined) throw new Error("the event is complete");
    const output = answer(event, settings).output as
      | { readonly hookSpecificOutput: { readonly updatedToolOutput: typeof response } }
      | undefined;
    const said = output?.hookSpecificOutput.updatedToolOutput.stdout ?? one.text;
    appendFileSync(log, logText(resultLine(one, said)));
    return said;
  };
}

function mod(): Door {
  const hints = new LiveHints(DEFAULT_SETTINGS);
  hints.settle([]);
  return ({ id, command, text: body }) => {
    hints.ask({}, "/p");
    const content = [{ type: "tool_use", id, name: "Bash", input: { command } }];
    hints.take({ door: "response", message: { content } });
    const results = [{ type: "tool_result", tool_use_id: id, content: body }];
    return hints.replace({ door: "tool-result", message: { content: results } })?.answers[0]?.text ?? body;
  };
}

/** A result that two calls return, and that is asked for again right after its hint if `isAskedAgain`. */
function round(number: number, isAskedAgain: boolean): Call[] {
  const one = (step: string) => ({ id: `${step}${number}`, command: `print ${number}`, text: text(`${number}`) });
  const aside = { id: `x${number}`, command: `date ${number}`, text: "now" };
  return [one("a"), aside, one("b"), isAskedAgain ? one("c") : { ...aside, id: `y${number}`, command: "true" }];
}

function rounds(from: number, to: number, isAskedAgain: (number: number) => boolean): Call[] {
  return Array.from({ length: to - from }, (_, at) => round(from + at, isAskedAgain(from + at))).flat();
}

/** A result whose first lines have occurred before, and one that has occurred before as a whole. */
const PART = { id: "part", command: "part", text: `${text("0")}\nand one more line` };
const WHOLE = [
  { id: "w1", command: "whole", text: text("whole") },
  { id: "w2", command: "date", text: "now" },
  { id: "w3", command: "whole", text: text("whole") },
];

function lived(calls: readonly Call[], door: Door): string[] {
  return calls.map(door);
}

function logOf(calls: readonly Call[], said: readonly string[]): string {
  return logText(...calls.flatMap((one, index) => [callLine(one), resultLine(one, said[index] ?? "")]));
}

function eventsOf(calls: readonly Call[], said: readonly string[]) {
  const { contexts } = dataOf("s.jsonl", logOf(calls, said), { settings: DEFAULT_SETTINGS });
  return contexts[0]?.events ?? [];
}

const falls = (calls: readonly Call[], said: readonly string[]) =>
  eventsOf(calls, said).flatMap(event => (event.kind === "fallback" ? [event] : []));

describe.each([
  ["hooks", hooks],
  ["the mod", mod],
])("live hints through %s", (_, door) => {
  it("fall back to whole results if more than a small share is asked for again", () => {
    const asked = Math.floor(MIN_HINTED * MAX_ASKED_SHARE) + 1;
    const calls = [...rounds(0, MIN_HINTED, number => number < asked), PART, ...WHOLE];
    const said = lived(calls, door());
    expect(said.at(-4)).toBe(PART.text);
    expect(said.at(-1)).toContain("> [ref: w1, byte-identical");
    expect(falls(calls, said)).toMatchObject([{ level: "whole", hinted: MIN_HINTED, asked }]);
  });

  it("stay as they are if it is not more, or too early to tell", () => {
    const allowed = Math.floor(MIN_HINTED * MAX_ASKED_SHARE);
    const few = [...rounds(0, MIN_HINTED - 1, () => true), PART];
    const rarely = [...rounds(0, 2 * MIN_HINTED, number => number < allowed), PART];
    for (const calls of [few, rarely]) {
      const said = lived(calls, door());
      expect(said.at(-1)).toContain("> [ref: ");
      expect(falls(calls, said)).toEqual([]);
    }
  });

  it("stop if whole results are asked for again too", () => {
    const calls = [...rounds(0, 2 * MIN_HINTED + 1, () => true), PART, ...WHOLE];
    const said = lived(calls, door());
    expect([said.at(-4), said.at(-1)]).toEqual([PART.text, WHOLE[2]?.text]);
    expect(falls(calls, said).map(({ level }) => level)).toEqual(["whole", "none"]);
    const last = eventsOf(calls, said).findLast(event => event.kind === "miss");
    expect(last).toMatchObject({ id: "w3", why: "stopped" });
  });
});

it("both doors agree, and a replay of their log predicts nothing that they would not have given", () => {
  const calls = [...rounds(0, 3 * MIN_HINTED, number => number % 2 === 0), PART, ...WHOLE];
  const [byHooks, byMod] = [lived(calls, hooks()), lived(calls, mod())];
  expect(byHooks).toEqual(byMod);
  const events = eventsOf(calls, byHooks);
  const stopped = events.findIndex(event => event.kind === "fallback" && event.level === "none");
  expect(stopped).toBeGreaterThan(0);
  expect(events.slice(stopped).filter(({ kind }) => kind === "hit" || kind === "nearHit")).toEqual([]);
});

it.each([
  ["the kernel", true],
  ["the replay", false],
])("the mark by %s says from where on, and why", (_, quickly) => {
  const calls = [...rounds(0, MIN_HINTED, number => number < 2), PART];
  const log = opened("s.jsonl", DEFAULT_SETTINGS, quickly);
  log.push(asBytes(logOf(calls, lived(calls, mod()))));
  const mark = {
    kind: "fallback",
    // Before the call that follows the tenth hint.
    position: calls.length - 2,
    dropped: [],
    level: "whole",
    hinted: MIN_HINTED,
    asked: 2,
  };
  expect(log.contexts[0]?.marks).toMatchObject([mark]);
});

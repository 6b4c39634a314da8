/** The engine against a second, naive implementation of the same rules (test/reference): every event must be equal. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BYPASS_REASONS, MISS_REASONS } from "../../src/dedup/events.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import { agentOfFile, isTranscript } from "../../src/log/sessionFiles.js";
import { type ReferenceSettings, referenceReplay } from "../reference/replay.js";
import { byKernel, byReplay } from "../support/kernel.js";
import { call, type Json, logText, read, result } from "../support/log.js";
import { dataOf, eventsOn, FIXTURES, filesUnder, REPOSITORY } from "../support/replay.js";
import { anySession } from "../support/sessions.js";
import { turning } from "../support/turns.js";

const INVALIDATES = { Bash: ["Grep", "Glob"], mcp__jira__update_issue: ["mcp__jira__*"], Write: ["*"] };

const SETTINGS: (DedupSettings & ReferenceSettings)[] = [
  settings(5, 200),
  settings(1, 1000),
  settings(2, 0, { nearRef: true, verbosity: "terse" }),
  settings(20, 200, { nearRef: true, invalidates: { ...INVALIDATES } }),
  settings(5, 0, { verbosity: "verbose", invalidates: { ...INVALIDATES } }),
  settings(20, 1000, { invalidates: { Read: ["Read"] } }),
  settings(5, 100, { runs: true }),
  settings(2, 0, { runs: true, spanMinBytes: 512, nearRef: true, invalidates: { ...INVALIDATES } }),
  settings(3, 0, { door: "hooks", runs: true }),
];

function settings(capacity: number, minBytes: number, more: Partial<ReferenceSettings> = {}) {
  const whole = { capacity, minBytes, nearRef: false, verbosity: "standard" as const, invalidates: {} };
  return { ...whole, runs: false, spanMinBytes: 200, door: "mod" as const, ...more };
}

/** Contexts in which something happened, by name. */
type Replayed = { badLines: number; contexts: Record<string, unknown[]> };

function byReference(content: Buffer, with_: ReferenceSettings, path: string): Replayed {
  const { badLines, contexts } = referenceReplay(content, with_, agentOfFile(path));
  const floored = (event: Record<string, unknown>) =>
    typeof event["savedBytes"] === "number" && event["kind"] !== "reask"
      ? { ...event, savedBytes: Math.max(0, event["savedBytes"]) }
      : event;
  return named(
    badLines,
    contexts.map(({ id, events }) => [id, events.map(floored)]),
  );
}

function byEngine(content: Buffer, with_: DedupSettings, path: string): Replayed {
  const { badLines, contexts } = dataOf(path, content, { settings: with_ });
  return named(
    badLines,
    contexts.map(({ id, events }) => [id, [...(events ?? [])]]),
  );
}

function named(badLines: number, contexts: [string, unknown[]][]): Replayed {
  return { badLines, contexts: Object.fromEntries(contexts.filter(([, events]) => events.length > 0)) };
}

function compare(content: Buffer, path: string): void {
  for (const one of SETTINGS) expect(byEngine(content, one, path)).toEqual(byReference(content, one, path));
}

describe("two implementations of the rules agree", () => {
  const fixtures = filesUnder(FIXTURES).filter(isTranscript);

  it("there are fixtures to compare", () => {
    expect(fixtures.length).toBeGreaterThan(0);
  });

  it.each(fixtures.map(path => relative(FIXTURES, path)))("on %s", name => {
    const path = join(FIXTURES, name);
    compare(readFileSync(path), path);
  });

  const sample = join(REPOSITORY, "media", "sample.jsonl");
  it("on the bundled sample session", () => {
    compare(readFileSync(sample), sample);
  });

  it("on a result that comes before its call: no hint replaces it, and none points at it", () => {
    const text = Array.from({ length: 40 }, (_, at) => `line ${at} of a file that is read again`).join("\n");
    const lines = ["first", "early", "last"].map((id, at) => [
      read(id, "/f", { uuid: `c-${id}`, parentUuid: at === 0 ? null : `r${at - 1}`, message: { id: `m-${id}` } }),
      result(id, `${id}\n${text}`, { uuid: `r${at}`, parentUuid: `c-${id}` }),
    ]);
    const early = lines.map((pair, at) => (at === 1 ? pair.toReversed() : pair));
    const told = (log: Json[][]) => {
      const content = Buffer.from(logText(...log.flat()));
      compare(content, "s.jsonl");
      const events = byEngine(content, settings(5, 0, { runs: true }), "s.jsonl").contexts["main"];
      return events?.map(event => (event as { runs?: { ref: string }[] }).runs?.map(({ ref }) => ref));
    };
    expect(told(lines)).toEqual([undefined, ["first"], ["first"]]);
    expect(told(early)).toEqual([undefined, undefined, ["first"]]);
    const alone = early.slice(1);
    expect(told(alone)).toEqual([undefined, undefined]);
  });

  it("on a text that no hint may replace, only its lines: its older copy was not used", () => {
    const lines = (of: string) => Array.from({ length: 30 }, (_, at) => `line ${at} of ${of}, long enough`).join("\n");
    const output = lines("a file");
    const make = (id: string, more: Json = {}) => call(id, "Bash", { command: "make" }, more);
    const seen = (id: string, of: string) => [read(id, `/${of}`), result(id, lines(of))];
    // Results of one message do not refer to each other: the model has these lines twice.
    const both = { message: { id: "m" } };
    const twice = [make("2", both), read("3", "/a", both), result("2", output), result("3", `${output}\nend`)];
    // After the edit, no hint may replace all of the output, but one may replace the lines that the file has, too.
    const edit = [call("e", "Edit", { file_path: "/edited" }), result("e", "done")];
    const log = [...twice, ...seen("4", "other"), ...edit, make("5"), result("5", output), ...seen("6", "new")];
    const content = Buffer.from(logText(...log));
    compare(content, "s.jsonl");
    const settings = { ...DEFAULT_SETTINGS, capacity: 3, spanMinBytes: 200 };
    expect(byKernel("s.jsonl", content, settings)).toEqual(byReplay("s.jsonl", content, settings));
    const evicted = eventsOn(log, settings).filter(event => event.kind === "evict");
    expect(evicted.map(({ id }) => id)).toEqual(["2"]);
  });

  it("on random sessions that contain every kind of event and reason", () => {
    const kinds = new Set<string>();
    for (const [index, text] of fc.sample(anySession(60), { numRuns: 300, seed: 1 }).entries()) {
      const door = index % 2 === 0 ? "mod" : "hooks";
      const { contexts } = dataOf("s.jsonl", text, {
        settings: settings(3, 60, { door, runs: true, nearRef: true, invalidates: INVALIDATES }),
      });
      for (const event of contexts.flatMap(context => context.events ?? [])) {
        if (event.kind === "miss" && event.runs !== undefined) kinds.add("runs");
        if (event.kind === "miss") kinds.add(`miss ${event.why}`);
        else if (event.kind === "bypass") kinds.add(`bypass ${event.reason}`);
        else if (event.kind === "invalidate" || event.kind === "clear") kinds.add(`${event.kind} ${event.by}`);
        else kinds.add(event.kind);
      }
    }
    // Hints only stop after dozens were asked for again: see test/contract/fallback.test.ts.
    const misses = MISS_REASONS.filter(why => why !== "stopped").map(why => `miss ${why}`);
    const bypasses = BYPASS_REASONS.map(reason => `bypass ${reason}`);
    const drops = ["invalidate path", "invalidate tool", "evict"];
    const clears = ["microcompact", "replacement", "cut", "edits"].map(by => `clear ${by}`);
    const others = ["hit", "runs", "nearHit", "reask", "boundary", "rewind", "shrink"];
    expect([...kinds].sort()).toEqual([...misses, ...bypasses, ...drops, ...clears, ...others].sort());
  });

  it("on sessions in which anything may happen", async () => {
    await fc.assert(
      turning(anySession(60), text => compare(Buffer.from(text), "s.jsonl")),
      { numRuns: 80 },
    );
  });

  it("on subagents' own files in which anything may happen", async () => {
    await fc.assert(
      turning(anySession(40), text => compare(Buffer.from(text), "agent-a1.jsonl")),
      { numRuns: 24 },
    );
  });

  it("on long sessions in which the cache is always full", async () => {
    await fc.assert(
      turning(anySession(600), text => compare(Buffer.from(text), "s.jsonl")),
      { numRuns: 2 },
    );
  });
});

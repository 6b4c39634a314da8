/** Runs of lines against the naive second implementation: every event must be equal, result by result. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digest } from "../../../../src/dedup/digest.js";
import type { DedupEvent } from "../../../../src/dedup/events.js";
import { fingerprint } from "../../../../src/dedup/fingerprint.js";
import { ContextReplay } from "../../../../src/dedup/replay.js";
import { LineScanner } from "../../../../src/dedup/runs/lines.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../../src/dedup/settings.js";
import { LogReader } from "../../../../src/log/logReader.js";
import { agentOfFile, isTranscript } from "../../../../src/log/sessionFiles.js";
import { referenceReplay } from "../../../reference/replay.js";
import { call, type Json, logText, result } from "../../../support/log.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../../../support/replay.js";
import { turning } from "../../../support/turns.js";

type Events = Record<string, unknown[]>;

function byEngine(content: Buffer, settings: DedupSettings, path: string): Events {
  const scanner = new LineScanner();
  const replays = new Map<string, ContextReplay>();
  const events: Record<string, DedupEvent[]> = {};
  const replayOf = (id: string) => {
    const known = replays.get(id);
    if (known !== undefined) return known;
    const list: DedupEvent[] = [];
    events[id] = list;
    const replay = new ContextReplay(settings, { event: event => void list.push(event), decided: () => {} });
    replays.set(id, replay);
    return replay;
  };
  const reader = new LogReader(({ id }, fact) => replayOf(id).take(digest(fact, false, fingerprint, scanner)), {
    agentOfFile: agentOfFile(path),
    withCalls: true,
  });
  reader.push(content);
  return withSomething(Object.entries(events));
}

function byReference(content: Buffer, settings: DedupSettings, path: string): Events {
  const { invalidates: _, ...rest } = settings;
  const { contexts } = referenceReplay(content, { ...rest, invalidates: {} }, agentOfFile(path));
  return withSomething(contexts.map(({ id, events }) => [id, events]));
}

function withSomething(contexts: [string, unknown[]][]): Events {
  return Object.fromEntries(contexts.filter(([, events]) => events.length > 0));
}

/** Compares, and returns how many results had runs. */
function compare(content: Buffer, settings: DedupSettings, path = "s.jsonl"): number {
  const found = byEngine(content, settings, path);
  expect(found, path).toEqual(byReference(content, settings, path));
  return Object.values(found).flatMap(events => events.filter(event => "runs" in (event as object))).length;
}

/** Hints without origins: the naive implementation only knows a call's tool. */
const SETTINGS: DedupSettings = { ...DEFAULT_SETTINGS, verbosity: "standard", minBytes: 100, spanMinBytes: 60 };

/** A file whose lines differ in length, with blank lines and lone brackets between. */
const FILE = Array.from({ length: 40 }, (_, at) =>
  at % 7 === 3 ? "" : at % 5 === 4 ? "}" : `line number ${at} says ${"x".repeat(at % 11)}`,
);

const NUMBERINGS: readonly ((line: string, number: number) => string)[] = [
  line => line,
  (line, number) => `${number}\t${line}`,
  (line, number) => `${String(number).padStart(6)}→${line}`,
];

const step = fc.record({
  tool: fc.constantFrom("Read", "Read", "Read", "Bash", "Write", "Edit", "Grep"),
  from: fc.nat(30),
  count: fc.integer({ min: 1, max: 30 }),
  numbering: fc.nat(NUMBERINGS.length - 1),
  /** Where numbers begin: the same lines may be at another place in another file. */
  shift: fc.nat(1),
  changed: fc.nat(60),
  twice: fc.nat(9).map(chance => chance === 0),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function session(steps: readonly Step[]): Buffer {
  const lines = steps.flatMap(({ tool, from, count, numbering, shift, changed, twice }, at): Json[] => {
    const part = FILE.slice(from, from + count).map((line, index) =>
      from + index === changed ? `${line}, changed` : line,
    );
    const number = NUMBERINGS[numbering] ?? String;
    const read = part.map((line, index) => number(line, from + index + 1 + shift)).join("\n");
    const input = tool === "Write" ? { file_path: "/f", content: part.join("\n") } : { file_path: "/f" };
    const ids = twice ? [`a${at}`, `b${at}`] : [`a${at}`];
    return [
      ...ids.map(id => call(id, tool, input, { message: { id: `m${at}` } })),
      ...ids.map(id => result(id, tool === "Write" || tool === "Edit" ? "done" : read)),
    ];
  });
  return Buffer.from(logText(...lines));
}

describe("two implementations find the same runs", () => {
  it("in sessions of overlapping reads, edits, writes and commands", async () => {
    let found = 0;
    const steps = fc.array(step, { minLength: 4, maxLength: 14 });
    await fc.assert(
      turning(steps, all => {
        found += compare(session(all), SETTINGS);
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it.each(filesUnder(FIXTURES).filter(isTranscript))("in %s", path => {
    compare(readFileSync(path), SETTINGS, path);
  });

  it("in the bundled sample session", () => {
    const sample = readFileSync(join(REPOSITORY, "media", "sample.jsonl"));
    for (const spanMinBytes of [200, 512]) expect(compare(sample, { ...SETTINGS, spanMinBytes })).toBeGreaterThan(0);
  });

  const logs = join(REPOSITORY, "..", "shared", "logs");
  it.skipIf(!existsSync(logs))("in genuine logs, where they are there", () => {
    const small = filesUnder(logs).filter(path => isTranscript(path) && readFileSync(path).length < 200_000);
    let found = 0;
    for (const path of small.slice(0, 40))
      found += compare(readFileSync(path), { ...SETTINGS, spanMinBytes: 200 }, path);
    expect(found).toBeGreaterThan(0);
  });
});

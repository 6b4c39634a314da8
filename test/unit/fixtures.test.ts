/** Small logs in the shapes of many Claude Code versions, each with the events that the rules require, by hand. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DedupEvent } from "../../src/dedup/events.js";
import type { DedupSettings } from "../../src/dedup/settings.js";
import type { Report } from "../../src/inspect/report.js";
import { isTranscript } from "../../src/log/sessionFiles.js";
import { dataOf, FIXTURES, filesUnder, reportOf } from "../support/replay.js";
import { turning } from "../support/turns.js";

interface Expected {
  about: string;
  settings?: Partial<DedupSettings>;
  sessions: {
    file: string;
    sessionId: string;
    badLines: number;
    contexts: { id: string; requests: number; events: DedupEvent[] }[];
  }[];
}

interface Case {
  name: string;
  expected: Expected;
  files: { path: string; content: Buffer }[];
}

function readCase(expectedPath: string): Case {
  const folder = dirname(expectedPath);
  return {
    name: relative(FIXTURES, folder),
    expected: JSON.parse(readFileSync(expectedPath, "utf8")) as Expected,
    files: filesUnder(folder)
      .filter(isTranscript)
      .map(path => ({ path: relative(folder, path), content: readFileSync(path) })),
  };
}

const cases = (existsSync(FIXTURES) ? filesUnder(FIXTURES) : [])
  .filter(path => path.endsWith("expected.json"))
  .map(readCase);

function replay({ expected, files }: Case, cutsOf: (content: Buffer) => readonly number[] = () => []): Report {
  const settings = expected.settings ?? {};
  return reportOf(
    files.map(({ path, content }) => dataOf(path, content, { settings, cuts: cutsOf(content) })),
    settings,
  );
}

/** Positions of cuts into pieces of one size. */
function every(size: number): (content: Buffer) => number[] {
  return content => Array.from({ length: Math.floor(content.length / size) }, (_, at) => (at + 1) * size);
}

describe("the fixtures", () => {
  it("exist for every generation of the format", () => {
    const versions = cases.map(({ name }) => name.split(/[\\/]/)[0] ?? "");
    for (const generation of ["1.0.", "2.0.", "2.1."]) {
      expect(versions.filter(version => version.startsWith(generation))).not.toEqual([]);
    }
  });

  it.each(cases)("$name: the events are as the rules require", one => {
    const sessions = replay(one).sessions.map(({ file, sessionId, badLines, contexts }) => ({
      file,
      sessionId,
      badLines,
      contexts: contexts.map(({ id, requests, events }) => ({ id, requests, events })),
    }));
    expect(sessions).toEqual(one.expected.sessions);
  });

  it.each(cases)("$name: the report is byte-identical in pieces of 1, 7 and 100 bytes", one => {
    const whole = JSON.stringify(replay(one));
    for (const size of [1, 7, 100]) expect(JSON.stringify(replay(one, every(size)))).toBe(whole);
  });

  it.each(cases)("$name: the report is byte-identical in pieces of any size", async one => {
    const whole = JSON.stringify(replay(one));
    const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 200 });
    await fc.assert(
      turning(sizes, pieces => {
        const cutsOf = (content: Buffer) => {
          const cuts: number[] = [];
          for (let at = 0; at < content.length; cuts.push(at)) at += pieces[cuts.length % pieces.length] ?? 1;
          return cuts;
        };
        expect(JSON.stringify(replay(one, cutsOf))).toBe(whole);
      }),
      { numRuns: 15 },
    );
  });
});

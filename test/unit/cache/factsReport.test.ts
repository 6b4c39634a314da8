/** A report from facts is the same as a cold one, to the byte, whatever the settings and the log's history. */
import { mkdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { buildReport } from "../../../src/inspect/report.js";
import type { FigureSettings } from "../../../src/settings/table.js";
import { Chance, Folders } from "../../support/liveLog.js";
import { filesUnder } from "../../support/replay.js";

const folders = new Folders();
afterAll(() => folders.remove());

const FIXTURES = filesUnder("test/fixtures").filter(file => file.endsWith(".jsonl"));
const chance = new Chance(15);
const oneOf = <T>(...choices: readonly T[]): T => choices[chance.below(choices.length)] as T;

function someSettings(): DedupSettings {
  return {
    ...DEFAULT_SETTINGS,
    capacity: 1 + chance.below(40),
    minBytes: oneOf(0, 40, 200, 400, 3000),
    spanMinBytes: oneOf(200, 300, 512, 2000),
    runs: oneOf(true, true, false),
    verbosity: oneOf<DedupSettings["verbosity"]>("terse", "located", DEFAULT_SETTINGS.verbosity),
    door: oneOf<DedupSettings["door"]>("mod", "hooks"),
    invalidates: oneOf<DedupSettings["invalidates"]>({}, { Bash: ["Read"] }, { "*": ["mcp__*", "Grep"] }),
  };
}

function someFigures(): Partial<FigureSettings> {
  return oneOf({}, { charsPerToken: 3 + chance.below(3) });
}

async function reportOf(
  paths: readonly string[],
  settings: DedupSettings,
  cache: LogCache | undefined,
  figures: Partial<FigureSettings>,
) {
  const options = { settings, keepEvents: false, keepDetails: false, keepFacts: false };
  let read = 0;
  const data: LogData[] = [];
  for (const path of paths) {
    // Let the test runner hear from a long test.
    await turn();
    let isFirst = true;
    const log = replayLog(path, options, { cache }, bytes => {
      if (!isFirst) read += bytes;
      isFirst = false;
    });
    data.push(log);
  }
  return { text: JSON.stringify(buildReport(data, settings, () => true, figures)), read };
}

it("at random settings, and after logs grew, were rewritten or cut", async () => {
  const folder = folders.make();
  const cache = new LogCache(join(folder, "cache"));
  const sources = [...FIXTURES, "media/sample.jsonl"];
  expect(sources.length).toBeGreaterThan(20);
  const paths = sources.map((source, at) => {
    const path = join(folder, String(at), basename(dirname(source)), basename(source));
    mkdirSync(dirname(path), { recursive: true });
    const bytes = readFileSync(source);
    writeFileSync(path, bytes.subarray(0, chance.below(2) === 0 ? bytes.length : (bytes.length * 2) / 3));
    return path;
  });
  const expectSame = async () => {
    const [settings, figures] = [someSettings(), someFigures()];
    const known = await reportOf(paths, settings, cache, figures);
    expect(known.text).toBe((await reportOf(paths, settings, undefined, figures)).text);
    return known.read;
  };
  const expectUnread = async () => {
    for (let times = 0; times < 3; times++) expect(await expectSame()).toBe(0);
  };
  expect(await expectSame()).toBeGreaterThan(0);
  await expectUnread();
  // They grow to what they are in the repository.
  for (const [at, path] of paths.entries()) {
    writeFileSync(path, readFileSync(sources[at] as string).subarray(statSync(path).size), { flag: "a" });
  }
  expect(await expectSame()).toBeGreaterThan(0);
  await expectUnread();
  // Half of them become another log, half of them shorter, within a line.
  for (const [at, path] of paths.entries()) {
    if (at % 2 === 0) truncateSync(path, Math.floor(statSync(path).size * 0.7));
    else {
      writeFileSync(`${path}.new`, readFileSync(sources[(at + 1) % sources.length] as string));
      renameSync(`${path}.new`, path);
    }
  }
  expect(await expectSame()).toBeGreaterThan(0);
  await expectUnread();
}, 120_000);

/** The bundled sample: a realistic session, in the format of the newest Claude Code. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { built, Place } from "../support/cli.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

const MEDIA = join(REPOSITORY, "media");
const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

const bundled = [join(MEDIA, "sample.jsonl"), ...filesUnder(join(MEDIA, "sample"))];
const contentsOf = (files: readonly string[], folder: string) =>
  files.map(file => [relative(folder, file), readFileSync(file, "utf8")]);

/** The lines of all its logs. */
const lines = bundled
  .filter(file => file.endsWith(".jsonl"))
  .flatMap(file => readFileSync(file, "utf8").trimEnd().split("\n"))
  .map(line => JSON.parse(line) as Record<string, unknown>);

describe("the sample", () => {
  it("is what its script writes", () => {
    const out = place.path("written");
    const { status, stderr } = spawnSync(process.execPath, ["scripts/sample/write.mjs", "--out", out], {
      cwd: REPOSITORY,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(contentsOf(filesUnder(out), out)).toEqual(contentsOf(bundled, MEDIA).sort());
  });

  it("repeats as much as real sessions do: few results as a whole, more in lines", async () => {
    cpSync(MEDIA, place.path("logs"), { recursive: true, filter: path => !path.endsWith(".png") });
    const { stdout } = await place.ask(["report", "logs", "--json"]);
    const { sessions, totals } = JSON.parse(stdout) as Report;
    const { results, hits, runHits, tokens, savedTokens, saved } = totals;
    expect(sessions).toHaveLength(1);
    expect([results >= 60, results <= 150]).toEqual([true, true]);
    expect([savedTokens / tokens > 0.08, savedTokens / tokens < 0.16]).toEqual([true, true]);
    expect([hits > 0, hits <= 4, runHits >= 10, saved.runs.tokens > saved.whole.tokens]).toEqual(Array(4).fill(true));
    const [main, ...agents] = sessions[0]?.contexts ?? [];
    expect([main?.id, main?.partitions.length, agents.length]).toEqual(["main", 2, 3]);
  });

  it("has what happens in a session: a failed call, an interruption, answers of subagents", () => {
    const text = lines.map(line => JSON.stringify(line)).join("\n");
    expect(text).toContain("<tool_use_error>");
    expect(text).toContain("[Request interrupted by user for tool use]");
    expect(text.match(/Agent \\"[^"]+\\" finished/g)?.length).toBeGreaterThanOrEqual(3);
    const versions = lines.flatMap(({ version }) => (version === undefined ? [] : [version]));
    expect(new Set(versions)).toEqual(new Set(["2.1.325"]));
  });

  it("is one tree: every parent exists, before its child", () => {
    const known = new Set<unknown>([null]);
    for (const { uuid, parentUuid } of lines) {
      if (uuid === undefined) continue;
      expect(known).toContain(parentUuid);
      known.add(uuid);
    }
    expect(known.size).toBeGreaterThan(200);
  });
});

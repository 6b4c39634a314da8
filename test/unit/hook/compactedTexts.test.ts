/** What a compaction takes away from hints, in a log with more of them than any session has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { lostTexts } from "../../../src/hook/compactedTexts.js";
import { answer, call, logText, result } from "../../support/log.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-lost-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a log full of hints takes time in proportion to its length", () => {
  const log = join(folder, "s.jsonl");
  const hints = (from: number) => {
    const lines = Array.from({ length: 75_000 }, (_, at) => `> [ref: t1 input.m${from + at}`);
    return lines.join("\n");
  };
  const input = { m174999: "the newest text" };
  const [older, newest] = [hints(0), hints(100_000)];
  const lines = [
    ...[answer("m1", 5), call("t1", "Bash", input), result("t1", "done")],
    ...[answer("m2", 5), call("t2", "Bash"), result("t2", older)],
    ...[answer("m3", 5), call("t3", "Bash"), result("t3", newest)],
  ];
  writeFileSync(log, logText(...lines));
  expect(lostTexts(log)).toContain("~~~\nthe newest text\n~~~");
}, 20_000);

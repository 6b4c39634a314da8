/** What a compaction takes away from hints, in a log with more of them than any session has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { lostTexts } from "../../../src/hook/compactedTexts.js";
import { expectLinear } from "../../support/growth.js";
import { answer, call, logText, read, result } from "../../support/log.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-lost-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two results full of hints to as many texts, the last of which is there. */
function logWith(count: number): string {
  const log = join(folder, `${count}.jsonl`);
  const hints = (from: number) => Array.from({ length: count }, (_, at) => `> [ref: t1 input.m${from + at}`).join("\n");
  const input = { [`m${2 * count - 1}`]: "the newest text" };
  const lines = [
    ...[answer("m1", 5), call("t1", "Bash", input), result("t1", "done")],
    ...[answer("m2", 5), call("t2", "Bash"), result("t2", hints(0))],
    ...[answer("m3", 5), call("t3", "Bash"), result("t3", hints(count))],
  ];
  writeFileSync(log, logText(...lines));
  return log;
}

it("a log full of hints takes time in proportion to its length", () => {
  const [small, large] = [logWith(15_000), logWith(60_000)];
  expect(lostTexts(large)).toContain("~~~\nthe newest text\n~~~");
  expectLinear(
    () => lostTexts(small),
    () => lostTexts(large),
  );
});

it("a lost text that has hints itself is only named: what they refer to is gone as well", () => {
  const log = join(folder, "chain.jsonl");
  const text = Array.from({ length: 30 }, (_, at) => `line ${at} of the first file`).join("\n");
  const own = "lines that only the second file has";
  const lines = [
    ...[answer("m1", 5), read("t1", "/a"), result("t1", text)],
    ...[answer("m2", 5), read("t2", "/b"), result("t2", `> [ref: t1 lines 1-30]\n${own}`)],
    ...[answer("m3", 5), read("t3", "/c"), result("t3", "> [ref: t2 lines 2-2]")],
  ];
  writeFileSync(log, logText(...lines));
  const notice = lostTexts(log);
  expect(notice).not.toContain("> [ref:");
  expect(notice).toMatch(/repeat the call if you need what it returned: t2 Read\(\/?b\)/);
});

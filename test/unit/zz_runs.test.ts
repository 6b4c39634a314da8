import { readFileSync } from "node:fs";
import { execSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { digest } from "../../src/dedup/digest.js";
import { fingerprint } from "../../src/dedup/fingerprint.js";
import { ContextReplay } from "../../src/dedup/replay.js";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { LineScanner } from "../../src/dedup/runs/lines.js";
import { LogReader } from "../../src/log/reader.js";
import { agentOfFile } from "../../src/log/layout.js";
import { referenceReplay } from "../reference/replay.js";
import { call, logText, result } from "../support/log.js";

function engine(content: Buffer, settings: any, path = "s.jsonl") {
  const scanner = new LineScanner();
  const contexts = new Map<string, any>();
  const events: Record<string, unknown[]> = {};
  const reader = new LogReader((c, f) => {
    let r = contexts.get(c.id);
    if (!r) { const list: unknown[] = []; events[c.id] = list; r = new ContextReplay(settings, { event: e => void list.push(e), decided() {} }, { sweep: false }); contexts.set(c.id, r); }
    r.take(digest(f, settings.nearRef, fingerprint, scanner));
  }, { agentOfFile: agentOfFile(path), tellCalls: true });
  reader.push(content);
  return Object.fromEntries(Object.entries(events).filter(([, e]) => e.length > 0));
}
function reference(content: Buffer, settings: any, path = "s.jsonl") {
  const { contexts } = referenceReplay(content, settings, agentOfFile(path));
  return Object.fromEntries(contexts.filter(c => c.events.length > 0).map(c => [c.id, c.events.map(e => typeof e.savedBytes === "number" && e.kind !== "reask" ? { ...e, savedBytes: Math.max(0, e.savedBytes as number) } : e)]));
}
const settings = { ...DEFAULT_SETTINGS, minRunBytes: 60, minBytes: 100, runs: true, verbosity: "standard" };

const LINES = Array.from({ length: 40 }, (_, i) => i % 7 === 3 ? "" : i % 5 === 4 ? "}" : `line number ${i} says ${"x".repeat(i % 11)}`);
const step = fc.record({
  tool: fc.constantFrom("Read", "Bash", "Write", "Edit", "Grep", "Read", "Read"),
  from: fc.nat(30), count: fc.integer({ min: 1, max: 30 }), style: fc.nat(3), change: fc.nat(60), file: fc.nat(1), twin: fc.nat(9),
});
it("engine and reference agree on runs", () => {
  let runs = 0;
  fc.assert(fc.property(fc.array(step, { minLength: 4, maxLength: 14 }), steps => {
    const lines: any[] = [];
    steps.forEach((s, n) => {
      const slice = LINES.slice(s.from, s.from + s.count).map((l, i) => (s.from + i === s.change ? `${l} changed` : l));
      const numbered = slice.map((l, i) => s.style === 0 ? l : s.style === 1 ? `${s.from + i + 1 + s.file}\t${l}` : s.style === 2 ? `${String(s.from + i + 1).padStart(6)}→${l}` : `${i + 1}\t${l}`);
      const ids = s.twin === 0 ? [`c${n}`, `d${n}`] : [`c${n}`];
      for (const id of ids) lines.push(call(id, s.tool, s.tool === "Write" ? { file_path: `/f${s.file}`, content: slice.join("\n") } : s.tool === "Bash" ? { command: "cat x" } : { file_path: `/f${s.file}` }, { message: { id: `m${n}` } }));
      for (const id of ids) lines.push(result(id, s.tool === "Write" || s.tool === "Edit" ? "ok" : numbered.join("\n")));
    });
    const content = Buffer.from(logText(...lines));
    const [a, b] = [engine(content, settings), reference(content, settings)];
    runs += JSON.stringify(a).split('"runs"').length - 1;
    expect(a).toEqual(b);
  }), { numRuns: 600, seed: 5 });
  console.log("runs", runs);
  expect(runs).toBeGreaterThan(100);
});
it("on genuine logs", () => {
  const files = execSync("find /work/shared/logs -name '*.jsonl' -size -300k | sort", { encoding: "utf8" }).trim().split("\n");
  let n = 0;
  for (const file of files.slice(0, 60)) {
    const content = readFileSync(file);
    for (const s of [{ ...settings, minRunBytes: 512, minBytes: 200 }, { ...settings, minRunBytes: 200 }]) {
      const [a, b] = [engine(content, s, file), reference(content, s, file)];
      n += JSON.stringify(a).split('"runs"').length - 1;
      expect(a, file).toEqual(b);
    }
  }
  console.log("genuine runs", n);
});

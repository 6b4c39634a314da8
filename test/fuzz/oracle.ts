/** What must hold for any bytes. */
import assert from "node:assert/strict";
import { projectCacheMarks } from "../../src/dedup/passes/cacheProjection.js";
import { projectPasses } from "../../src/dedup/passes/projections.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import type { LogData } from "../../src/inspect/logData.js";
import { buildReport } from "../../src/inspect/report.js";
import { ConversationReader } from "../../src/log/conversation/conversationReader.js";
import { agentOfFile } from "../../src/log/sessionFiles.js";
import { LogPipeline } from "../../src/pipeline/logPipeline.js";
import { type ReferenceSettings, referenceReplay } from "../reference/replay.js";
import { byKernel, byReplay } from "../support/kernel.js";
import type { Chance } from "../support/liveLog.js";
import { checkPage } from "./page.js";

const SETTINGS: DedupSettings & ReferenceSettings = {
  ...DEFAULT_SETTINGS,
  capacity: 3,
  minBytes: 50,
  nearRef: true,
  // The second implementation only knows a call's tool.
  verbosity: "standard",
  // The minimum, so that generated lines repeat often enough.
  spanMinBytes: 200,
  invalidates: {},
};

/** What the kernel can replay. */
const FIGURES: DedupSettings = { ...SETTINGS, nearRef: false, verbosity: "located", invalidates: { Bash: ["Read"] } };

/**
 * Throws if the log makes the engine throw, give wrong results or contradict itself. `thorough`: also checks every
 * strategy and pass and the report's figures, and compares with the second implementation.
 */
export function check(path: string, log: Buffer, chance: Chance, thorough: boolean): void {
  const whole = replay(path, [log], thorough);
  const pieces = replay(path, cut(log, chance), thorough);
  assert.deepEqual(pieces, whole, "pieces differ from the whole");
  // A line that makes the engine fail affects no other line, but is still a bug.
  assert.equal(whole.failedLines, 0, whole.failure);
  assert.deepEqual(byKernel(path, log, FIGURES), byReplay(path, log, FIGURES), "the kernel differs from the replay");
  if (!thorough) return;
  const all = { strategies: true, passes: true };
  const ways = byKernel(path, log, FIGURES, log.length, all);
  assert.deepEqual(ways, byReplay(path, log, FIGURES, all), "the kernel's other ways differ from the replay's");
  checkNumbers(JSON.parse(JSON.stringify(buildReport([whole], SETTINGS, () => true, { strategies: true }))));
  project(path, log);
  checkPage(whole, SETTINGS);
  checkAgainstReference(path, log, whole);
}

/** The live messages and every pass over them: whatever they contain, nothing may be thrown. */
function project(path: string, log: Buffer): void {
  const reader = new ConversationReader({ agentOfFile: agentOfFile(path) });
  reader.push(log);
  for (const conversation of reader.contexts.values()) {
    const { messages, requests } = conversation.live();
    JSON.stringify(projectPasses(messages, requests, { charsPerToken: 3, readShare: 0.1 }));
    JSON.stringify(projectCacheMarks(messages, requests, { charsPerToken: 3, subagent: false }));
  }
}

function replay(path: string, pieces: readonly Buffer[], withStrategies: boolean): LogData {
  const model = new LogPipeline(path, {
    settings: SETTINGS,
    keepEvents: true,
    keepDetails: true,
    keepFacts: true,
    strategies: withStrategies,
  });
  for (const piece of pieces) {
    const own = Buffer.from(piece);
    model.push(own);
    own.fill(0x23);
  }
  model.save();
  return model.data();
}

function cut(log: Buffer, chance: Chance): Buffer[] {
  const at = Array.from({ length: 4 }, () => chance.below(log.length + 1)).sort((left, right) => left - right);
  return [0, ...at].map((start, index) => log.subarray(start, at[index] ?? log.length));
}

/** No figure is missing, negative or not a number, anywhere; JSON has already turned NaN into null. */
function checkNumbers(value: unknown, name = ""): void {
  if (typeof value === "number") assert.ok(value >= 0 || MAY_BE_BELOW_0.test(name), `${name} is ${value}`);
  else if (value === null) assert.ok(MAY_BE_NULL.test(name), `${name} is no number`);
  else if (typeof value === "object") {
    // This event is negative by design: what a hint saved is lost when its text is asked for again.
    const { kind, savedBytes, ...rest } = value as { kind?: unknown; savedBytes?: unknown };
    const members = kind === "reask" ? { ...rest, savedBytes: -Number(savedBytes) } : (value as object);
    for (const [key, inner] of Object.entries(members)) checkNumbers(inner, key);
  }
}

/** A live hint that did not help costs more than it saves. */
const MAY_BE_BELOW_0 = /^realisedTokens$/;
const MAY_BE_NULL = /^(?:at|capacity|medianAbsError|project|path|firstAt|lastAt|share|units|usd)$/;

function checkAgainstReference(path: string, log: Buffer, data: LogData): void {
  const expected = referenceReplay(log, SETTINGS, agentOfFile(path));
  assert.equal(data.badLines, expected.badLines, "bad lines");
  for (const { id, events } of expected.contexts) {
    const own = data.contexts.find(context => context.id === id)?.events ?? [];
    const floored = events.map(event =>
      typeof event["savedBytes"] === "number" && event["kind"] !== "reask"
        ? { ...event, savedBytes: Math.max(0, event["savedBytes"]) }
        : event,
    );
    assert.deepEqual(JSON.parse(JSON.stringify(own)), JSON.parse(JSON.stringify(floored)), `events of ${id}`);
  }
}

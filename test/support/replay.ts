import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DedupEvent } from "../../src/dedup/events.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import type { LogData } from "../../src/inspect/logData.js";
import { buildReport, type Report, type ReportOptions } from "../../src/inspect/report.js";
import { bytesOf } from "../../src/log/bytes.js";
import { LogPipeline } from "../../src/pipeline/logPipeline.js";
import { type Json, logText } from "./log.js";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
/** Genuine logs that a clone does not have; what they cover beyond the fixtures is only checked where they exist. */
export const GENUINE = join(REPOSITORY, "..", "shared", "logs");

export const FIXTURES = join(REPOSITORY, "test", "fixtures");

/**
 * The settings that these helpers use unless a test says otherwise: whole results only, with hints whose length does
 * not depend on the call they name, so that figures can be worked out by hand. Pass DEFAULT_SETTINGS for the product's
 * own.
 */
export const WHOLE_RESULTS: DedupSettings = { ...DEFAULT_SETTINGS, runs: false, verbosity: "standard" };

/** All files under a folder, in path order. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

export function genuineLogs(): string[] {
  return existsSync(GENUINE) ? filesUnder(GENUINE).filter(path => path.endsWith(".jsonl")) : [];
}

/** Replays one file's bytes, cut at the given positions. */
export function dataOf(
  path: string,
  content: Buffer | string,
  options: { settings?: Partial<DedupSettings>; cuts?: readonly number[]; strategies?: boolean } = {},
): LogData {
  const settings = { ...WHOLE_RESULTS, ...options.settings };
  const { strategies } = options;
  const model = new LogPipeline(path, { settings, keepEvents: true, keepDetails: false, keepFacts: false, strategies });
  const bytes = typeof content === "string" ? bytesOf(content) : content;
  let from = 0;
  for (const cut of [...(options.cuts ?? []), bytes.length]) {
    // A fresh copy that is wiped afterwards: a reader may only keep bytes that it has copied.
    const piece = Buffer.from(bytes.subarray(from, cut));
    model.push(piece);
    piece.fill(0x23);
    from = cut;
  }
  return model.data();
}

export function reportOf(
  logs: readonly LogData[],
  settings: Partial<DedupSettings> = {},
  options: ReportOptions = {},
): Report {
  return buildReport(logs, { ...WHOLE_RESULTS, ...settings }, () => true, options);
}

/** The report on one main file with these lines. */
export function reportOn(lines: readonly (Json | string)[], settings: Partial<DedupSettings> = {}): Report {
  return reportOf([dataOf("s.jsonl", logText(...lines), { settings })], settings);
}

export function eventsOn(lines: readonly (Json | string)[], settings: Partial<DedupSettings> = {}): DedupEvent[] {
  const main = reportOn(lines, settings).sessions[0]?.contexts.find(context => context.id === "main");
  return [...(main?.events ?? [])];
}

/** One word per event: enough to tell the story of a short session. */
export function storyOf(events: readonly DedupEvent[]): string[] {
  return events.map(event => {
    if (event.kind === "hit" || event.kind === "nearHit") return `${event.kind} ${event.id}=${event.ref}`;
    if (event.kind === "miss") return `miss ${event.id} ${event.why}${event.cause ? ` by ${event.cause}` : ""}`;
    if (event.kind === "bypass") return `${event.reason} ${event.id}${event.ref ? `=${event.ref}` : ""}`;
    if (event.kind === "reask") return `reask ${event.id}=${event.ref} after ${event.hint}`;
    if (event.kind === "invalidate") return `invalidate ${event.id} by ${event.by} ${event.cause}`;
    if (event.kind === "evict") return `evict ${event.id} for ${event.cause}`;
    if (event.kind === "boundary") return `boundary ${event.partition} keeps ${event.kept} drops ${event.dropped}`;
    if (event.kind === "clear") return `clear ${event.ids} by ${event.by}`;
    return `${event.kind} drops ${"dropped" in event ? event.dropped : ""}`;
  });
}

/** A long pause in a session, after which Claude Code cuts old results from the context, if Anthropic has enabled that. */
import { readFileSync, writeFileSync } from "node:fs";
import { type Turn, turn } from "./api.js";
import { bash } from "./calls.js";
import { NEWEST } from "./install.mjs";

/** What Claude Code replaces cut results with. */
export const CUT = "[Old tool result content cleared]";

/**
 * The feature flags below are specific to a version, which only reads them if it may fetch newer ones: so only where
 * nothing can leave the machine.
 */
export const cutsResults =
  process.env["DEDUP_CONFINED"] === "1" && process.env["CLAUDE_PROGRAM"]?.includes(`claude-code-${NEWEST}`);

/** Results that push earlier ones out of those that are kept. */
export function manyResults(): Turn[] {
  const output = (number: number) =>
    `for n in $(seq 60); do echo "$n of output ${number}, ${"words ".repeat(10)}"; done`;
  return Array.from({ length: 34 }, (_, number) => turn(bash(output(number))));
}

/** As if everything in the log had been written hours ago. */
export function pause(log: string): void {
  const hoursAgo = (time: string) => new Date(Date.parse(time) - 3 * 3_600_000).toISOString();
  writeFileSync(log, readFileSync(log, "utf8").replace(/(?<="timestamp":")[^"]+/g, hoursAgo));
}

/** For a terminal that resumes the session. */
export function cutting() {
  const cachedFeatureFlags = { tengu_jiggly_blossom: "on", tengu_wise_pearl: { write_records: true } };
  return {
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "", DISABLE_TELEMETRY: "" },
    remembered: { cachedFeatureFlags, cachedFeatureFlagsAt: Date.now() },
  };
}

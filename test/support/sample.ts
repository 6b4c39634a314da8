/** The bundled sample session. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder, REPOSITORY } from "./replay.js";

export const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
/** Its log, followed by its subagents'. */
export const SAMPLE_LOGS = [
  SAMPLE,
  ...filesUnder(join(REPOSITORY, "media", "sample")).filter(file => file.endsWith(".jsonl")),
];

/** All its lines, as written by versions that kept subagents' lines in the session's log. */
export function sampleText(): string {
  return SAMPLE_LOGS.map(file => readFileSync(file, "utf8")).join("");
}

/** The bundled sample session. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder, REPOSITORY } from "./replay.js";

export const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");

/** Its log, and after it its subagents' lines, as versions wrote them that kept all in one file. */
export function sampleText(): string {
  const agents = filesUnder(join(REPOSITORY, "media", "sample")).filter(file => file.endsWith(".jsonl"));
  return [SAMPLE, ...agents].map(file => readFileSync(file, "utf8")).join("");
}

// `npm run sample [-- --out FOLDER]`: writes the bundled sample session, media/sample.jsonl, and its subagents' logs in
// media/sample.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { story } from "./story.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const media = fileURLToPath(new URL("../../media", import.meta.url));
const target = resolve(values.out ?? media);
// Subagents of an older sample have other names.
if (target === media) rmSync(join(media, "sample"), { recursive: true, force: true });
for (const [path, text] of story()) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`written: ${join(target, "sample.jsonl")}`);

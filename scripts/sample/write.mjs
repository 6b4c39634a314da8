// Writes the bundled sample session: node scripts/sample/write.mjs

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { story } from "./story.mjs";

const target = new URL("../../media/sample.jsonl", import.meta.url);
mkdirSync(new URL(".", target), { recursive: true });
writeFileSync(target, story());
console.log(`written: ${fileURLToPath(target)}`);

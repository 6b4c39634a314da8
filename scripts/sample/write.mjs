// `npm run sample [-- --out FILE]`: writes the bundled sample session, media/sample.jsonl.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { story } from "./story.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const target = resolve(values.out ?? fileURLToPath(new URL("../../media/sample.jsonl", import.meta.url)));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, story());
console.log(`written: ${target}`);

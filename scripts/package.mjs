// `npm run package [-- --out FOLDER]`: makes dedup-inspector-VERSION.vsix from the current sources.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packageExtension } from "./package/vsix.mjs";
import { build } from "./setup.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = values.out === undefined ? undefined : resolve(values.out);
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
build();
const file = await packageExtension(out ?? process.cwd());
const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
console.log(`${relative(".", file)} (sha256 ${hash})`);

// `npm run package`: dedup-inspector-VERSION.vsix, from the sources as they are now.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageExtension } from "./package/vsix.mjs";
import { build } from "./setup.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
build();
const file = await packageExtension(process.cwd());
const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
console.log(`${relative(".", file)} (sha256 ${hash})`);

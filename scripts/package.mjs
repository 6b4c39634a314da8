// `npm run package [-- --out FOLDER]`: creates dedup-inspector-VERSION.vsix and .tgz, the npm package, from the current
// sources.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packageExtension } from "./package/vsix.mjs";
import { build, npmRun } from "./setup.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const given = values.out === undefined ? undefined : resolve(values.out);
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const out = given ?? process.cwd();
build();
const vsix = await packageExtension(out);
npmRun("pack", "--silent", "--ignore-scripts", "--no-update-notifier", "--pack-destination", out);
for (const file of [vsix, vsix.replace(/vsix$/, "tgz")]) {
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
  console.log(`${relative(".", file)} (sha256 ${hash})`);
}

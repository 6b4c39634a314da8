// `npm test`: runs all checks, also on a fresh clone. Each part prints its name first.
import { fileURLToPath } from "node:url";
import { PARTS } from "../test/programs/list.mjs";
import { install, npmRun } from "./setup.mjs";
import { ensureChromium } from "./system.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
install();
// Before the parts that need it; they say so if it is missing and cannot be installed.
ensureChromium();

for (const [script, name] of Object.entries(PARTS)) {
  console.log(`\n== ${name}`);
  npmRun("run", "--silent", script);
}
console.log("\nall passed");

// `npm test`: everything that is checked, on a fresh clone too. Each part says its name before it runs.
import { fileURLToPath } from "node:url";
import { PARTS } from "../test/programs/list.mjs";
import { install, npmRun } from "./setup.mjs";
import { ensureChromium } from "./system.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
install();
// Before the parts that drive it; where it is missing and may not be installed, they say so.
ensureChromium();

for (const [script, name] of Object.entries(PARTS)) {
  console.log(`\n== ${name}`);
  npmRun("run", "--silent", script);
}
console.log("\nall passed");

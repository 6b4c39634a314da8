// `npm test`: runs all checks, also on a fresh clone. Each part prints its name first.
import { fileURLToPath } from "node:url";
import { build, install, npmRun } from "./setup.mjs";
import { ensureChromium } from "./system.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
install();
// Before the parts that need it; if it is missing and cannot be installed, they say so.
ensureChromium();

const parts = [
  ["types", () => npmRun("run", "--silent", "typecheck")],
  ["lint and format", () => npmRun("run", "--silent", "lint")],
  ["build", build],
  ["units and contracts", () => npmRun("run", "--silent", "unit")],
  ["the page in Chromium", () => npmRun("run", "--silent", "test:webview")],
  ["live hints in a real Claude Code", () => npmRun("run", "--silent", "test:claude")],
  ["the extension in a real VS Code", () => npmRun("run", "--silent", "test:vscode")],
  ["the programs that documents name", () => npmRun("run", "--silent", "test:programs")],
];
for (const [name, check] of parts) {
  console.log(`\n== ${name}`);
  check();
}
console.log("\nall passed");

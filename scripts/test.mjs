// `npm test`: everything that is checked, on a fresh clone too. Each part says its name before it runs.
import { build, install, npmRun } from "./setup.mjs";

process.chdir(new URL("..", import.meta.url).pathname);
install();

const parts = [
  ["types", () => npmRun("run", "--silent", "typecheck")],
  ["lint and format", () => npmRun("run", "--silent", "lint")],
  ["build", build],
  ["units and contracts", () => npmRun("run", "--silent", "unit")],
  ["the page in Chromium", () => npmRun("run", "--silent", "test:webview")],
  ["the extension in a real VS Code", () => npmRun("run", "--silent", "test:vscode")],
];
for (const [name, check] of parts) {
  console.log(`\n== ${name}`);
  check();
}
console.log("\nall passed");

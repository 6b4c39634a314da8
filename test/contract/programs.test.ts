/** Programs that documents mention are run by `npm test`; otherwise nobody would notice when they stop working. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ELSEWHERE, PARTS, PROGRAMS } from "../programs/list.mjs";
import { documents, readText } from "../support/documents.js";
import { REPOSITORY } from "../support/replay.js";

const parts = Object.keys(PARTS).map(script => `npm run ${script}`);
const run = [...PROGRAMS.map(({ command }) => command), ...Object.keys(ELSEWHERE), ...parts];

/** The commands in a text, without their arguments; for our own program with its subcommand. */
function commandsIn(document: string): string[] {
  // Prose breaks its lines anywhere.
  const text = document.replaceAll(/\s+/g, " ");
  const npm = [...text.matchAll(/\bnpm (?:run [\w:]+|start|test|ci)\b/g)].map(([command]) => command);
  const npx = [...text.matchAll(/\bnpx (?!dedup-inspector \w)[\w-]+/g)].map(([command]) => command);
  const own = [...text.matchAll(/\b(?:node dist\/cli\.js|npx dedup-inspector) (\w+)/g)].map(
    ([, command]) => `node dist/cli.js ${command}`,
  );
  const node = [...text.matchAll(/\bnode (?!dist\/cli\.js \w)[\w./-]+\.m?js\b/g)].map(([command]) => command);
  return [...new Set([...npm, ...npx, ...own, ...node])];
}

it("finds the commands that documents mention", () => {
  const text =
    "`npm run\nbench -- PATH…` or\nnode test/bench/live.mjs --logs 2, `node dist/cli.js report --json`, npx dedup-inspector watch, npx a-b c, npm start.";
  expect(commandsIn(text)).toEqual([
    "npm run bench",
    "npm start",
    "npx a-b",
    "node dist/cli.js report",
    "node dist/cli.js watch",
    "node test/bench/live.mjs",
  ]);
  expect(documents()).toEqual(expect.arrayContaining(["README.md", "test/bench/README.md", "plugin/README.md"]));
});

it.each(documents())("%s names no program that npm test does not run", document => {
  expect(commandsIn(readText(document)).filter(command => !run.includes(command))).toEqual([]);
});

it("each of them is run: parts of npm test are scripts, files exist", () => {
  const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
  expect(Object.keys(PARTS).filter(part => !(part in scripts))).toEqual([]);
  expect(scripts["check"]?.split(" && ").every(script => parts.includes(script))).toBe(true);
  expect(scripts["test:vscode"]).toBe("node test/vscode/run.mjs");
  expect(scripts["unit"]).toMatch(/^vitest /);
  const files = Object.values(ELSEWHERE).filter(where => where.startsWith("test/"));
  expect(files.filter(file => !existsSync(join(REPOSITORY, file)))).toEqual([]);
});

it("lists nothing that no document mentions", () => {
  const named = documents().flatMap(document => commandsIn(readText(document)));
  expect(run.filter(command => !named.includes(command) && !parts.includes(command))).toEqual([]);
});

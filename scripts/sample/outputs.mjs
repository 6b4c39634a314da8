// What the commands of the session print.

import { linesOf } from "./project.mjs";

/** @typedef {import("./project.mjs").Project} Project */

/** The names of all tests, read from the test files themselves. @param {Project} project */
export function testNames(project) {
  const names = [];
  for (const path of project.paths().filter(file => file.endsWith(".test.ts"))) {
    let suite = "";
    for (const line of linesOf(project.text(path))) {
      suite = /^describe\("(.+?)"/.exec(line)?.[1] ?? suite;
      const name = /^ {2}it\("(.+?)"/.exec(line)?.[1];
      if (name !== undefined) names.push(`${path} > ${suite} > ${name}`);
      const row = /^ {4}\[([\d.]+), "(.+)"\],$/.exec(line);
      if (row) names.push(`${path} > ${suite} > writes ${row[1]} as ${row[2]}`);
    }
  }
  return names;
}

/** `npm test`. @param {Project} project @param {Record<string, string>} [failures] test name ending → what went wrong */
export function testRun(project, failures = {}) {
  const names = testNames(project);
  let failed = 0;
  const lines = names.flatMap(name => {
    const why = Object.entries(failures).find(([ending]) => name.endsWith(ending))?.[1];
    if (why === undefined) return [`ok    ${name}`];
    failed++;
    return [`FAIL  ${name}`, ...why.split("\n").map(line => `      ${line}`)];
  });
  if (failed !== Object.keys(failures).length) throw new Error(`no such test: ${Object.keys(failures)}`);
  const sum = `${names.length} tests, ${names.length - failed} passed, ${failed} failed`;
  const version = /"version": "(.+?)"/.exec(project.text("package.json"))?.[1];
  const banner = ["", `> ladle@${version} test`, "> vitest run --reporter=./test/plain-reporter.ts", ""];
  return [...banner, ...lines, "", sum].join("\n");
}

/** The last lines of a text. @param {string} text @param {number} count */
export const tail = (text, count) => text.split("\n").slice(-count).join("\n");

const SETUP = [
  "Prepare workflow directory",
  "Getting action download info",
  "Download action repository 'actions/checkout@v4'",
  "Download action repository 'actions/setup-node@v4'",
  "Syncing repository: ana/ladle",
  "Temporarily overriding HOME before making global git config changes",
  "Adding repository directory to the temporary git global config as a safe directory",
  "Fetching the repository",
  "Determining the checkout info",
  "Checking out the ref",
];

const INSTALL = [
  "Run npm ci",
  "npm warn deprecated glob@8.1.0: this version is no longer looked after",
  "added 61 packages, and audited 62 packages in 3s",
  "14 packages are looking for funding",
  "found 0 vulnerabilities",
  "Run npm run lint",
  "> ladle@0.6.2 lint",
  "> tsc --noEmit -p tsconfig.json",
  "Run npm test",
];

/** The log of a failed job, without its time stamps. @param {string} commit @param {string} node @param {string} run what `npm test` printed */
export function ciLog(commit, node, run) {
  const versions = [
    `HEAD is now at ${commit}`,
    `Found in cache @ /opt/hostedtoolcache/node/${node}/x64`,
    `node: v${node}`,
  ];
  const end = ["Error: Process completed with exit code 1.", "Post job cleanup.", "Cleaning up orphan processes"];
  return [...SETUP, ...versions, ...INSTALL, ...run.split("\n").slice(1), ...end].join("\n");
}

/** `gh run list`. @param {[string, string, string, number, string][]} runs mark, title, branch, number, age */
export function ciRuns(runs) {
  const rows = runs.map(([mark, title, branch, number, age]) =>
    ["completed", mark, title, "ci", branch, "push", number, age].join("\t"),
  );
  return rows.join("\n");
}

/** `gh pr checks`. @param {number} run @param {string} state @param {string} time */
export function checks(run, state, time) {
  const url = `https://github.com/ana/ladle/actions/runs/${run}/job`;
  const rows = ["lint and test (20)", "lint and test (22)", "build (20)", "build (22)"];
  return rows.map((name, i) => `${name}\t${state}\t${time}\t${url}/${88310 + i}`).join("\n");
}

const COMPLAINTS = [
  [4, "no ingredients found below an Ingredients heading"],
  [19, "a recipe needs a title on its first line"],
  [27, "no ingredients found below an Ingredients heading"],
  [41, "a recipe needs a title on its first line"],
  [52, "no ingredients found below an Ingredients heading"],
  [57, "no ingredients found below an Ingredients heading"],
  [58, "no ingredients found below an Ingredients heading"],
  [66, "a recipe needs a title on its first line"],
];

/** `curl /api/imports/1`. @param {string} phase @param {number} done @param {number | null} secondsLeft */
export function importStatus(phase, done, secondsLeft) {
  const problems = COMPLAINTS.map(([number, text]) => `recipe ${number}: ${text}`);
  return JSON.stringify({ id: 1, phase, total: 312, done, secondsLeft, problems });
}

/** A recipe as the pantry server knows it. @param {string} id @param {string} title @param {number} servings @param {string[]} lines */
export function pantryRecipe(id, title, servings, lines) {
  const ingredients = lines.map((line, position) => ({ position: position + 1, line }));
  return { id, title, servings, collection: "family", updated: "2026-07-18", ingredients };
}

/**
 * `curl /api/recipes/ID/scaled`
 * @param {string} title @param {number} servings @param {number} factor
 * @param {[string, number | null, string | null, string][]} rows
 */
export function scaled(title, servings, factor, rows) {
  const lines = rows.map(([name, amount, unit, text]) => ({ name, amount, unit, text }));
  return JSON.stringify({ title, servings, factor, lines, warnings: [] });
}

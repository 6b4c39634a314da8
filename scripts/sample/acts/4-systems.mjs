// Act 4: grams or cups, as the reader likes. Old results are cleared at its start; in the middle the context is compacted.

import { checks, scaled, testRun } from "../outputs.mjs";
import { IN_SYSTEM, SUMMARY, SYSTEMS_TEST } from "./4-texts.mjs";

const UNITS = "src/units.ts";
const SCALE = "src/scale.ts";
const SERVER = "src/server.ts";
const TEST = "test/systems.test.ts";

/** @param {import("../session.mjs").Session} s @param {string[]} old results that leave the context first */
export function systems(s, old) {
  const { tools: t, project: p } = s;
  s.prompt(
    "Now a feature. My sister cooks in cups, I cook in grams. Please let the scaled route take system=metric or system=imperial, and give the page a switch for it. A recipe without the parameter stays as it is written.",
    8,
  );
  s.log.note("last-prompt", {
    lastPrompt: "Now a feature. My sister cooks in cups, I cook in grams.",
    leafUuid: s.main.parent,
  });
  s.microcompact(old);
  s.act("First, is the branch I start from green?", t.bash("gh pr checks 18", checks(51402, "pass", "41s"), 1300));
  s.log.branch = "main";
  s.act(
    null,
    t.bash(
      "gh pr merge 18 --squash --delete-branch && git checkout -q main && git pull -q && git log --oneline -1",
      "41c7be0 Let every server test have its own port (#18)",
      5200,
    ),
  );
  s.log.branch = "systems";
  s.act(null, t.bash("git checkout -qb systems", ""));
  s.act(
    null,
    t.task(3, "Convert amounts between the two systems"),
    t.task(4, "Take the system in the scaled route"),
    t.task(5, "Add a switch to the page"),
  );
  s.act("The units decide most of this.", t.read(UNITS));
  s.act(null, t.grep("system", "src"));
  s.act(null, t.read("test/units.test.ts"));
  s.think(
    "Weights and volumes convert within their measure only. Spoons belong to both systems and stay. Start from a home unit, then let comfortable() pick the size.",
  );
  s.act(
    "Spoons belong to both systems, so only cups, pints, ounces and pounds change places with their metric cousins.",
    t.edit(UNITS, "function round(amount: number): number {", `${IN_SYSTEM}function round(amount: number): number {`),
  );
  s.act(null, t.write(TEST, SYSTEMS_TEST));
  s.act(null, t.fails("npx vitest run test/systems.test.ts --reporter=./test/plain-reporter.ts", FIRST, 1800));
  s.act("The conversion works; the scaling does not know the parameter yet.", t.unchanged("test/units.test.ts"));
  s.act(null, t.read(SCALE, { offset: 24, limit: 36 }));
  s.act(
    null,
    t.edit(
      SCALE,
      "export function scaleRecipe(recipe: Recipe, servings: number): ScaledRecipe {",
      "export function scaleRecipe(recipe: Recipe, servings: number, system?: UnitSystem): ScaledRecipe {",
    ),
  );
  s.act(
    null,
    t.edit(
      SCALE,
      "map(ingredient => scaleIngredient(ingredient, factor));",
      "map(ingredient => scaleIngredient(ingredient, factor, system));",
    ),
  );
  s.act(null, t.bash("npm run lint 2>&1 | tail -12", LINT, 4100));
  s.act(
    "I also need the type in scope. Import first.",
    t.edit(
      SCALE,
      'import { comfortable, findUnit } from "./units.js";',
      'import { comfortable, findUnit, inSystem, type UnitSystem } from "./units.js";',
    ),
  );
  s.act(null, t.bash("npm run lint 2>&1 | tail -12", LINT2, 4100));
  s.act(null, t.read(UNITS, { offset: 40, limit: 48 }));
  s.act(
    "Nothing about `inSystem` itself, good. And once more, from a clean state of the compiler:",
    t.bash("rm -rf dist && npm run lint 2>&1 | tail -12", LINT2, 5100),
  );
  s.act(
    null,
    t.edit(
      SCALE,
      "export function scaleIngredient(ingredient: Ingredient, factor: number): ScaledLine {",
      "export function scaleIngredient(ingredient: Ingredient, factor: number, system?: UnitSystem): ScaledLine {",
    ),
    t.edit(
      SCALE,
      "  const settled = comfortable(scaled, unit);",
      "  const settled = system === undefined ? comfortable(scaled, unit) : inSystem(scaled, unit, system);",
    ),
  );
  s.act(null, t.bash("npm run lint --silent", "", 3900), t.taskStatus(3, "completed"));
  const [kept = ""] = s.act("Types are fine. The whole suite:", t.bash("npm test", testRun(p), 2700));
  s.act(null, t.read(SERVER, { offset: 80, limit: 40 }));
  // The tail from the green test run on stays in the context.
  s.compact(s.lineBefore(kept), SUMMARY);
  afterCompaction(s);
}

/** @param {import("../session.mjs").Session} s */
function afterCompaction(s) {
  const { tools: t, project: p } = s;
  const text = p.text("CLAUDE.md");
  const file = { filePath: s.where("CLAUDE.md"), content: text, numLines: 7, startLine: 1, totalLines: 7 };
  s.attach(
    { type: "file", filename: s.where("CLAUDE.md"), content: { type: "text", file }, displayPath: "CLAUDE.md" },
    text.length,
  );
  s.act("I go on with the route.", t.read(UNITS, { offset: 40, limit: 48 }));
  s.act(
    null,
    t.edit(
      SERVER,
      "  send(response, 200, scaleRecipe(recipe, servings));\n",
      '  const system = url.searchParams.get("system") ?? undefined;\n  if (system !== undefined && !isSystem(system)) throw new RangeError("system is metric or imperial");\n  send(response, 200, scaleRecipe(recipe, servings, system));\n',
    ),
  );
  s.act(
    null,
    t.edit(
      SERVER,
      'import { RecipeStore, slugOf } from "./store.js";\n',
      'import { RecipeStore, slugOf } from "./store.js";\nimport { isSystem } from "./units.js";\n',
    ),
  );
  s.act(null, t.bash("npm run lint --silent", "", 3900), t.bash("npm test", testRun(p), 2600));
  s.act("Still green. Now the page.", t.taskStatus(4, "completed"), t.read("public/index.html"));
  s.act(
    null,
    t.edit(
      "public/index.html",
      'max="400" value="4" /></label>\n',
      'max="400" value="4" /></label>\n      <label>Units\n        <select id="system">\n          <option value="">as written</option>\n          <option value="metric">metric</option>\n          <option value="imperial">imperial</option>\n        </select>\n      </label>\n',
    ),
  );
  s.act(
    null,
    t.edit(
      "public/index.html",
      "{ servings: servings.value });\n",
      '{ servings: servings.value });\n        if (system.value !== "") query.set("system", system.value);\n',
    ),
    t.edit(
      "public/index.html",
      'document.querySelector("#servings");\n',
      'document.querySelector("#servings");\n      const system = document.querySelector("#system");\n',
    ),
  );
  s.act(
    null,
    t.edit(
      "public/index.html",
      'servings.addEventListener("input", show);\n',
      'servings.addEventListener("input", show);\n      system.addEventListener("change", show);\n',
    ),
  );
  s.act(
    "A look from outside:",
    t.bash(
      "npm run build --silent && (timeout 5 node dist/server.js > /tmp/ladle.log &) && sleep 1 && curl -s 'localhost:8080/api/recipes/flatbread/scaled?servings=4&system=metric'",
      METRIC,
      5600,
    ),
  );
  s.act(null, t.bash("git diff", p.diff()), t.bash("git status --short", p.status()));
  s.act(
    null,
    t.bash(
      'git add -A && git commit -qm "Show a recipe in metric or imperial units" && git log --oneline -1',
      "d2906fa Show a recipe in metric or imperial units",
    ),
  );
  p.commit();
  s.say(
    'The scaled route now takes `system=metric` or `system=imperial` and answers 400 to anything else; the page has a switch with a third position, "as written". Spoons and pinches stay what they are in both systems.',
  );
}

const FIRST = [
  "ok    test/systems.test.ts > inSystem > turns cups into millilitres",
  "ok    test/systems.test.ts > inSystem > leaves spoons alone",
  "FAIL  test/systems.test.ts > scaleRecipe with a system > prints the whole recipe in one system",
  "      AssertionError: expected '2 cups flour' to be '480 ml flour'",
  "      at test/systems.test.ts:29:35",
  "",
  "3 tests, 2 passed, 1 failed",
].join("\n");

const LINT_BANNER = ["", "> ladle@0.6.2 lint", "> tsc --noEmit -p tsconfig.json", ""];
const THREE = "src/scale.ts(34,90): error TS2554: Expected 2 arguments, but got 3.";
const LINT = [...LINT_BANNER, "src/scale.ts(26,72): error TS2304: Cannot find name 'UnitSystem'.", THREE].join("\n");
const LINT2 = [
  ...LINT_BANNER,
  "src/scale.ts(5,33): error TS6133: 'inSystem' is declared but its value is never read.",
  THREE,
].join("\n");

const METRIC = scaled("Flatbread for a warm evening", 4, 4 / 3, [
  ["flour", 320, "ml", "320 ml flour"],
  ["yoghurt", 160, "ml", "160 ml yoghurt"],
  ["olive oil", 4 / 3, "tbsp", "1 1/3 tbsp olive oil"],
  ["salt", null, "pinch", "a pinch of salt"],
  ["baking powder", 2 / 3, "tsp", "2/3 tsp baking powder"],
]);

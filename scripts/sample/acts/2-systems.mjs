// The second turn: grams or cups, as the reader likes. A subagent looks for affected code; a file is read right after
// it is written; the user interrupts a command that does not end.

import { testRun } from "../outputs.mjs";
import { linesOf } from "./1-thirds.mjs";
import { IN_SYSTEM, SYSTEMS_TEST } from "./2-texts.mjs";

const UNITS = "src/units.ts";
const SCALE = "src/scale.ts";
const SERVER = "src/server.ts";
const TEST = "test/systems.test.ts";
const RUN_ONE = "npx vitest run test/systems.test.ts --reporter=./test/plain-reporter.ts";

/** @param {import("../session.mjs").Session} s */
export function systems(s) {
  const { tools: t, project: p } = s;
  s.prompt(
    "Now a feature. My sister cooks in cups, I cook in grams. Please let the scaled route take system=metric or system=imperial, and give the page a switch for it. A recipe without the parameter stays as it is written.",
    8,
  );
  s.log.branch = "systems";
  s.act(null, t.bash("git checkout -qb systems", "Start a branch", ""));
  const [search] = s.launch("I let a search run beside this, for everything that touches a unit.", {
    type: "Explore",
    description: "Find every use of a unit",
    prompt:
      "In /home/ana/ladle, find every place that reads, converts or prints a unit: source, tests and the page. Report file, line and what it does there, in one list. Change nothing.",
    work: () => findUses(s),
    answer: USES,
  });
  s.act("The units decide most of this.", t.read(UNITS), t.read("test/units.test.ts"));
  s.think();
  s.act(
    "Spoons belong to both systems, so only cups, pints, ounces and pounds change places with their metric cousins.",
    t.edit(UNITS, "function round(amount: number): number {", `${IN_SYSTEM}function round(amount: number): number {`),
  );
  s.act(null, t.read(UNITS, { offset: 38, limit: 56 }));
  s.act(null, t.write(TEST, SYSTEMS_TEST));
  s.act(null, t.fails(RUN_ONE, "Run the new tests", FIRST, 1800));
  s.act("The conversion works; the scaling does not know the parameter yet.", t.read(TEST));
  s.say("I wait for the search before I change the scaling, so that no caller is forgotten.");
  if (search !== undefined) s.notified(search);
  s.act("Three callers, as expected.", t.read(SCALE, { offset: 24, limit: 40 }));
  s.act(
    null,
    t.edit(
      SCALE,
      "export function scaleRecipe(recipe: Recipe, servings: number): ScaledRecipe {",
      "export function scaleRecipe(recipe: Recipe, servings: number, system?: UnitSystem): ScaledRecipe {",
    ),
    t.edit(
      SCALE,
      "map(ingredient => scaleIngredient(ingredient, factor));",
      "map(ingredient => scaleIngredient(ingredient, factor, system));",
    ),
  );
  s.act(
    null,
    t.refused(
      "Edit",
      {
        replace_all: false,
        file_path: s.tools.where(SCALE),
        old_string: 'import { comfortable, convert, findUnit } from "./units.js";',
        new_string: 'import { comfortable, convert, findUnit, inSystem, type UnitSystem } from "./units.js";',
      },
      'String to replace not found in file.\nString: import { comfortable, convert, findUnit } from "./units.js";',
    ),
  );
  s.act("The import is shorter than I remembered.", t.read(SCALE, { offset: 1, limit: 30 }));
  s.act(
    null,
    t.edit(
      SCALE,
      'import { comfortable, findUnit } from "./units.js";',
      'import { comfortable, findUnit, inSystem, type UnitSystem } from "./units.js";',
    ),
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
  s.act(null, t.bash(RUN_ONE, "Run the new tests", PASSED, 1800));
  s.act("Now the route.", t.grep("scaleRecipe|searchParams"), t.read(SERVER, { offset: 60, limit: 60 }));
  s.act(
    null,
    t.edit(
      SERVER,
      "  send(response, 200, scaleRecipe(recipe, servings));\n",
      '  const system = url.searchParams.get("system") ?? undefined;\n  if (system !== undefined && !isSystem(system)) throw new RangeError("system is metric or imperial");\n  send(response, 200, scaleRecipe(recipe, servings, system));\n',
    ),
    t.edit(
      SERVER,
      'import { RecipeStore, slugOf } from "./store.js";\n',
      'import { RecipeStore, slugOf } from "./store.js";\nimport { isSystem } from "./units.js";\n',
    ),
  );
  s.act(
    null,
    t.bash("npm test", "Run all tests", testRun(p), 2600),
    t.bash("npm run lint --silent", "Check the types", "", 3900),
  );
  s.interrupted(
    "Green. I start the service to see the route from outside.",
    t.stopped("npm run build --silent && npm start", "Start the service", 41_000),
  );
  s.prompt("Don't start it in the foreground, it never ends. And commit what you have before the page.", 0.4);
  s.act(
    "Of course.",
    t.bash("git diff", "Show the change", p.diff()),
    t.bash("git status --short", "Show what is new", p.status()),
  );
  s.act(
    null,
    t.bash(
      'git add -A && git commit -qm "Show a recipe in metric or imperial units" && git log --oneline -1',
      "Commit the route",
      "d2906fa Show a recipe in metric or imperial units",
    ),
  );
  p.commit();
  s.act(
    null,
    t.bash(
      "npm run build --silent && (timeout 5 node dist/server.js > /tmp/ladle.log &) && sleep 1 && curl -s 'localhost:8080/api/recipes/flatbread/scaled?servings=4&system=metric' && tail -n +80 src/server.ts | head -40",
      "Ask the route, and show its code",
      `${METRIC}\n${linesOf(p.text(SERVER), 80, 119)}`,
      5600,
    ),
  );
  s.say("The route is committed and answers in metric units. The page comes next.");
}

/** The subagent's own calls. @param {import("../session.mjs").Session} s */
function findUses(s) {
  const { tools: t, project: p } = s;
  s.act(null, t.grep("findUnit|comfortable|convert\\("), t.grep("unit", "src/parse.ts"));
  s.act(null, t.read(UNITS), t.read(SCALE));
  s.act(null, t.read("src/parse.ts", { offset: 45, limit: 35 }));
  s.act(null, t.grep("unit", "public"), t.bash("grep -rn 'unit' test | wc -l", "Count uses in the tests", "37"));
  s.act(
    null,
    t.bash("sed -n '40,75p' src/units.ts", "Show the conversion", linesOf(p.text(UNITS), 40, 75)),
    t.read(SERVER, { offset: 84, limit: 34 }),
  );
}

const USES = [
  "Everything that touches a unit:",
  "",
  "- src/units.ts:39 UNITS, 45 findUnit, 49 convert, 57 comfortable: the table and all arithmetic.",
  "- src/scale.ts:53 findUnit, 57 comfortable: the only caller that prints an amount.",
  "- src/parse.ts:64 and 69 findUnit: reads a unit from a card and keeps its short name.",
  "- src/server.ts:98 scaleRecipe: the scaled route; it knows no units itself.",
  "- public/index.html: prints the finished text of each line, knows no units.",
  "- test/units.test.ts and test/parse.test.ts use the same functions.",
].join("\n");

const FIRST = [
  "ok    test/systems.test.ts > inSystem > turns cups into millilitres",
  "ok    test/systems.test.ts > inSystem > leaves spoons alone",
  "FAIL  test/systems.test.ts > scaleRecipe with a system > prints the whole recipe in one system",
  "      AssertionError: expected '2 cups flour' to be '480 ml flour'",
  "      at test/systems.test.ts:29:35",
  "",
  "3 tests, 2 passed, 1 failed",
].join("\n");

const PASSED = [
  "ok    test/systems.test.ts > inSystem > turns cups into millilitres",
  "ok    test/systems.test.ts > inSystem > leaves spoons alone",
  "ok    test/systems.test.ts > scaleRecipe with a system > prints the whole recipe in one system",
  "",
  "3 tests, 3 passed, 0 failed",
].join("\n");

const METRIC =
  '{"title":"Flatbread for a warm evening","servings":4,"factor":1.3333333333333333,"lines":[{"name":"flour","amount":320,"unit":"ml","text":"320 ml flour"},{"name":"yoghurt","amount":160,"unit":"ml","text":"160 ml yoghurt"}],"warnings":[]}';

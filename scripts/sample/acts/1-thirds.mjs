// Act 1: two bugs in the scaled recipe. A first idea is tried, undone to the very bytes, and replaced by a better one.

import { pantryRecipe, scaled, testRun } from "../outputs.mjs";

const FRACTIONS = "src/fractions.ts";
const PANTRY = "mcp__pantry__get_recipe";
const FLATBREAD = pantryRecipe("flatbread", "Flatbread for a warm evening", 3, [
  "1 cup flour",
  "1/2 cup yoghurt",
  "1 tbsp olive oil",
  "a pinch of salt",
  "1/2 tsp baking powder",
]);

/** What the two new tests say while the bugs are there. */
const THIRDS = {
  "writes thirds as thirds": "AssertionError: expected '0.333' to be '1/3'\nat test/fractions.test.ts:22:35",
};
const PINCH = {
  "keeps the pinch of salt": "AssertionError: expected undefined to be 'a pinch of salt'\nat test/scale.test.ts:39:35",
};

/** @param {import("../session.mjs").Session} s */
export function thirds(s) {
  const { tools: t, project: p } = s;
  s.attach({ type: "deferred_tools_delta", addedNames: [PANTRY, "mcp__pantry__list_recipes"], removedNames: [] }, 60);
  s.prompt(
    'When I scale my flatbread from 3 to 4 people, ladle prints "1.333 cups flour", and the pinch of salt is gone. Can you find out why, and fix both? The recipe is in the pantry as "flatbread".',
    0.1,
  );
  s.log.note("ai-title", { aiTitle: "Fix thirds and pinches in scaled recipes" });
  s.think("Start with the layout and the scaling code, then reproduce with the real recipe before changing anything.");
  s.act("I'll look at the layout first.", t.bash("git log --oneline -6 && git status --short", LOG));
  s.act(null, t.read("README.md"), t.read("package.json"));
  s.act(null, t.glob("src/**/*.ts", /^src\//));
  s.act(
    "The scaling and the formatting of amounts are the two likely places.",
    t.read("src/scale.ts"),
    t.read(FRACTIONS),
  );
  s.act(null, t.grep("formatQuantity"));
  s.act(null, t.toolSearch("select:mcp__pantry__get_recipe", [PANTRY]));
  s.act("Now the recipe itself, as the pantry has it.", t.mcp(PANTRY, { id: "flatbread" }, FLATBREAD));
  s.act(
    null,
    t.bash(
      "npm run build --silent && node -e \"import('./dist/fractions.js').then(m => console.log(m.formatQuantity(4/3)))\"",
      "1.333",
      4200,
    ),
  );
  s.act(
    "Reproduced. The table of fractions has halves, quarters and an eighth, but no thirds. Let me see what the tests expect.",
    t.read("test/fractions.test.ts"),
    t.read("test/scale.test.ts"),
  );
  s.act("And the baseline: does everything pass today?", t.bash("npm test", testRun(p), 2600));
  s.act(null, t.task(1, "Print thirds as fractions"), t.task(2, "Keep ingredients that have no amount"));
  s.act(
    "First the tests that show both bugs.",
    t.edit("test/fractions.test.ts", '  it("uses glyphs when asked"', `${THIRDS_TEST}  it("uses glyphs when asked"`),
  );
  s.act(
    null,
    t.edit("test/scale.test.ts", '  it("refuses half a person"', `${PINCH_TEST}  it("refuses half a person"`),
  );
  s.act(null, t.fails("npm test", testRun(p, { ...THIRDS, ...PINCH }), 2700));
  s.act(
    "Both fail, as they should. I'll keep an eye on the failures only.",
    t.bash("npm test 2>&1 | grep -A2 FAIL", failures(p, { ...THIRDS, ...PINCH }), 2600),
  );

  s.think("A wider tolerance would be the smallest change. It may be too blunt, but it is quick to try.");
  s.act("Let me try the smallest change first: a wider tolerance.", t.read(FRACTIONS, { offset: 1, limit: 40 }));
  s.act(null, t.edit(FRACTIONS, "const TOLERANCE = 0.01;", "const TOLERANCE = 0.05;"));
  s.act(null, t.bash("npm test 2>&1 | grep -A2 FAIL", failures(p, { ...THIRDS, ...PINCH }), 2600));
  s.act(
    "Exactly the same two failures: a third is further than that from every entry. Let me look again.",
    t.read(FRACTIONS, { offset: 1, limit: 40 }),
  );
  s.act(
    null,
    t.bash(
      `node --input-type=module -e "import('./dist/fractions.js').then(m => [0.3, 0.333, 0.36].forEach(x => console.log(x, m.nearestFraction(x).text)))"`,
      "0.3 1/4\n0.333 1/4\n0.36 1/4",
      500,
    ),
  );
  s.act(
    "With a still wider tolerance a third would be printed as a quarter, which is worse. I put the old value back.",
    t.edit(FRACTIONS, "const TOLERANCE = 0.05;", "const TOLERANCE = 0.01;"),
  );
  s.act(null, t.read(FRACTIONS, { offset: 1, limit: 40 }));
  s.act(null, t.bash("npm test 2>&1 | grep -A2 FAIL", failures(p, { ...THIRDS, ...PINCH }), 2600));
  s.act(
    "Back where we were. The table is what has to change.",
    t.edit(
      FRACTIONS,
      '  { value: 1 / 2, text: "1/2", glyph: "½" },\n',
      '  { value: 1 / 3, text: "1/3", glyph: "⅓" },\n  { value: 1 / 2, text: "1/2", glyph: "½" },\n  { value: 2 / 3, text: "2/3", glyph: "⅔" },\n',
    ),
  );
  s.act(null, t.bash("npm test 2>&1 | grep -A2 FAIL", failures(p, PINCH), 2600));
  s.act("Thirds work. Now the pinch.", t.taskStatus(1, "completed"));
  s.act(null, t.unchanged("src/scale.ts"));
  s.act(null, t.grep("quantity (===|!==) null", "src"));
  s.act(
    "`scaleRecipe` filters out every ingredient without an amount, though `scaleIngredient` knows what to do with one.",
    t.edit(
      "src/scale.ts",
      "  const lines = recipe.ingredients\n    .filter(ingredient => ingredient.quantity !== null)\n    .map(ingredient => scaleIngredient(ingredient, factor));\n",
      "  const lines = recipe.ingredients.map(ingredient => scaleIngredient(ingredient, factor));\n",
    ),
  );
  s.act(
    null,
    t.edit(
      "src/scale.ts",
      "    return { name: ingredient.name, amount: null, unit: null, text: ingredient.name };\n",
      '    const text = ingredient.unit === null ? ingredient.name : "a " + ingredient.unit + " of " + ingredient.name;\n    return { name: ingredient.name, amount: null, unit: ingredient.unit, text };\n',
    ),
  );
  s.act(null, t.bash("npm test", testRun(p), 2600), t.bash("npm run lint --silent", "", 3900));
  s.act("All green. The change as a whole:", t.bash("git diff", p.diff()));
  s.act(
    "And the flatbread for four, from end to end.",
    t.bash(
      "npm run build --silent && (timeout 5 node dist/server.js > /tmp/ladle.log &) && sleep 1 && curl -s 'localhost:8080/api/recipes/flatbread/scaled?servings=4'",
      SHOWN,
      5400,
    ),
  );
  s.act(
    null,
    t.bash(
      "git add -A src test && git status --short",
      "M  src/fractions.ts\nM  src/scale.ts\nM  test/fractions.test.ts\nM  test/scale.test.ts",
    ),
  );
  s.act("One last look before the commit.", t.bash("git diff HEAD", p.diff()));
  s.act(
    null,
    t.bash(
      'git commit -qm "Print thirds, keep ingredients without an amount" && git log --oneline -1',
      "8f3c1d7 Print thirds, keep ingredients without an amount",
    ),
  );
  p.commit();
  s.say(
    'Both are fixed. Thirds were missing in the table of kitchen fractions, so 4/3 fell back to decimals; and `scaleRecipe` dropped every ingredient without an amount. The flatbread for four now reads "1 1/3 cups flour" and "a pinch of salt". Each bug has a test.',
  );
}

/** `npm test 2>&1 | grep -A2 FAIL` @param {import("../project.mjs").Project} p @param {Record<string, string>} why */
function failures(p, why) {
  const lines = testRun(p, why).split("\n");
  const groups = lines.flatMap((line, i) => (line.startsWith("FAIL") ? [lines.slice(i, i + 3).join("\n")] : []));
  return groups.join("\n--\n");
}

const LOG = [
  "5b0e9a2 Warn about yeast in large batches",
  "c41d7f8 Import a whole cookbook as a job",
  "07aa6de Keep the unit system of the recipe",
  "e92b513 Read amounts written with a comma",
  "3dd80c4 Store recipes as one file each",
  "a1f7720 Begin with a ladle and a pot",
].join("\n");

const SHOWN = scaled("Flatbread for a warm evening", 4, 4 / 3, [
  ["flour", 4 / 3, "cups", "1 1/3 cups flour"],
  ["yoghurt", 2 / 3, "cup", "2/3 cup yoghurt"],
  ["olive oil", 4 / 3, "tbsp", "1 1/3 tbsp olive oil"],
  ["salt", null, "pinch", "a pinch of salt"],
  ["baking powder", 2 / 3, "tsp", "2/3 tsp baking powder"],
]);

const THIRDS_TEST = `  it("writes thirds as thirds", () => {
    expect(formatQuantity(1 / 3)).toBe("1/3");
    expect(formatQuantity(4 / 3)).toBe("1 1/3");
    expect(formatQuantity(2 / 3, { glyphs: true })).toBe("⅔");
  });

`;

const PINCH_TEST = `  it("keeps the pinch of salt", () => {
    const scaled = scaleRecipe(pancakes, 6);
    expect(scaled.lines[4]?.text).toBe("a pinch of salt");
  });

`;

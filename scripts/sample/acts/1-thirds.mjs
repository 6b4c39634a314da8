// The first turn: two bugs in a scaled recipe. Files are read, edited and read again; the tests run three times.

import { pantryRecipe, testRun } from "../outputs.mjs";

const FRACTIONS = "src/fractions.ts";
const SCALE = "src/scale.ts";
const PANTRY = "mcp__pantry__get_recipe";
const FLATBREAD = pantryRecipe("flatbread", "Flatbread for a warm evening", 3, [
  "1 cup flour",
  "1/2 cup yoghurt",
  "1 tbsp olive oil",
  "a pinch of salt",
  "1/2 tsp baking powder",
]);

/** The output of the two new tests before the bugs are fixed. */
const FAILURES = {
  "writes thirds as thirds": "AssertionError: expected '0.333' to be '1/3'\nat test/fractions.test.ts:22:35",
  "keeps the pinch of salt": "AssertionError: expected undefined to be 'a pinch of salt'\nat test/scale.test.ts:39:35",
};

/** @param {import("../session.mjs").Session} s */
export function thirds(s) {
  const { tools: t, project: p } = s;
  s.prompt(
    'When I scale my flatbread from 3 to 4 people, ladle prints "1.333 cups flour", and the pinch of salt is gone. Can you find out why, and fix both? The recipe is in the pantry as "flatbread".',
    0.1,
  );
  s.attach({ type: "date", date: "2026-11-12" }, "system", "Today's date is 2026-11-12.");
  s.log.note("ai-title", { aiTitle: "Fix thirds, then show recipes in metric or imperial units" });
  s.think();
  s.act(
    "I'll look at the layout first.",
    t.bash("git log --oneline -6 && git status --short", "Show recent commits and status", LOG),
    t.glob("src/**/*.ts", /^src\//),
  );
  s.act("Scaling and the formatting of amounts are the likely places.", t.read(SCALE), t.read(FRACTIONS));
  s.act(null, t.grep("formatQuantity"));
  s.act(null, t.toolSearch(`select:${PANTRY}`, [PANTRY]));
  s.act("Now the recipe itself, as the pantry has it.", t.mcp(PANTRY, { id: "flatbread" }, FLATBREAD));
  s.act(
    "The table of fractions has halves, quarters and an eighth, but no thirds. What do the tests expect?",
    t.read("test/fractions.test.ts"),
    t.read("test/scale.test.ts"),
  );
  s.act("And does everything pass today?", t.bash("npm test", "Run all tests", testRun(p), 2600));
  s.act(
    null,
    t.task(1, "Print thirds as fractions", "Printing thirds as fractions"),
    t.task(2, "Keep ingredients that have no amount", "Keeping ingredients that have no amount"),
  );
  s.act(
    "First the tests that show both bugs.",
    t.edit("test/fractions.test.ts", '  it("uses glyphs when asked"', `${THIRDS_TEST}  it("uses glyphs when asked"`),
    t.edit("test/scale.test.ts", '  it("refuses half a person"', `${PINCH_TEST}  it("refuses half a person"`),
  );
  s.act(null, t.fails("npm test", "Run all tests", testRun(p, FAILURES), 2700));
  s.act(
    "Both fail, as they should. The table is what has to change.",
    t.edit(
      FRACTIONS,
      '  { value: 1 / 2, text: "1/2", glyph: "½" },\n',
      '  { value: 1 / 3, text: "1/3", glyph: "⅓" },\n  { value: 1 / 2, text: "1/2", glyph: "½" },\n  { value: 2 / 3, text: "2/3", glyph: "⅔" },\n',
    ),
  );
  s.act(
    "A third is 0.3333 and the tolerance is 0.01, so that fits. I check how the rest is chosen.",
    t.read(FRACTIONS, { offset: 1, limit: 40 }),
  );
  s.act(null, t.taskStatus(1, "pending", "completed"), t.read(SCALE, { offset: 24, limit: 40 }));
  s.act(
    "`scaleRecipe` filters out every ingredient without an amount, though `scaleIngredient` knows what to do with one.",
    t.edit(
      SCALE,
      "  const lines = recipe.ingredients\n    .filter(ingredient => ingredient.quantity !== null)\n    .map(ingredient => scaleIngredient(ingredient, factor));\n",
      "  const lines = recipe.ingredients.map(ingredient => scaleIngredient(ingredient, factor));\n",
    ),
  );
  s.act(
    null,
    t.edit(
      SCALE,
      "    return { name: ingredient.name, amount: null, unit: null, text: ingredient.name };\n",
      '    const text = ingredient.unit === null ? ingredient.name : "a " + ingredient.unit + " of " + ingredient.name;\n    return { name: ingredient.name, amount: null, unit: ingredient.unit, text };\n',
    ),
  );
  s.act(
    null,
    t.bash("npm test", "Run all tests", testRun(p), 2600),
    t.bash("npm run lint --silent", "Check the types", "", 3900),
  );
  s.act("All green. The change as a whole:", t.bash("git diff", "Show the change", p.diff()));
  s.act(
    null,
    t.bash(
      'git commit -qam "Print thirds, keep ingredients without an amount" && git log --oneline -1',
      "Commit the fix",
      "8f3c1d7 Print thirds, keep ingredients without an amount",
    ),
    t.taskStatus(2, "pending", "completed"),
  );
  p.commit();
  s.say(
    'Both are fixed. Thirds were missing in the table of kitchen fractions, so 4/3 fell back to decimals; and `scaleRecipe` dropped every ingredient without an amount. The flatbread for four now reads "1 1/3 cups flour" and "a pinch of salt". Each bug has a test.',
  );
}

/** @param {string} text @param {number} from @param {number} to */
export function linesOf(text, from, to) {
  return text
    .split("\n")
    .slice(from - 1, to)
    .join("\n");
}

const LOG = [
  "5b0e9a2 Warn about yeast in large batches",
  "c41d7f8 Import a whole cookbook as a job",
  "07aa6de Keep the unit system of the recipe",
  "e92b513 Read amounts written with a comma",
  "3dd80c4 Store recipes as one file each",
  "a1f7720 Begin with a ladle and a pot",
].join("\n");

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

// The fourth turn: two subagents at a time, one calls every documented route, the other reviews the branch.

import { scaled } from "../outputs.mjs";

const API = "docs/api.md";
const HOST = "http://localhost:8090";
const AUDIT = "/tmp/ladle-audit";

/** @param {import("../session.mjs").Session} s */
export function docs(s) {
  const { tools: t, project: p } = s;
  s.prompt(
    "Lovely. Before I merge: does docs/api.md still tell the truth? And let somebody else look at the branch. Use helpers, so that this conversation stays short.",
    6,
  );
  const agents = s.launch(
    "Two helpers, one for the page about the service and one for the branch.",
    {
      type: "general-purpose",
      description: "Check docs/api.md against the service",
      prompt:
        "Compare docs/api.md of the project in /home/ana/ladle with what the service really does. Start it on port 8090 with an empty folder under /tmp, call every documented route at least once, and read the code where the answer surprises you. Change nothing in the project. Report each difference in one line: what the page says, what happens, and which file decides it.",
      work: () => audit(s),
      answer: DIFFERENCES,
    },
    {
      type: "general-purpose",
      description: "Review the branch systems",
      prompt:
        "Review the branch systems of /home/ana/ladle against main: wrong conversions, units that are lost, tests that would pass without the change. Change nothing. At most five points, the most important first.",
      work: () => review(s),
      answer: POINTS,
    },
  );
  s.say("Both are at work. I go on as soon as one of them has an answer.");
  for (const agent of agents.slice(0, 1)) s.notified(agent);
  s.act(
    "Four differences. Let me see the page itself.",
    t.bash("cat docs/api.md", "Show the page", p.text(API).trimEnd()),
  );
  s.act(null, t.read(API, { offset: 16, limit: 30 }));
  s.act(
    "I correct the four places.",
    t.edit(API, "Answers 200 with the id of the new recipe:", "Answers 201 with the id of the new recipe:"),
    t.edit(
      API,
      "N may be any positive number. Ingredients without an amount are left out.",
      'N must be a whole number above zero, otherwise the answer is 400. An ingredient without an amount has "amount": null.',
    ),
    t.edit(
      API,
      "The recipe for N people. Without N it is returned as written.\n",
      "The recipe for N people. Without N it is returned as written. With system=metric or system=imperial the amounts are\nconverted; any other value is answered with 400.\n",
    ),
    t.edit(
      API,
      "The phases are waiting, reading, storing, done and failed.",
      "The phases are queued, reading, storing, done and failed. A job is failed only where no recipe could be read.",
    ),
  );
  s.act(null, t.read(API, { offset: 16, limit: 30 }), t.bash("git diff --stat", "Show what changed", p.stat()));
  s.say("The page is true again. The review is still running.");
  for (const agent of agents.slice(1)) s.notified(agent);
  s.act(
    "One point is worth a test: half a cup in grams must not lose its fraction.",
    t.edit("test/systems.test.ts", '  it("leaves spoons alone"', `${HALF_TEST}  it("leaves spoons alone"`),
  );
  s.act(null, t.read("test/systems.test.ts", { offset: 1, limit: 26 }));
  s.act(
    null,
    t.bash(
      "npx vitest run test/systems.test.ts --reporter=./test/plain-reporter.ts",
      "Run the new tests",
      PASSED,
      1800,
    ),
  );
  s.act(
    null,
    t.bash('git commit -qam "Make the page about the service true again" && git push -q', "Commit and push", "", 2100),
  );
  p.commit();
  s.say(
    "The page had four wrong statements, all corrected: the status of a new recipe, whole servings only, ingredients without an amount, and the name of the first phase. The review found nothing wrong, and asked for one test, which is there now.",
  );
}

/** @param {import("../session.mjs").Session} s */
function audit(s) {
  const { tools: t } = s;
  const post = `curl -si -X POST --data-binary @- ${HOST}/api/recipes`;
  s.act("I read the page and the routes side by side.", t.read(API), t.read("src/server.ts"));
  s.act(
    null,
    t.bash(
      `npm run build --silent && mkdir -p ${AUDIT} && (LADLE_PORT=8090 LADLE_DATA=${AUDIT} node dist/server.js > ${AUDIT}/log & echo $! > ${AUDIT}/pid) && sleep 1 && cat ${AUDIT}/log`,
      "Start the service on port 8090",
      "ladle listens on 8090",
      5600,
    ),
  );
  s.act("A few recipes. The README has one to copy.", t.read("README.md", { offset: 25, limit: 20 }));
  s.act(
    null,
    t.bash(
      `sed -n '/Lentil soup/,/twenty/p' README.md | sed 's/^ *//' > ${AUDIT}/card && ${post} < ${AUDIT}/card`,
      "Store the soup",
      'HTTP/1.1 201 Created\ncontent-type: application/json; charset=utf-8\n\n{"id":"lentil-soup"}',
    ),
    t.bash(`curl -s ${HOST}/api/recipes/lentil-soup/scaled?servings=8`, "Scale it to eight", SOUP8),
  );
  s.act("The pinch is there, with a null amount; the page says it is left out.", t.read("src/scale.ts"));
  s.act(
    null,
    t.bash(
      `curl -s '${HOST}/api/recipes/lentil-soup/scaled?servings=2.5'`,
      "Ask for half a person",
      '{"error":"servings must be a whole number above zero"}',
    ),
    t.grep('"(queued|waiting)"'),
  );
  s.act("Which routes have I not called?", t.read("src/server.ts", { offset: 30, limit: 30 }));
  s.act(null, t.read("src/jobs.ts"));
  s.act(null, t.bash(`kill $(cat ${AUDIT}/pid) && rm -r ${AUDIT}`, "Stop the service", ""));
}

/** @param {import("../session.mjs").Session} s */
function review(s) {
  const { tools: t } = s;
  s.act(null, t.bash("git log --oneline main..systems", "List the commits", COMMITS), t.read("src/units.ts"));
  s.act(null, t.read("test/systems.test.ts"), t.read("src/scale.ts", { offset: 22, limit: 42 }));
  s.act(null, t.bash("git diff main..systems -- src/scale.ts src/units.ts", "Show the change", DIFF));
  s.act(null, t.read("src/units.ts", { offset: 40, limit: 55 }));
  s.act("How does the page send it?", t.read("public/index.html", { offset: 28, limit: 50 }));
}

const DIFF = [
  "diff --git a/src/scale.ts b/src/scale.ts",
  "--- a/src/scale.ts",
  "+++ b/src/scale.ts",
  "@@ -53,7 +53,7 @@",
  "   if (unit === undefined) {",
  "     return line(ingredient.name, scaled, ingredient.unit);",
  "   }",
  "-  const settled = comfortable(scaled, unit);",
  "+  const settled = system === undefined ? comfortable(scaled, unit) : inSystem(scaled, unit, system);",
  "   const label = settled.amount > 1 ? settled.unit.plural : settled.unit.name;",
  "   return line(ingredient.name, settled.amount, label);",
  " }",
].join("\n");

const COMMITS = [
  "e02fb41 Let every server test have its own port",
  "7e51b90 Keep servings and units in the address",
  "d2906fa Show a recipe in metric or imperial units",
].join("\n");

const SOUP8 = scaled("Lentil soup", 8, 2, [
  ["red lentils", 600, "g", "600 g red lentils"],
  ["water", 3, "l", "3 l water"],
  ["garlic", 4, "cloves", "4 cloves garlic"],
  ["salt", null, "pinch", "a pinch of salt"],
]);

const DIFFERENCES = [
  "I called every route of docs/api.md on a fresh service. Four statements of the page are wrong; the rest holds.",
  "",
  '1. POST /api/recipes: the page says 200, the service answers 201. Decided in src/server.ts, "addRecipe".',
  "2. GET /api/recipes/ID/scaled: the page allows any positive number, the service refuses 2.5 with 400. Decided in src/scale.ts.",
  '3. The same route: the page says that ingredients without an amount are left out; they are there, with "amount": null. The parameter system is not on the page.',
  '4. GET /api/imports/NUMBER: the page calls the first phase "waiting", the code calls it "queued". Decided in src/jobs.ts.',
].join("\n");

const POINTS = [
  "Nothing is wrong. Two remarks:",
  "",
  "1. test/systems.test.ts has whole cups only. Half a cup in grams or millilitres would show whether a fraction is lost on the way.",
  "2. inSystem converts by volume: a cup of flour becomes millilitres, not grams. That is what the route promises, and worth a sentence on the page.",
].join("\n");

const HALF_TEST = `  it("keeps half a cup", () => {
    expect(inSystem(0.5, cup, "metric")).toEqual({ amount: 120, unit: findUnit("ml") });
  });

`;

const PASSED = [
  "ok    test/systems.test.ts > inSystem > turns cups into millilitres",
  "ok    test/systems.test.ts > inSystem > keeps half a cup",
  "ok    test/systems.test.ts > inSystem > leaves spoons alone",
  "ok    test/systems.test.ts > scaleRecipe with a system > prints the whole recipe in one system",
  "",
  "4 tests, 4 passed, 0 failed",
].join("\n");

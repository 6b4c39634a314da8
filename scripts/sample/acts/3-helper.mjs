// Act 3: a helper compares the documentation with the service, in a context of its own; then the page is put right.

import { scaled } from "../outputs.mjs";

const API = "docs/api.md";
const HOST = "http://localhost:8090";
const AUDIT = "/tmp/ladle-audit";

/** @param {import("../session.mjs").Session} s */
export function helper(s) {
  const { tools: t, project: p } = s;
  s.prompt(
    "Great work. Does docs/api.md still tell the truth? Let a helper check it against the running service, so that this conversation stays short.",
    6,
  );
  s.log.note("last-prompt", {
    lastPrompt: "Great work. Does docs/api.md still tell the truth?",
    leafUuid: s.main.parent,
  });
  s.agent(
    "I'll send a helper through the documented routes one by one.",
    "Check docs/api.md against the service",
    "Compare docs/api.md of the project in /home/ana/ladle with what the service really does. Start it on port 8090 with an empty folder under /tmp, call every documented route at least once, and read the code where the answer surprises you. Change nothing in the project. Report each difference in one line: what the page says, what happens, and which file decides it.",
    () => audit(s),
    ANSWER,
  );
  s.act("Four differences. Let me see the page itself.", t.read(API), t.grep("docs/api", "README.md"));
  s.act(null, t.grep("Phase", "src/jobs.ts"));
  s.act(
    "I correct the four places.",
    t.edit(API, "Answers 200 with the id of the new recipe:", "Answers 201 with the id of the new recipe:"),
  );
  s.act(
    null,
    t.edit(
      API,
      "N may be any positive number. Ingredients without an amount are left out.",
      'N must be a whole number above zero, otherwise the answer is 400. An ingredient without an amount has "amount": null.',
    ),
  );
  s.act(
    null,
    t.edit(API, "Answers 400 where the title", "Answers 400 with a sentence that says what is missing where the title"),
  );
  s.act(
    null,
    t.edit(
      API,
      "The phases are waiting, reading, storing, done and failed.",
      "The phases are queued, reading, storing, done and failed. A job is failed only where no recipe could be read.",
    ),
  );
  s.act(null, t.read(API, { offset: 17, limit: 20 }), t.bash("git diff --stat", p.stat()));
  s.act(null, t.bash('git commit -qam "Make the page about the service true again" && git push -q', "", 2100));
  p.commit();
  s.say(
    "The page had four wrong statements, all corrected and pushed to the same branch: the status of a new recipe (201), whole servings only, ingredients without an amount, and the name of the first phase.",
  );
}

/** The helper's own calls. @param {import("../session.mjs").Session} s */
function audit(s) {
  const { tools: t } = s;
  /** @param {number} status @param {string} body */
  const head = (status, body) => answerOf(s.log.clock, status, body);
  const post = `curl -si -X POST --data-binary @- ${HOST}/api/recipes`;
  s.act("I'll read the page and the routes side by side.", t.read(API), t.read("src/server.ts"));
  s.act(
    null,
    t.bash(
      `npm run build --silent && mkdir -p ${AUDIT} && (LADLE_PORT=8090 LADLE_DATA=${AUDIT} node dist/server.js > ${AUDIT}/log & echo $! > ${AUDIT}/pid) && sleep 1 && cat ${AUDIT}/log`,
      "ladle listens on 8090",
      5600,
    ),
  );
  s.act(null, t.bash(`curl -si ${HOST}/api/health`, head(200, '{"ok":true,"recipes":0}')));
  s.act("Now a few recipes. The README has one to copy.", t.read("README.md", { offset: 25, limit: 20 }));
  s.act(
    null,
    t.bash(
      `sed -n '/Lentil soup/,/twenty/p' README.md | sed 's/^ *//' > ${AUDIT}/card && ${post} < ${AUDIT}/card`,
      head(201, '{"id":"lentil-soup"}'),
    ),
  );
  s.act(
    "That is 201, the page says 200. I note it and store four more.",
    t.bash(
      `for t in 'Barley risotto' 'Plum cake' 'Potato gratin' 'Rye bread'; do sed "1s/.*/$t/" ${AUDIT}/card | curl -s -X POST --data-binary @- ${HOST}/api/recipes; done`,
      '{"id":"barley-risotto"}{"id":"plum-cake"}{"id":"potato-gratin"}{"id":"rye-bread"}',
      900,
    ),
  );
  s.act(null, t.bash(`curl -s ${HOST}/api/recipes`, LIST));
  s.act(null, t.bash(`curl -s ${HOST}/api/recipes/lentil-soup`, SOUP));
  s.act(
    null,
    t.bash(
      `printf 'Toast\\nMethod\\nToast it.' | ${post}`,
      head(400, '{"error":"no ingredients found below an Ingredients heading"}'),
    ),
  );
  s.act("Refused, as the page says. Did it leave anything behind?", t.bash(`curl -s ${HOST}/api/recipes`, LIST));
  s.act("No, the list is as it was. Where does the id come from, and what reads the card?", t.read("src/store.ts"));
  s.act(null, t.read("src/parse.ts"));
  s.act(null, t.bash(`curl -s '${HOST}/api/recipes/lentil-soup/scaled?servings=8'`, SOUP8));
  s.act("The pinch is there, with a null amount; the page says it is left out.", t.read("src/scale.ts"));
  s.act(
    null,
    t.bash(
      `curl -si '${HOST}/api/recipes/lentil-soup/scaled?servings=2.5'`,
      head(400, '{"error":"servings must be a whole number above zero"}'),
    ),
  );
  s.act(null, t.read("src/fractions.ts"), t.read("src/recipe.ts"));
  s.act(null, t.bash(`curl -si '${HOST}/api/recipes/nothing'`, head(404, '{"error":"no such recipe"}')));
  s.act("Now the imports.", t.read("src/jobs.ts"), t.read("src/config.ts"));
  s.act(
    null,
    t.bash(
      `(cat ${AUDIT}/card; echo ===; sed '1s/.*/Pea soup/' ${AUDIT}/card) | curl -s -X POST --data-binary @- ${HOST}/api/imports`,
      '{"id":1}',
    ),
  );
  s.act(null, t.bash(`curl -s ${HOST}/api/imports/1`, '{"id":1,"phase":"done","total":2,"done":2,"problems":[]}'));
  s.act(null, t.grep('"(queued|waiting)"'));
  s.act(null, t.read("test/server.test.ts"));
  s.act(null, t.bash(`head -c 300000 /dev/zero | ${post} | head -1`, "HTTP/1.1 413 Payload Too Large"));
  s.act(null, t.bash(`kill $(cat ${AUDIT}/pid) && rm -r ${AUDIT}`, ""));
}

/** @param {number} clock @param {number} status @param {string} body */
function answerOf(clock, status, body) {
  const name = { 200: "OK", 201: "Created", 400: "Bad Request", 404: "Not Found" }[status];
  const lines = [
    `HTTP/1.1 ${status} ${name}`,
    "content-type: application/json; charset=utf-8",
    `Date: ${new Date(clock).toUTCString()}`,
    "Connection: keep-alive",
    "Keep-Alive: timeout=5",
    "Transfer-Encoding: chunked",
  ];
  return [...lines, "", body].join("\n");
}

const LIST = JSON.stringify(
  ["Barley risotto", "Lentil soup", "Plum cake", "Potato gratin", "Rye bread"].map(title => ({
    id: title.toLowerCase().replace(" ", "-"),
    title,
    servings: 4,
  })),
);

const SOUP = JSON.stringify({
  id: "lentil-soup",
  title: "Lentil soup",
  servings: 4,
  ingredients: [
    { quantity: 300, unit: "g", name: "red lentils" },
    { quantity: 1.5, unit: "l", name: "water" },
    { quantity: 2, unit: "clove", name: "garlic", note: "crushed" },
    { quantity: null, unit: "pinch", name: "salt" },
  ],
  steps: ["Boil everything for twenty minutes."],
});

const SOUP8 = scaled("Lentil soup", 8, 2, [
  ["red lentils", 600, "g", "600 g red lentils"],
  ["water", 3, "l", "3 l water"],
  ["garlic", 4, "cloves", "4 cloves garlic"],
  ["salt", null, "pinch", "a pinch of salt"],
]);

const ANSWER = [
  "I called every route of docs/api.md on a fresh service. Four statements of the page are wrong; the rest holds.",
  "",
  '1. POST /api/recipes: the page says 200, the service answers 201. Decided in src/server.ts, "addRecipe".',
  "2. GET /api/recipes/ID/scaled: the page allows any positive number, the service refuses 2.5 with 400. Decided in src/scale.ts, the first check of scaleRecipe.",
  '3. The same route: the page says that ingredients without an amount are left out; they are there, with "amount": null, since the last commit in src/scale.ts.',
  '4. GET /api/imports/NUMBER: the page calls the first phase "waiting", the code calls it "queued". Decided in src/jobs.ts, type Phase.',
  "",
  "Also worth a sentence on the page: a job is marked failed only where not a single recipe could be read.",
].join("\n");

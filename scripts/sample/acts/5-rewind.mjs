// Act 5: the page shall remember its switch. Ana does not like the first way, goes back, and asks for another one.

import { pantryRecipe, testRun } from "../outputs.mjs";

const PAGE = "public/index.html";
const SCRIPT = "sed -n '/<script/,/<.script>/p' public/index.html";
const SCONES = pantryRecipe("scones", "Scones for a rainy Sunday", 6, [
  "3 cups flour",
  "1 tbsp baking powder",
  "3/4 cup cold butter, in cubes",
  "2/3 cup milk",
  "a dash of lemon juice",
]);

/** @param {import("../session.mjs").Session} s */
export function rewound(s) {
  const { tools: t, project: p } = s;
  const mark = s.mark();
  const before = p.text(PAGE);
  s.prompt("Nice! When I reload the page it forgets the switch. Please let it remember.", 5);
  s.act("The script of the page is short; let me see it as a whole.", t.bash(SCRIPT, scriptOf(before)));
  s.act(
    "I keep the choice in the browser's own storage.",
    t.edit(
      PAGE,
      '      const system = document.querySelector("#system");\n',
      '      const system = document.querySelector("#system");\n      system.value = localStorage.getItem("system") ?? "";\n',
    ),
  );
  s.act(
    null,
    t.edit(
      PAGE,
      '      system.addEventListener("change", show);\n',
      '      system.addEventListener("change", () => {\n        localStorage.setItem("system", system.value);\n        show();\n      });\n',
    ),
  );
  s.act(null, t.bash("npm test", testRun(p), 2600));
  s.say("Done: the page keeps the choice in the browser's storage and restores it on the next visit.");

  s.rewind(mark);
  p.files.set(PAGE, before);
  s.prompt(
    "When I reload the page it forgets the switch. Please put it into the address, next to the recipe, so that I can send my sister a link that opens in cups.",
    3,
  );
  s.act("Then the address is the place to read it from and to write it to.", t.bash(SCRIPT, scriptOf(before)));
  s.act(
    null,
    t.edit(
      PAGE,
      '      const id = new URLSearchParams(location.search).get("recipe") ?? "";\n',
      '      const address = new URLSearchParams(location.search);\n      const id = address.get("recipe") ?? "";\n',
    ),
  );
  s.act(
    null,
    t.edit(
      PAGE,
      '      const system = document.querySelector("#system");\n',
      '      const system = document.querySelector("#system");\n      system.value = address.get("system") ?? "";\n      servings.value = address.get("servings") ?? servings.value;\n',
    ),
  );
  s.act(
    null,
    t.edit(
      PAGE,
      "        if (!answer.ok) {\n",
      '        history.replaceState(null, "", "?recipe=" + encodeURIComponent(id) + "&" + query);\n        if (!answer.ok) {\n',
    ),
  );
  s.act(
    "The same recipe your sister asked about, as a test of the link:",
    t.mcp("mcp__pantry__get_recipe", { id: "scones" }, SCONES),
  );
  s.act(null, t.bash("grep -c 'address.get' public/index.html", "3", 200));
  s.act(null, t.bash("npm test", testRun(p), 2600), t.bash("npm run lint --silent", "", 3900));
  s.act(null, t.bash("git diff", p.diff()));
  s.act("Did looking at it change anything in the pantry?", t.mcp("mcp__pantry__get_recipe", { id: "scones" }, SCONES));
  s.act(
    null,
    t.bash(
      'git commit -qam "Keep servings and units in the address" && git log --oneline -1',
      "7e51b90 Keep servings and units in the address",
    ),
  );
  p.commit();
  s.say(
    "The address now carries recipe, servings and system, and the page opens the way the link says. Your sister's link would be `/?recipe=scones&servings=6&system=imperial`.",
  );
}

/** @param {string} page */
function scriptOf(page) {
  return page.slice(page.indexOf("    <script"), page.indexOf("</script>") + "</script>".length);
}

// Act 7: after a long lunch the context is smaller and no line says why. The work is finished and goes out.

import { checks, testRun } from "../outputs.mjs";

const README = "README.md";

/** @param {import("../session.mjs").Session} s */
export function afterLunch(s) {
  const { tools: t, project: p } = s;
  s.log.note("session-weather", { note: "a line of a kind no reader knows yet", value: 3 });
  s.shrink(0.55);
  s.prompt(
    "Back from lunch. It looks good, please commit. Then write a changelog, call it 0.7.0, say something about units and links in the README, and open a pull request.",
    64,
  );
  s.log.note("last-prompt", { lastPrompt: "Back from lunch. It looks good, please commit.", leafUuid: s.main.parent });
  s.act("Are we still green?", t.bash("npm test", testRun(p), 2700));
  s.act(
    null,
    t.bash(
      'git add -A && git commit -qm "Say how long an import takes, read old headings" && git log --oneline -4',
      NEWS,
    ),
  );
  p.commit();
  s.act("Now the texts. The README first.", t.read(README));
  s.act(
    null,
    t.edit(
      README,
      "Units may be metric or imperial; ladle keeps the system of the recipe.\n",
      `Units may be metric or imperial; ladle keeps the system of the recipe.\n${UNITS}`,
    ),
  );
  s.act(
    null,
    t.edit(
      README,
      "ask /api/imports/NUMBER how far it is.\n",
      "ask /api/imports/NUMBER how far it is and how many seconds it will\nprobably take.\n",
    ),
  );
  s.act(null, t.write("CHANGELOG.md", CHANGES));
  s.act(
    null,
    t.read("package.json", { offset: 1, limit: 8 }),
    t.edit("package.json", '"version": "0.6.2"', '"version": "0.7.0"'),
  );
  s.act("Does the new text read well as a whole?", t.read(README));
  s.act(
    "Before I go on: is the committed state sound on its own, without these texts?",
    t.bash("git stash -q && npm run lint --silent && npm run build --silent; git stash pop -q", "", 8200),
  );
  s.act("It is. The stash touched the file, so I read it once more before the last sentence.", t.read(README));
  s.act(
    null,
    t.edit(
      README,
      "- It does not change the size of your pot.\n",
      "- It does not change the size of your pot.\n- It does not wash up.\n",
    ),
  );
  s.act(null, t.bash("npm run lint --silent", "", 3900), t.bash("npm test", testRun(p), 2700));
  s.act(null, t.bash("git diff", p.diff()));
  s.act(null, t.grep("system=", "docs"), t.read("docs/api.md", { offset: 28, limit: 22 }));
  s.act(
    "The page about the service should know the new parameter as well.",
    t.edit(
      "docs/api.md",
      "The recipe for N people. Without N it is returned as written.\n",
      "The recipe for N people. Without N it is returned as written. With system=metric or system=imperial the amounts are\nconverted; any other value is answered with 400.\n",
    ),
  );
  s.act(null, t.edit("docs/api.md", '"done": 41, "problems": []}', '"done": 41, "secondsLeft": 96, "problems": []}'));
  const [green = ""] = s.act(
    "Nothing in the code changed, but the suite is quick.",
    t.bash("npm test", testRun(p), 2700),
  );
  s.act(
    null,
    t.bash(
      'git add -A && git commit -qm "Prepare 0.7.0" && git push -q -u origin systems && gh pr create --fill',
      "https://github.com/ana/ladle/pull/19",
      4600,
    ),
  );
  p.commit();
  for (let round = 0; round < 3; round++)
    s.act(null, t.bash("sleep 45; gh pr checks 19", checks(51417, "pending", "0"), 46_000));
  s.act(null, t.bash("sleep 45; gh pr checks 19", checks(51417, "pass", "39s"), 46_000));
  s.say(
    "Everything is committed, and pull request 19 is green: thirds and pinches, quiet ports, units by request, links that remember, imports that say how long they take. The changelog for 0.7.0 lists them in plain words. Enjoy the scones.",
  );
  s.prompt(
    "Wonderful. I have just switched on live hints: a result that repeats an earlier one to the byte now comes as a short reference. Could you run the tests a last time before I merge?",
    3,
  );
  s.act(null, t.bash("npm test", `> [ref: ${green}, byte-identical, from: Bash(npm test)]`, 2600));
  s.say("The result is byte for byte the one from before the pull request, and that one was green. You can merge.");
  s.log.note("ai-title", { aiTitle: "ladle 0.7.0: thirds, units and a cookbook" });
  s.log.note("last-prompt", { lastPrompt: "Back from lunch. It looks good, please commit.", leafUuid: s.main.parent });
}

const NEWS = [
  "b6d0c3e Say how long an import takes, read old headings",
  "7e51b90 Keep servings and units in the address",
  "d2906fa Show a recipe in metric or imperial units",
  "41c7be0 Let every server test have its own port (#18)",
].join("\n");

const UNITS = `
Add system=metric or system=imperial to see a recipe in the other system. The page has a switch for it and keeps the
choice in its address, together with the servings: a link opens the recipe the way you saw it.
`;

const CHANGES = `# Changes

## 0.7.0

- Thirds are printed as thirds: 1 1/3 cups, not 1.333 cups.
- An ingredient without an amount, such as a pinch of salt, stays in the scaled recipe.
- A recipe can be shown in metric or imperial units, whichever it was written in.
- The address of the page carries the servings and the units, so that a link can be shared.
- An import says how many seconds it will probably take.
- The headings "You need" and "How to" are understood.
- The tests no longer fight over one port.

## 0.6.2

- Warns that yeast does not scale in a straight line.
`;

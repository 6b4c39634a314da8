// The third turn, after a compaction: the switch on the page, and a second bug that only CI shows. Two logs have most of
// their lines in common.

import { checks, ciLog, ciRuns, testRun } from "../outputs.mjs";
import { Project } from "../project.mjs";
import { SUMMARY } from "./2-texts.mjs";

const PAGE = "public/index.html";
const TEST = "test/server.test.ts";
const BUSY = "Error: listen EADDRINUSE: address already in use :::8099\nat test/server.test.ts:28:14";
const STRIP = "--log-failed | cut -f3- | cut -c30-";

/** @param {import("../session.mjs").Session} s */
export function page(s) {
  const { tools: t, project: p } = s;
  s.log.wait(90_000);
  s.compact(SUMMARY, ["src/units.ts"]);
  s.prompt(
    "Now the page, please. And let the address carry servings and units, so that I can send my sister a link.",
    1,
  );
  s.act(null, t.read(PAGE), t.read("src/server.ts", { offset: 84, limit: 34 }));
  s.act(
    "A third position, as written, is the default.",
    t.edit(
      PAGE,
      'max="400" value="4" /></label>\n',
      'max="400" value="4" /></label>\n      <label>Units\n        <select id="system">\n          <option value="">as written</option>\n          <option value="metric">metric</option>\n          <option value="imperial">imperial</option>\n        </select>\n      </label>\n',
    ),
    t.edit(
      PAGE,
      '      const id = new URLSearchParams(location.search).get("recipe") ?? "";\n      const servings = document.querySelector("#servings");\n',
      '      const address = new URLSearchParams(location.search);\n      const id = address.get("recipe") ?? "";\n      const servings = document.querySelector("#servings");\n      const system = document.querySelector("#system");\n      system.value = address.get("system") ?? "";\n      servings.value = address.get("servings") ?? servings.value;\n',
    ),
    t.edit(
      PAGE,
      "{ servings: servings.value });\n",
      '{ servings: servings.value });\n        if (system.value !== "") query.set("system", system.value);\n',
    ),
  );
  s.act(
    null,
    t.edit(
      PAGE,
      "        if (!answer.ok) {\n",
      '        history.replaceState(null, "", "?recipe=" + encodeURIComponent(id) + "&" + query);\n        if (!answer.ok) {\n',
    ),
    t.edit(
      PAGE,
      'servings.addEventListener("input", show);\n',
      'servings.addEventListener("input", show);\n      system.addEventListener("change", show);\n',
    ),
  );
  s.act("I read the script once more as a whole.", t.read(PAGE, { offset: 18, limit: 58 }));
  s.act(null, t.bash("npm test", "Run all tests", testRun(p), 2600), t.bash("git diff", "Show the change", p.diff()));
  s.act(
    null,
    t.bash(
      'git commit -qam "Keep servings and units in the address" && git push -q -u origin systems && gh pr create --fill',
      "Commit, push and open a pull request",
      "https://github.com/ana/ladle/pull/18",
      4100,
    ),
  );
  p.commit();
  s.act(
    "Now the build has the word.",
    t.bash("gh pr checks 18", "Look at the build", checks(51402, "pending", "0"), 1300),
  );
  s.act(null, t.bash("gh pr checks 18", "Look at the build", checks(51402, "pending", "0"), 31_300));
  s.act(null, t.bash("gh pr checks 18 --watch | tail -4", "Wait for the build", checks(51402, "fail", "38s"), 46_000));
  ports(s);
}

/** @param {import("../session.mjs").Session} s */
function ports(s) {
  const { tools: t, project: p } = s;
  const log = (/** @type {string} */ commit, /** @type {string} */ node, /** @type {string} */ test) =>
    ciLog(commit, node, testRun(new Project(), { [test]: BUSY }));
  s.act(
    "Red, though all tests pass here. Was it red before?",
    t.bash("gh run list --workflow ci --limit 6", "List the last builds", RUNS, 1100),
  );
  s.act(
    "Every third build is. I compare two of the logs.",
    t.bash(
      `gh run view 51388 ${STRIP}`,
      "Show what failed in the build of two days ago",
      log("5b0e9a2 Warn about yeast in large batches", "20.19.3", "is healthy"),
      1900,
    ),
  );
  s.act(
    null,
    t.bash(
      `gh run view 51379 ${STRIP}`,
      "Show what failed eight days ago",
      log("07aa6de Keep the unit system of the recipe", "22.17.0", "answers 404 for a recipe nobody wrote"),
      1900,
    ),
  );
  s.think();
  s.act("The same error in two different tests: the port is still taken.", t.read(TEST, { offset: 1, limit: 50 }));
  s.act("Where else is the port used?", t.grep("PORT", "test"), t.read(TEST, { offset: 24, limit: 70 }));
  s.act(
    "`close()` is not awaited, and every test uses port 8099. I let the system choose a free port and wait for both ends.",
    t.edit(
      TEST,
      '  app = createApp({ port: PORT, dataDir: folder, maxBody: 10_000 });\n  app.server.listen(PORT);\n  base = "http://127.0.0.1:" + String(PORT);\n',
      '  app = createApp({ port: 0, dataDir: folder, maxBody: 10_000 });\n  app.server.listen(0);\n  await once(app.server, "listening");\n  base = "http://127.0.0.1:" + String((app.server.address() as AddressInfo).port);\n',
    ),
    t.edit(TEST, "  app.server.close();\n", '  app.server.close();\n  await once(app.server, "close");\n'),
  );
  s.act(
    null,
    t.edit(
      TEST,
      "    const port = (app.server.address() as AddressInfo).port;\n    expect(port).toBe(PORT);\n",
      "    expect(await started.json()).toEqual({ id: 1 });\n",
    ),
    t.edit(TEST, "const PORT = 8099;\n", ""),
    t.edit(TEST, "import { mkdtemp", 'import { once } from "node:events";\nimport { mkdtemp'),
  );
  s.act("As it is now:", t.read(TEST, { offset: 1, limit: 64 }));
  s.act(null, t.bash("npm test", "Run all tests", testRun(p), 2600));
  s.act(
    null,
    t.bash(
      "for i in $(seq 40); do nice npx vitest run test/server.test.ts --silent > /dev/null 2>&1 && echo ok || echo red; done | sort | uniq -c",
      "Run the server tests forty times",
      "     40 ok",
      98_000,
    ),
  );
  s.act(
    null,
    t.bash('git commit -qam "Let every server test have its own port" && git push -q', "Commit and push", "", 2300),
  );
  p.commit();
  s.act(null, t.bash("gh pr checks 18 --watch | tail -4", "Wait for the build", checks(51405, "pass", "41s"), 46_000));
  s.say(
    "The page has its switch, and the address carries recipe, servings and units: `/?recipe=scones&servings=6&system=imperial` opens in cups. The red build was an old one: every server test used port 8099 and did not wait for the one before to let go of it. That is fixed in a commit of its own, forty runs are green, and so is pull request 18.",
  );
}

const RUNS = ciRuns([
  ["failure", "Keep servings and units in the address", "systems", 51402, "1m"],
  ["success", "Warn about yeast in large batches", "main", 51391, "2d"],
  ["failure", "Warn about yeast in large batches", "main", 51388, "2d"],
  ["success", "Import a whole cookbook as a job", "main", 51384, "5d"],
  ["failure", "Keep the unit system of the recipe", "main", 51379, "8d"],
  ["success", "Keep the unit system of the recipe", "systems", 51377, "8d"],
]);

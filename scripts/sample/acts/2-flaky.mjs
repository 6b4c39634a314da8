// Act 2: the build that is red every third time. Long logs with much in common, overlapping reads, a poll.

import { checks, ciLog, ciRuns, testRun } from "../outputs.mjs";
import { HISTORY } from "../picture.mjs";
import { Project } from "../project.mjs";

const TEST = "test/server.test.ts";
const BUSY = "Error: listen EADDRINUSE: address already in use :::8099\nat test/server.test.ts:28:14";
const STRIP = "--log-failed | cut -f3- | cut -c30-";

/** Gives back the ids of its long logs and polls. @param {import("../session.mjs").Session} s */
export function flaky(s) {
  const { tools: t, project: p } = s;
  s.prompt(
    "Lovely, thank you. Next: CI is red every third run and a re-run makes it green. I saved a picture of the last builds in docs/ci-history.png. Please find the reason, I don't want a retry.",
    4,
  );
  s.act("Let me look at the picture and at the list of runs.", t.image("docs/ci-history.png", HISTORY, 320, 120));
  s.act(null, t.bash("gh run list --workflow ci --limit 8", RUNS, 1100));
  const log = (/** @type {string} */ commit, /** @type {string} */ node, /** @type {string} */ test) =>
    ciLog(commit, node, testRun(new Project(), { [test]: BUSY }));
  const first = s.act(
    "Four reds among the last builds, on both versions of Node. I'll compare two of the logs.",
    t.bash(
      `gh run view 51388 ${STRIP}`,
      log("5b0e9a2 Warn about yeast in large batches", "20.19.3", "is healthy"),
      1900,
    ),
  );
  const second = s.act(
    null,
    t.bash(
      `gh run view 51379 ${STRIP}`,
      log("07aa6de Keep the unit system of the recipe", "22.17.0", "answers 404 for a recipe nobody wrote"),
      1900,
    ),
  );
  s.think(
    "Same error, different test: the port is still taken by the server of the test before. Look at set-up and tear-down.",
  );
  s.act(
    "The same error in two different tests: the port is still taken. So one test does not let go of it in time.",
    t.read(TEST),
  );
  s.act(null, t.read("src/server.ts", { offset: 1, limit: 62 }));
  s.act(null, t.read("src/server.ts", { offset: 34, limit: 60 }));
  s.act(null, t.read(".github/workflows/ci.yml"), t.read("src/config.ts"));
  s.act(
    "Can I see it here? Twelve runs in a row, with a busy machine beside it.",
    t.fails(
      "for i in $(seq 12); do nice npx vitest run test/server.test.ts --silent > /tmp/run-$i.log 2>&1 || exit 1; done",
      "",
      31_000,
    ),
  );
  s.act(null, t.bash("grep -l EADDRINUSE /tmp/run-*.log | wc -l && ls /tmp/run-*.log | wc -l", "1\n5"));
  s.act(
    "Yes: the fifth run failed with the same error. Did another build finish meanwhile?",
    t.bash("gh run list --workflow ci --limit 8", RUNS, 1100),
  );
  s.act(
    null,
    t.refused(
      "Edit",
      { file_path: s.where(TEST), old_string: "afterEach(() => {\n  app.server.close();\n});", new_string: "" },
      "String to replace not found in file.",
    ),
  );
  s.act("The tear-down is asynchronous already; I misremembered it.", t.read(TEST, { offset: 1, limit: 42 }));
  s.act(
    "`close()` is not awaited, and every test uses port 8099. I let the system choose a free port and wait for both ends.",
    t.edit(
      TEST,
      '  app = createApp({ port: PORT, dataDir: folder, maxBody: 10_000 });\n  app.server.listen(PORT);\n  base = "http://127.0.0.1:" + String(PORT);\n',
      '  app = createApp({ port: 0, dataDir: folder, maxBody: 10_000 });\n  app.server.listen(0);\n  await once(app.server, "listening");\n  base = "http://127.0.0.1:" + String((app.server.address() as AddressInfo).port);\n',
    ),
  );
  s.act(null, t.edit(TEST, "  app.server.close();\n", '  app.server.close();\n  await once(app.server, "close");\n'));
  s.act(
    null,
    t.edit(
      TEST,
      "    const port = (app.server.address() as AddressInfo).port;\n    expect(port).toBe(PORT);\n",
      "    expect(await started.json()).toEqual({ id: 1 });\n",
    ),
  );
  s.act(
    null,
    t.edit(TEST, "const PORT = 8099;\n", ""),
    t.edit(TEST, "import { mkdtemp", 'import { once } from "node:events";\nimport { mkdtemp'),
  );
  s.act("Now the whole suite.", t.bash("npm test", testRun(p), 2600));
  s.act(
    null,
    t.bash(
      "for i in $(seq 40); do nice npx vitest run test/server.test.ts --silent > /dev/null 2>&1 && echo ok || echo red; done | sort | uniq -c",
      "     40 ok",
      98_000,
    ),
  );
  s.act(
    "Forty of forty. One more thing to rule out: does a request that is still open keep the folder busy when it is removed?",
    t.read("src/store.ts"),
    t.read("src/jobs.ts"),
  );
  s.act(null, t.grep("void (this|answer)", "src"));
  s.act(
    "An import keeps writing after the test has ended. The test should wait until the job is done, or the folder comes back.",
    t.edit(
      TEST,
      "    expect(await started.json()).toEqual({ id: 1 });\n",
      '    expect(await started.json()).toEqual({ id: 1 });\n    await vi.waitFor(() => expect(app.jobs.get(1)?.phase).toBe("done"));\n    expect(app.store.size).toBe(2);\n',
    ),
  );
  s.act(null, t.edit(TEST, "beforeEach, describe, expect, it }", "beforeEach, describe, expect, it, vi }"));
  s.act(null, t.bash("npm test", testRun(p), 2600), t.bash("npm run lint --silent", "", 3900));
  s.log.branch = "quiet-ports";
  s.act(null, t.bash("git checkout -qb quiet-ports && git diff --stat", p.stat()));
  s.act(null, t.bash("git diff", p.diff()));
  s.act(
    null,
    t.bash(
      'git commit -qam "Let every server test have its own port" && git push -q -u origin quiet-ports && gh pr create --fill',
      "https://github.com/ana/ladle/pull/18",
      4100,
    ),
  );
  p.commit();
  s.act("Now the build has the word.", t.bash("sleep 45; gh pr checks 18", checks(51402, "pending", "0"), 46_000));
  s.act(null, t.bash("sleep 45; gh pr checks 18", checks(51402, "pending", "0"), 46_000));
  s.act(null, t.bash("sleep 45; gh pr checks 18", checks(51402, "pending", "0"), 46_000));
  const last = s.act(null, t.bash("sleep 45; gh pr checks 18", checks(51402, "pass", "41s"), 46_000));
  s.say(
    "The flaky test is explained and fixed: every server test listened on port 8099 and did not wait for the one before to let go. Each test now gets a free port and waits for both ends. I also found that the import test left before its job was done. Forty runs in a row are green here, and pull request 18 is green on both versions of Node.",
  );
  return [...first, ...second, ...last];
}

const RUNS = ciRuns([
  ["success", "Warn about yeast in large batches", "main", 51391, "2d"],
  ["failure", "Warn about yeast in large batches", "main", 51388, "2d"],
  ["success", "Import a whole cookbook as a job", "main", 51384, "5d"],
  ["success", "Import a whole cookbook as a job", "import-job", 51382, "5d"],
  ["failure", "Keep the unit system of the recipe", "main", 51379, "8d"],
  ["success", "Keep the unit system of the recipe", "systems", 51377, "8d"],
  ["success", "Read amounts written with a comma", "main", 51370, "12d"],
  ["failure", "Read amounts written with a comma", "commas", 51366, "12d"],
]);

/** No hint may ever point at something missing, and no model may get stuck: the cases in which that could happen. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";
import { say, type ToolUse, turn, use } from "./rig/api.js";
import { aside, bash, cat, TEXT } from "./rig/calls.js";
import { dangling, hintsIn, outcomesOf, resultsIn } from "./rig/requests.js";
import { type Session, Workplace } from "./rig/workplace.js";

const OTHER = TEXT.replaceAll("line", "row");

describe("live hints", () => {
  let place: Workplace;

  beforeEach(async () => {
    place = new Workplace();
    place.write("a.txt", TEXT);
    place.write("b.txt", OTHER);
    await place.turnHooksOn();
  });

  afterEach(() => place.remove());

  const outcomes = ({ requests }: Session, calls: readonly ToolUse[], conversation?: string) =>
    outcomesOf(requests, calls, conversation);

  const sound = ({ requests }: Session) => {
    expect(dangling(requests)).toEqual([]);
    expect(place.complaints).toBe("");
  };

  it("of whole results never refer to what was read before an edit of the file", async () => {
    // Runs of lines are compared line by line: an edit removes none.
    await place.turnHooksOn("--no-runs");
    const file_path = place.file("a.txt");
    const read = () => use("Read", { file_path });
    const edit = (old_string: string, new_string: string) => turn(use("Edit", { file_path, old_string, new_string }));
    const calls = [read(), read(), read(), read(), read()] as const;
    const [first, second, changed, back, last] = calls;
    const session = await place.play({
      main: [
        turn(first),
        aside(),
        turn(second),
        edit("line 3 of", "LINE 3 of"),
        turn(changed),
        edit("LINE 3 of", "line 3 of"),
        turn(back),
        aside(),
        turn(last),
      ],
    });
    // The fourth text equals the first, which an edit has made stale: it is given in full and replaces it.
    expect(outcomes(session, calls)).toEqual(["full", "= 1", "full", "full", "= 4"]);
    sound(session);
  });

  it("of whole results take an edit in the same message into account", async () => {
    await place.turnHooksOn("--no-runs");
    const file_path = place.file("a.txt");
    const [first, again] = [use("Read", { file_path }), use("Read", { file_path })];
    const edit = (old_string: string, new_string: string) => use("Edit", { file_path, old_string, new_string });
    const session = await place.play({
      main: [turn(first), aside(), turn(edit("line 3 of", "LINE 3 of"), edit("LINE 3 of", "line 3 of"), again)],
    });
    expect(outcomes(session, [first, again])).toEqual(["full", "full"]);
    sound(session);
  });

  it("never point at another call of the same message", async () => {
    const pair = [cat(), cat(), use("Bash", { command: "sleep 1; cat a.txt" })] as const;
    const later = [cat(), cat()] as const;
    const session = await place.play({ main: [turn(...pair), aside(), turn(...later)] });
    // Which of the three is logged first is random.
    expect(outcomes(session, [...pair, ...later])).toEqual([
      "full",
      "full",
      "full",
      ...Array(2).fill(expect.stringMatching(/^= [123]$/)),
    ]);
    sound(session);
  });

  it("give the whole text to a model that asks again, and keep doing so", async () => {
    const calls = [cat(), cat(), bash("cat ./a.txt"), cat(), cat()] as const;
    const [first, hinted, again, once, more] = calls;
    const turns = [turn(first), aside(), turn(hinted), turn(again), aside(), turn(once), aside(), turn(more)];
    const session = await place.play({ main: turns });
    expect(outcomes(session, calls)).toEqual(["full", "= 1", "full", "full", "full"]);
    sound(session);
    const report = JSON.parse(await place.dedup("report", place.logs.main, "--json", "--events"));
    const events = report.sessions[0].contexts[0].events as { kind: string; id: string; hint?: string }[];
    const reasks = events.filter(({ kind }) => kind === "reask");
    expect(reasks.map(({ id, hint }) => [id, hint])).toEqual([[again.id, hinted.id]]);
  });

  it("ignore errors, small results and pictures", async () => {
    const failing = [bash(`cat a.txt; exit 3`), bash(`cat a.txt; exit 3`)] as const;
    const small = [bash("echo small"), bash("echo small")] as const;
    const file_path = join(REPOSITORY, "media", "icon.png");
    const pictures = [use("Read", { file_path }), use("Read", { file_path })] as const;
    const calls = [...failing, ...small, ...pictures];
    const session = await place.play({ main: calls.flatMap(call => [turn(call), aside()]) });
    expect(outcomes(session, calls)).toEqual(calls.map(() => "full"));
    sound(session);
  });

  it("ignore results that were spilled to a file", async () => {
    const calls = [bash("seq 1 20000"), bash("seq 1 20000")] as const;
    const session = await place.play({ main: calls.flatMap(call => [turn(call), aside()]) });
    expect(outcomes(session, calls)).toEqual(["full", "full"]);
    expect([...resultsIn(session.requests.at(-1) ?? ({} as never)).values()].join()).toContain("<persisted-output>");
    sound(session);
  });

  it("do not reach across a compaction, except to what it kept", async () => {
    const calls = [cat(), cat(), bash("cat b.txt"), cat(), bash("cat b.txt"), cat()] as const;
    const [first, hinted, newest, after, kept, last] = calls;
    // This answer makes the context too large: the compaction keeps it and its result.
    const grown = { ...turn(newest), inputTokens: 160_000 };
    const session = await place.play(
      { main: [turn(first), aside(), turn(hinted), grown, turn(after), turn(kept), turn(last)] },
      { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" } },
    );
    expect(session.requests.map(({ conversation }) => conversation)).toContain("summary");
    expect(hintsIn(session.requests).get(hinted.id)).toBe(first.id);
    expect(outcomes(session, calls)).toEqual(["gone", "gone", "full", "full", "= 3", "= 4"]);
    sound(session);
  });

  it("work in a subagent, which knows nothing of the main conversation", async () => {
    const [outside, first, again] = [cat(), cat(), cat()];
    const agent = use("Agent", {
      description: "look",
      prompt: "script:sub look at it",
      subagent_type: "general-purpose",
      run_in_background: false,
    });
    const session = await place.play({
      main: [turn(outside), turn(agent), aside(), aside(), say("waited")],
      sub: [turn(first), aside(), turn(again), say("seen")],
    });
    expect(outcomes(session, [outside])).toEqual(["full"]);
    expect(outcomes(session, [first, again], "sub")).toEqual(["full", "= 1"]);
    sound(session);
  });

  it("start over when a session is resumed", async () => {
    const calls = [cat(), cat(), cat(), cat()] as const;
    const [first, hinted, resumed, last] = calls;
    const session = await place.play(
      { main: [turn(first), aside(), turn(hinted), say("so far"), turn(resumed), aside(), turn(last), say("end")] },
      { prompts: ["script:main go", "go on"] },
    );
    expect(outcomes(session, calls)).toEqual(["full", "= 1", "full", "= 3"]);
    sound(session);
  });

  it("are given for an MCP server's results too", async () => {
    const server = join(REPOSITORY, "test", "claude", "rig", "mcpServer.mjs");
    const mcpServers = { board: { command: process.execPath, args: [server] } };
    const config = place.write("mcp.json", JSON.stringify({ mcpServers }));
    const calls = [use("mcp__board__status", {}), use("mcp__board__status", {})] as const;
    const script = { main: [turn(calls[0]), aside(), turn(calls[1])] };
    const session = await place.play(script, { args: ["--mcp-config", config] });
    expect(outcomes(session, calls)).toEqual(["full", "= 1"]);
    sound(session);
  });

  it("do not prevent other hooks from running", async () => {
    const seen = join(place.project, "seen.txt");
    const settings = JSON.parse(readFileSync(join(place.config, "settings.json"), "utf8"));
    const other = { matcher: "Bash", hooks: [{ type: "command", command: `echo ran >> '${seen}'` }] };
    place.settings({ ...settings, hooks: { ...settings.hooks, PostToolUse: [other, ...settings.hooks.PostToolUse] } });
    const calls = [cat(), cat()] as const;
    const session = await place.play({ main: [turn(calls[0]), aside(), turn(calls[1])] });
    expect(outcomes(session, calls)).toEqual(["full", "= 1"]);
    expect(readFileSync(seen, "utf8")).toBe("ran\n".repeat(3));
  });

  it("are gone without a trace when they are turned off", async () => {
    await place.dedup("hooks", "uninstall", "--yes");
    expect(existsSync(join(place.config, "settings.json"))).toBe(false);
    const calls = [cat(), cat()] as const;
    const session = await place.play({ main: [turn(calls[0]), aside(), turn(calls[1])] });
    expect(outcomes(session, calls)).toEqual(["full", "full"]);
    expect(place.ownFiles).toEqual([]);
  });
});

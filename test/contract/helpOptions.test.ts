/** The help is correct: every option in it is accepted and has an effect, and nothing else is accepted. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HELP } from "../../src/cli/help.js";
import { main } from "../../src/cli/main.js";
import { hookSettings } from "../../src/hook/hookSettings.js";
import { built, Place } from "../support/cli.js";
import { answer, call, logText, read, result, textOf } from "../support/log.js";

/** The options that a command's help lists, each with a value if it takes one. */
function optionsOf(command: string): { name: string; value: string | undefined }[] {
  const found = [...(HELP[command] ?? "").matchAll(/^ {2,4}(--[a-z-]+)(?:[ =]([A-Z]+))? {2,}\S/gm)];
  return found.map(([, name = "", kind]) => ({ name, value: kind && VALUES[name] }));
}

const VALUES: Readonly<Record<string, string>> = {
  "--capacity": "1",
  "--min-bytes": "50",
  "--verbosity": "terse",
  "--invalidates": "invalidates.json",
  "--span-min-bytes": "200",
  "--door": "hooks",
  "--since": "2026-03-01",
  "--project": "two",
  "--limit": "1",
  "--prices": "prices.json",
  "--chars-per-token": "5",
  "--idle-exit": "1",
  "--port": "0",
  "--scope": "local",
  "--keep": "hints",
  "--config-dir": "config",
  "--state": "/tmp/state",
  "--out": "out.jsonl",
  "--format": "csv",
  "--key": "key",
};

const COMMANDS = Object.keys(HELP).filter(command => command !== "" && command !== "hook");

describe("what the help lists", () => {
  it("is found by this test", () => {
    expect(optionsOf("replay").map(({ name }) => name)).toEqual([
      "--span-inputs",
      "--capacity",
      "--min-bytes",
      "--near-ref",
      "--verbosity",
      "--invalidates",
      "--no-runs",
      "--span-min-bytes",
      "--door",
    ]);
    expect(optionsOf("report").map(({ name, value }) => [name, value])).toContainEqual(["--since", "2026-03-01"]);
  });

  it.each(COMMANDS.flatMap(command => optionsOf(command).map(option => [command, option] as const)))(
    "is accepted: %s %j",
    async (command, { name, value }) => {
      const said: string[] = [];
      const terminal = { colour: false, width: 80, out: () => {}, say: (line: string) => said.push(line) };
      // Options are read in order: the error is about the first unknown one.
      const status = await main([command, name, ...(value === undefined ? [] : [value]), "--frobnicate"], terminal);
      expect([status, said]).toEqual([2, [expect.stringContaining("--frobnicate")]]);
      expect(said[0]).not.toContain(name);
    },
  );

  it.each(optionsOf("hook"))("is taken by the hook: $name", ({ name, value }) => {
    const given = name === "--invalidates" ? '{"Bash":["Read"]}' : value;
    const plain = hookSettings([]);
    expect(hookSettings([given === undefined ? name : `${name}=${given}`])).not.toEqual(plain);
  });
});

describe("an option", () => {
  const place = new Place();
  afterAll(() => place.remove());

  const poll = (value: number) => JSON.stringify({ value, text: "x".repeat(600) });
  const lines = (from: number, count = 40) =>
    Array.from({ length: count }, (_, at) => `line ${from + at} of this text`).join("\n");
  const asked = (id: string) => ({ message: { id: `m-${id}`, model: "m", usage: { input_tokens: 1000 } } });
  const pair = (id: string, text: string, input = "/a") => [read(id, input, asked(id)), result(id, text)];
  const SESSION = [
    answer("m0", 1000, { cwd: "/one", timestamp: "2026-01-10T00:00:00.000Z" }),
    // Capacity, verbosity: a repeated text, with another one in between.
    ...pair("a1", textOf(900, "a")),
    ...pair("b1", textOf(900, "b")),
    ...pair("a2", textOf(900, "a")),
    // The min size.
    ...pair("s1", textOf(100, "s")),
    ...pair("s2", textOf(100, "s")),
    // Near-references.
    ...pair("p1", poll(1)),
    ...pair("p2", poll(2)),
    // Invalidation.
    call("x1", "Bash", { command: "make" }),
    result("x1", textOf(300, "x")),
    ...pair("p3", poll(1)),
    // Runs of lines, of 16 and of 40, which are some 300 and 800 bytes, the latter in a call's input.
    ...pair("r1", lines(0)),
    ...pair("r2", `before\n${lines(0, 16)}\nafter`),
    call("w1", "Write", { file_path: "/w", content: lines(50) }),
    result("w1", "done"),
    ...pair("r3", `before\n${lines(50)}\nafter`),
    answer("m1", 20_000, { timestamp: "2026-01-11T00:00:00.000Z" }),
  ];

  beforeAll(async () => {
    await built();
    place.write("logs/one.jsonl", logText(...SESSION));
    const later = { cwd: "/two", timestamp: "2026-04-01T00:00:00.000Z" };
    place.write("logs/two.jsonl", logText(answer("n0", 10, later), ...pair("z1", textOf(500, "z"), "/z")));
    place.write("invalidates.json", '{"Bash":["Read"]}');
    place.write("prices.json", '{"m":900000}');
  });

  const BASES: [command: string, args: readonly string[], without: readonly string[]][] = [
    ["report", ["logs", "--json"], ["--json", "--markdown", "--html", "--no-cache", "--limit", "--gates"]],
    ["report", ["logs"], ["--events", "--no-cache"]],
    ["report", ["logs", "--strategies"], ["--strategies", "--events", "--no-cache"]],
    ["watch", ["logs", "--json", "--from-start", "--idle-exit", "1"], ["--json", "--from-start", "--idle-exit"]],
    ["replay", ["logs/one.jsonl", "--json"], []],
  ];

  it.each(BASES)("of the help changes the output: %s %j, all but %j", async (command, args, without) => {
    const plain = await place.ask([command, ...args]);
    expect(plain.status).toBe(0);
    const options = optionsOf(command).filter(option => !without.includes(option.name));
    await Promise.all(
      options.map(async ({ name, value }) => {
        const run = await place.ask([command, ...args, name, ...(value === undefined ? [] : [value])]);
        expect([name, run.status], run.stderr).toEqual([name, 0]);
        expect(run.stdout === plain.stdout, name).toBe(false);
      }),
    );
  });

  it("of the upper bounds changes what they replay", async () => {
    const span = ["replay", "logs/one.jsonl", "--json", "--strategy", "span"];
    const [plain, withInputs] = [await place.ask(span), await place.ask([...span, "--span-inputs"])];
    expect([plain.status, withInputs.status]).toEqual([0, 0]);
    expect(withInputs.stdout).not.toBe(plain.stdout);
  });

  it("--near-ref turns whole into near, and live hints use it too", async () => {
    const replay = async (...args: string[]) =>
      (await place.ask(["replay", "logs/one.jsonl", "--json", ...args])).stdout;
    expect(await replay("--strategy", "whole", "--near-ref")).toBe(await replay("--strategy", "near"));
    expect(await replay("--near-ref")).toContain("> [near-ref: p1, value: 1→2]");
    expect(await replay()).not.toContain("near-ref");
  });

  it("is not refused if it changes something after all", async () => {
    for (const args of [
      ["report", "logs", "--strategies", "--no-runs", "--span-min-bytes", "300"],
      ["report", "logs", "--html", "--limit", "1"],
      ["hooks", "status", "--config-dir", "config"],
    ])
      expect((await place.ask(args)).status).toBe(0);
  });

  it("--no-cache stores nothing", async () => {
    const own = new Place();
    own.write("s.jsonl", logText(...SESSION));
    await own.ask(["report", "s.jsonl", "--no-cache"]);
    expect(existsSync(own.path("home", "cache"))).toBe(false);
    await own.ask(["report", "s.jsonl"]);
    expect(existsSync(own.path("home", "cache"))).toBe(true);
    own.remove();
  });

  it.each([
    [["report", "logs", "--events"], /--events requires --json/],
    [["report", "logs", "--json", "--limit", "5"], /--limit requires a table, --markdown or --html/],
    ...["--json", "--markdown", "--html"].map(
      format => [["report", "logs", format, "--gates"], /--gates requires a table: .* always/] as [string[], RegExp],
    ),
    [["report", "logs", "--no-runs", "--span-min-bytes", "300"], /--span-min-bytes requires runs of lines/],
    [["report", "logs", "--span-min-bytes", "199"], /--span-min-bytes must be a whole number from 200 /],
    [
      ["replay", "logs/one.jsonl", "--json", "--strategy", "whole", "--span-inputs"],
      /--span-inputs requires --strategy span/,
    ],
    [["replay", "logs/one.jsonl", "--json", "--span-inputs", "--no-runs"], /--no-runs requires a replay without/],
    ...["whole", "near-unbounded", "span"].map(
      strategy =>
        [
          ["replay", "logs/one.jsonl", "--json", "--strategy", strategy, "--span-min-bytes=300"],
          /--span-min-bytes requires --strategy live \(/,
        ] as [string[], RegExp],
    ),
    ...["--capacity=2", "--min-bytes=2", "--near-ref", "--verbosity=terse", "--invalidates=invalidates.json"].map(
      option =>
        [
          ["replay", "logs/one.jsonl", "--json", "--strategy", "span", option],
          new RegExp(`${option.replace(/=.*/, "")} requires --strategy live, whole, `),
        ] as [string[], RegExp],
    ),
    [
      ["replay", "logs/one.jsonl", "--json", "--strategy", "whole-unbounded", "--capacity=2"],
      /--capacity requires --strategy live, whole, near \(/,
    ],
    ...["live", "whole", "span"].map(
      strategy =>
        [
          ["replay", "logs/one.jsonl", "--json", "--no-runs", "--strategy", strategy],
          /--no-runs requires a replay without --strategy/,
        ] as [string[], RegExp],
    ),
    [["hooks", "status", "--scope", "local"], /--scope requires an action that changes something/],
    [["hooks", "status", "--yes"], /--yes requires an action that changes something/],
    ...["project", "local"].flatMap(scope =>
      [
        ["hooks", "install"],
        ["hooks", "uninstall"],
        ["hooks", "restore"],
        ["statusline", "install"],
      ].map(
        command =>
          [[...command, "--yes", "--scope", scope, "--config-dir", "x"], /--config-dir requires --scope user/] as [
            string[],
            RegExp,
          ],
      ),
    ),
    [["hooks", "status", "--capacity", "3"], /--capacity requires hooks install/],
    [["hooks", "uninstall", "--no-runs", "--yes"], /--no-runs requires hooks install/],
  ] as [string[], RegExp][])("that would do nothing is refused: %j", async (args, words) => {
    const { status, stdout, stderr } = await place.ask(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(words);
  });
});

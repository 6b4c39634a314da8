import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../src/dedup/hintGuard.js";
import { doorsIn, hookBlock, withLiveHints, withoutLiveHints } from "../../../src/hook/install/liveHooks.js";
import { hookCommand, modFolder } from "../../../src/hook/install/programCommand.js";
import { turning } from "../../support/turns.js";

const COMMAND = hookCommand();
const BLOCK = hookBlock(COMMAND);

describe("the hooks", () => {
  it.each([
    ...[
      "Bash",
      "PowerShell",
      "Edit",
      "Write",
      "MultiEdit",
      "NotebookEdit",
      "Agent",
      "Task",
      "SendMessage",
      "mcp__files__write",
    ],
    ...["Read", "Grep", "TodoWrite", "BashOutput", "WebFetch", "my_mcp__tool"],
  ])("run before a call exactly if a hint in it would be refused: %s", tool => {
    const [{ matcher = "" } = {}] = BLOCK["PreToolUse"] ?? [];
    const refusal = refusalOf(tool, { text: "> [ref: toolu_1]" }, ([id]) => id);
    expect(new RegExp(matcher).test(tool)).toBe(refusal !== undefined);
  });
});
const EVENTS = Object.keys(BLOCK);
const ID = "dedup-inspector@dedup-inspector";
const MARKETPLACE = { source: { source: "directory", path: modFolder() } };

const installed = (text: string) => withLiveHints(text, BLOCK, modFolder());

/** Settings that already have hooks, under our events and under others. */
const group = fc.record(
  {
    matcher: fc.constantFrom("Bash", "*", "Edit|Write"),
    hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() }), { maxLength: 2 }),
  },
  { requiredKeys: ["hooks"] },
);
const hooks = fc.dictionary(fc.constantFrom("PostToolUse", "Stop", "SessionStart"), fc.array(group, { maxLength: 2 }));
const settings = fc
  .record(
    {
      model: fc.string(),
      env: fc.dictionary(fc.string(), fc.string()),
      hooks,
      enabledPlugins: fc.dictionary(fc.constantFrom("theirs@market", "other@market"), fc.boolean(), { minKeys: 1 }),
      extraKnownMarketplaces: fc.constant({ market: { source: { source: "github", repo: "a/b" } } }),
      "": fc.json(),
    },
    { requiredKeys: [] },
  )
  .map(value => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const style = fc.constantFrom(0, 2, 4, "\t");
const ending = fc.constantFrom("", "\n");

function render(value: unknown, indent: string | number, end: string, crlf: boolean): string {
  const text = JSON.stringify(value, null, indent) + end;
  return crlf ? text.replaceAll("\n", "\r\n") : text;
}

describe("the hooks in a settings text", () => {
  it("join whatever is there, and nothing else changes", async () => {
    await fc.assert(
      turning(settings, style, ending, fc.boolean(), (value, indent, end, crlf) => {
        const before = render(value, indent, end, crlf);
        const after = installed(before);
        const { enabledPlugins, extraKnownMarketplaces, ...others } = structuredClone(value);
        const expected: { hooks?: Record<string, unknown[]> } & Record<string, unknown> = {
          ...others,
          enabledPlugins: { ...Object(enabledPlugins), [ID]: true },
          extraKnownMarketplaces: { ...Object(extraKnownMarketplaces), "dedup-inspector": MARKETPLACE },
        };
        expected.hooks ??= {};
        for (const [event, groups] of Object.entries(BLOCK))
          expected.hooks[event] = [...(expected.hooks[event] ?? []), ...groups];
        expect(JSON.parse(after)).toEqual(expected);
        expect(doorsIn(after)).toEqual({ mod: true, hooks: true });
        // Line endings stay consistent.
        if (before.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
        else expect(after).not.toContain("\r");
      }),
    );
  });

  it("are not written twice", async () => {
    await fc.assert(
      turning(settings, style, (value, indent) => {
        const once = installed(render(value, indent, "\n", false));
        expect(installed(once)).toBe(once);
      }),
    );
  });

  it("are removed without touching what others have there", async () => {
    await fc.assert(
      turning(settings, style, ending, fc.boolean(), (value, indent, end, crlf) => {
        const before = render(value, indent, end, crlf);
        const after = JSON.parse(withoutLiveHints(installed(before))) as typeof value;
        // Containers that were empty before are removed with ours; they mean nothing.
        const filled = Object.entries((value["hooks"] ?? {}) as Record<string, unknown[]>).filter(
          ([event, groups]) => groups.length > 0 || !EVENTS.includes(event),
        );
        const { hooks: _, ...rest } = value;
        expect(after).toEqual(filled.length > 0 ? { ...rest, hooks: Object.fromEntries(filled) } : rest);
      }),
    );
  });

  it("are removed without a trace, byte for byte, whether or not others had hooks", () => {
    const texts = [
      '{\n  "model": "opus"\n}\n',
      '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [ { "type": "command", "command": "say done" } ] }\n\t\t]\n\t}\n}',
      '{"model":"opus","hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}',
      '{\r\n    "hooks": {\r\n        "PostToolUse": [\r\n            {\r\n                "hooks": []\r\n            }\r\n        ]\r\n    },\r\n    "z": 1\r\n}\r\n',
    ];
    for (const text of texts) expect(withoutLiveHints(installed(text))).toBe(text);
  });

  it("replace our older ones", () => {
    const [plain, program] = ['{\n  "model": "opus"\n}\n', COMMAND.slice(COMMAND.indexOf("node "))];
    const handler = { type: "command", command: `${program} --capacity=9 --span`, timeout: 10 };
    const older = { model: "opus", hooks: { PostToolUse: [{ matcher: "Bash", hooks: [handler] }] } };
    expect(installed(`${JSON.stringify(older, null, 2)}\n`)).toBe(installed(plain));
  });

  it("turn the mod on again if it was turned off, and say that it is off", () => {
    const off = installed("{}").replace(`"${ID}": true`, `"${ID}": false`);
    expect(doorsIn(off)).toEqual({ mod: false, hooks: true });
    expect(doorsIn(installed(off))).toEqual({ mod: true, hooks: true });
    expect(withoutLiveHints(off)).toBe("{}");
  });

  it("leave a marketplace of the same name that is not ours", () => {
    const theirs = {
      extraKnownMarketplaces: { "dedup-inspector": { source: { source: "github", repo: "a/b" } } },
      enabledPlugins: { [ID]: true },
    };
    const text = JSON.stringify(theirs);
    expect(() => installed(text)).toThrow("is another marketplace");
    expect(withoutLiveHints(text)).toBe(text);
    expect(doorsIn(text)).toEqual({ mod: false, hooks: false });
  });

  it("keep a group that somebody added to", () => {
    const mine = { type: "command", command: "mine" };
    const ours = { type: "command", command: COMMAND };
    const text = JSON.stringify({ hooks: { PostToolUse: [{ matcher: "*", hooks: [mine, ours] }] } });
    expect(JSON.parse(withoutLiveHints(text))).toEqual({ hooks: { PostToolUse: [{ matcher: "*", hooks: [mine] }] } });
  });

  it("are removed from between those of others, and containers of others stay", () => {
    const [mine, ours] = ["mine", COMMAND].map(command => ({ type: "command", command }));
    const hooks = {
      Stop: [{ hooks: [] }],
      PostToolUse: [
        { hooks: [ours] },
        { hooks: [mine] },
        { matcher: "*", hooks: [ours, ours] },
        { hooks: [ours, mine] },
      ],
      PreCompact: [{ hooks: [ours] }, { hooks: [ours] }],
      SessionStart: [],
    };
    for (const indent of [0, 2]) {
      const taken = withoutLiveHints(JSON.stringify({ hooks, z: 1 }, null, indent));
      const left = { Stop: [{ hooks: [] }], PostToolUse: [{ hooks: [mine] }, { hooks: [mine] }], SessionStart: [] };
      expect(JSON.parse(taken)).toEqual({ hooks: left, z: 1 });
    }
  });

  it("leave what others run next to them, whatever its name", () => {
    const theirs = { PreCompact: [{ hooks: [{ type: "command", command: "~/bin/dedup-inspector-hook.js hook" }] }] };
    const text = installed(JSON.stringify({ hooks: theirs }));
    expect(JSON.parse(withoutLiveHints(text))).toEqual({ hooks: theirs });
  });

  it.each([
    ["[]", "the file is not an object"],
    ['{"hooks": []}', "hooks is not an object"],
    ['{"hooks": {"PostToolUse": {}}}', "hooks.PostToolUse is not a list"],
    ['{"enabledPlugins": []}', "enabledPlugins is not an object"],
    ['{"extraKnownMarketplaces": 1}', "extraKnownMarketplaces is not an object"],
  ])("are not written into %s", (text, why) => {
    expect(() => installed(text)).toThrow(why);
  });
});

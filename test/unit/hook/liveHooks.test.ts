import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hookBlock, liveCommands, withLiveHooks, withoutLiveHooks } from "../../../src/hook/install/liveHooks.js";
import { hookCommand } from "../../../src/hook/install/program.js";

const COMMAND = hookCommand([]);
const BLOCK = hookBlock(COMMAND);
const EVENTS = Object.keys(BLOCK);

/** Settings of somebody who has hooks already, under our events and under others. */
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
    { model: fc.string(), env: fc.dictionary(fc.string(), fc.string()), hooks, "": fc.json() },
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
  it("join whatever is there, and nothing else changes", () => {
    fc.assert(
      fc.property(settings, style, ending, fc.boolean(), (value, indent, end, crlf) => {
        const before = render(value, indent, end, crlf);
        const after = withLiveHooks(before, BLOCK);
        const expected = structuredClone(value) as { hooks?: Record<string, unknown[]> };
        expected.hooks ??= {};
        for (const [event, groups] of Object.entries(BLOCK))
          expected.hooks[event] = [...(expected.hooks[event] ?? []), ...groups];
        expect(JSON.parse(after)).toEqual(expected);
        expect(liveCommands(after)).toEqual(EVENTS.map(() => COMMAND));
        // Line breaks stay of one kind.
        if (before.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
        else expect(after).not.toContain("\r");
      }),
    );
  });

  it("are not written twice", () => {
    fc.assert(
      fc.property(settings, style, (value, indent) => {
        const once = withLiveHooks(render(value, indent, "\n", false), BLOCK);
        expect(withLiveHooks(once, BLOCK)).toBe(once);
      }),
    );
  });

  it("are taken out without touching what others have there", () => {
    fc.assert(
      fc.property(settings, style, ending, fc.boolean(), (value, indent, end, crlf) => {
        const before = render(value, indent, end, crlf);
        const after = JSON.parse(withoutLiveHooks(withLiveHooks(before, BLOCK))) as typeof value;
        // Containers that were empty before are gone with ours; they mean nothing.
        const filled = Object.entries((value["hooks"] ?? {}) as Record<string, unknown[]>).filter(
          ([event, groups]) => groups.length > 0 || !EVENTS.includes(event),
        );
        const { hooks: _, ...rest } = value;
        expect(after).toEqual(filled.length > 0 ? { ...rest, hooks: Object.fromEntries(filled) } : rest);
      }),
    );
  });

  it("come out byte for byte as they went in, where others had hooks or there were none", () => {
    const texts = [
      '{\n  "model": "opus"\n}\n',
      '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [ { "type": "command", "command": "say done" } ] }\n\t\t]\n\t}\n}',
      '{"model":"opus","hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}',
      '{\r\n    "hooks": {\r\n        "PostToolUse": [\r\n            {\r\n                "hooks": []\r\n            }\r\n        ]\r\n    },\r\n    "z": 1\r\n}\r\n',
    ];
    for (const text of texts) expect(withoutLiveHooks(withLiveHooks(text, BLOCK))).toBe(text);
  });

  it("take the place of our older ones", () => {
    const older = withLiveHooks('{\n  "model": "opus"\n}\n', hookBlock(`${COMMAND} --capacity=9`));
    const newer = withLiveHooks(older, BLOCK);
    expect(newer).toBe(withLiveHooks('{\n  "model": "opus"\n}\n', BLOCK));
  });

  it("leave a group that somebody added to", () => {
    const mine = { type: "command", command: "mine" };
    const ours = { type: "command", command: COMMAND };
    const text = JSON.stringify({ hooks: { PostToolUse: [{ matcher: "*", hooks: [mine, ours] }] } });
    expect(JSON.parse(withoutLiveHooks(text))).toEqual({ hooks: { PostToolUse: [{ matcher: "*", hooks: [mine] }] } });
  });

  it("are taken out between those of others, and containers of others stay", () => {
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
      const taken = withoutLiveHooks(JSON.stringify({ hooks, z: 1 }, null, indent));
      const left = { Stop: [{ hooks: [] }], PostToolUse: [{ hooks: [mine] }, { hooks: [mine] }], SessionStart: [] };
      expect(JSON.parse(taken)).toEqual({ hooks: left, z: 1 });
    }
  });

  it("leave what others run beside them, however it is called", () => {
    const theirs = { PreCompact: [{ hooks: [{ type: "command", command: "~/bin/dedup-inspector-hook.js hook" }] }] };
    const text = withLiveHooks(JSON.stringify({ hooks: theirs }), BLOCK);
    expect(JSON.parse(withoutLiveHooks(text))).toEqual({ hooks: theirs });
  });

  it.each([
    ["[]", "the file is not an object"],
    ['{"hooks": []}', "hooks is not an object"],
    ['{"hooks": {"PostToolUse": {}}}', "hooks.PostToolUse is not a list"],
  ])("are not written into %s", (text, why) => {
    expect(() => withLiveHooks(text, BLOCK)).toThrow(why);
  });
});

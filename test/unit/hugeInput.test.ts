/** Units that get something far larger or deeper than any genuine log contains. */
import { describe, expect, it } from "vitest";
import { projectPasses } from "../../src/dedup/passes/projections.js";
import { emittedText } from "../../src/dedup/runs/contextRuns.js";
import { compileInvalidation } from "../../src/dedup/settings.js";
import { Library } from "../../src/engine/library/library.js";
import { readableJson } from "../../src/engine/texts/callTexts.js";
import { bytesOf } from "../../src/log/bytes.js";
import { Conversation } from "../../src/log/conversation/conversation.js";
import { ConversationReader } from "../../src/log/conversation/conversationReader.js";
import { HOSTILE_KINDS, hostileLog } from "../support/hostileLogs.js";
import { Chance } from "../support/liveLog.js";

describe("a pattern of tools", () => {
  it("is matched without backtracking, whatever the name", () => {
    const name = "ab".repeat(2_000_000);
    const test = compileInvalidation({ Bash: ["a*b*a*b*a*c", "a*b*a*b*a*b"] })("Bash");
    expect([test?.(name), test?.(`${name}a`)]).toEqual([true, false]);
  });
});

describe("the text that is emitted instead of another", () => {
  it("may have a million lines", () => {
    const lines = Array.from({ length: 1_000_000 }, (_, at) => `${at}`);
    const hint = { id: "t1", from: 1, to: 3 };
    const runs = [{ start: 600_000, end: 600_003, hint }] as unknown as Parameters<typeof emittedText>[1];
    const emitted = emittedText(lines.join("\n"), runs).split("\n");
    expect(emitted.slice(599_999, 600_002)).toEqual(["599999", "> [ref: t1 lines 1-3]", "600003"]);
    expect(emitted).toHaveLength(999_998);
  });
});

describe("a value shown to people", () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth)}${"]}".repeat(depth)}`) as unknown;

  it("is indented, unless it is so deep that it would be mostly white space", () => {
    expect(readableJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(readableJson(nested(51))).toBe(JSON.stringify(nested(51)));
  });

  it("is reported as too deep if nothing can write it", () => {
    expect(readableJson(nested(100_000))).toBe("(nested too deeply to be shown)");
  });
});

describe("a session", () => {
  it("may have more subagents than a function takes arguments", () => {
    const library = new Library();
    const log = (path: string, modified: number) => library.find({ path, bytes: 1, modified, ino: 1 });
    log("/p/s.jsonl", 1000);
    for (let at = 0; at < 200_000; at++) log(`/p/s/subagents/agent-${at}.jsonl`, 2000 + at);
    const [item, ...others] = library.items({ everywhere: new Map() }, [], 10_000_000);
    expect([item?.key, item?.lastAt, others]).toEqual(["/p/s.jsonl", new Date(201_999).toISOString(), []]);
  });
});

describe("a conversation", () => {
  const usage = { model: "m", input: 0, output: 0, cacheRead: null, written5m: 0, written1h: 0 };

  it("is rewound exactly where a walk along all turns would be", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const chance = new Chance(seed);
      const conversation = new Conversation();
      const turns: { role: string; before: number }[] = [];
      let end = -1;
      for (let at = 0; at < 60; at++) {
        const role = chance.is(0.3) ? "assistant" : "user";
        const parts = [{ kind: "text" as const, text: `${at}` }];
        if (role === "user" && chance.is(0.5)) {
          const target = chance.below(at + 1) - 1;
          conversation.continueFrom(target < 0 ? null : `${target}`);
          let turn = end;
          while (turn !== target && turn >= 0 && turns[turn]?.role !== "assistant") turn = turns[turn]?.before ?? -1;
          if (turn !== target) end = target;
        }
        const line = { uuid: `${at}`, parent: undefined };
        if (role === "user") conversation.say(line, parts);
        else conversation.answer(line, parts, `m${at}`, usage);
        turns.push({ role, before: end });
        end = at;
      }
      const expected: string[] = [];
      for (let turn = end; turn >= 0; turn = turns[turn]?.before ?? -1) expected.unshift(`${turn}`);
      const live = conversation.live().messages.flatMap(({ parts }) => parts.map(part => "text" in part && part.text));
      expect(live, `seed ${seed}`).toEqual(expected);
    }
  });

  it.each(Object.keys(HOSTILE_KINDS))("of a hostile log is rebuilt and projected: %s", kind => {
    const reader = new ConversationReader();
    reader.push(bytesOf(hostileLog(kind, 750_000)));
    for (const conversation of reader.contexts.values()) {
      const { messages, requests } = conversation.live();
      expect(projectPasses(messages, requests, { charsPerToken: 3, readShare: 0.1 }).length).toBeGreaterThan(0);
    }
  });
});

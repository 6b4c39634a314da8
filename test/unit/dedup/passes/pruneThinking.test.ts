import { describe, expect, it } from "vitest";
import { pruneThinking } from "../../../../src/dedup/passes/pruneThinking.js";
import { assistant, call, prompts, text, thinking, tool, user } from "../../../support/messages.js";

const NOTHING = { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 };

describe("thinking", () => {
  it("is removed from old answers; everything else in them stays", () => {
    const old = assistant(thinking("hm é"), text("so"), thinking("and"), call("t1"));
    const { messages, stats } = pruneThinking([old, ...prompts(4)]);
    expect(messages).toEqual([assistant(text("so"), call("t1")), ...prompts(4)]);
    // One message was touched: 5 and 3 bytes.
    expect(stats).toEqual({ dedupHits: 0, snippetHits: 1, totalBytesSaved: 8 });
  });

  it("stays in the last four messages", () => {
    const alone = [assistant(thinking("x".repeat(5000)))];
    expect(pruneThinking(alone)).toEqual({ messages: alone, stats: NOTHING });
    const four = [assistant(thinking("hm"), text("a")), ...prompts(3)];
    expect(pruneThinking(four)).toEqual({ messages: four, stats: NOTHING });
  });

  it("of a user is left alone", () => {
    const list = [user(thinking("hm")), ...prompts(5)];
    expect(pruneThinking(list)).toEqual({ messages: list, stats: NOTHING });
  });

  it("without its text is removed too, but saves nothing that could be counted", () => {
    const { messages, stats } = pruneThinking([assistant(thinking(""), text("a")), ...prompts(4)]);
    expect(messages).toEqual([assistant(text("a")), ...prompts(4)]);
    expect(stats).toEqual(NOTHING);
  });
});

describe("an old answer left empty", () => {
  it("is removed", () => {
    const { messages, stats } = pruneThinking([assistant(thinking("x".repeat(1000))), ...prompts(5)]);
    expect(messages).toEqual(prompts(5));
    expect(stats).toEqual({ dedupHits: 0, snippetHits: 1, totalBytesSaved: 1000 });
  });

  it("goes even if it was empty before, but not another role's message", () => {
    const { messages, stats } = pruneThinking([assistant(), user(), tool(), ...prompts(4)]);
    expect(messages).toEqual([user(), tool(), ...prompts(4)]);
    expect(stats).toEqual(NOTHING);
  });
});

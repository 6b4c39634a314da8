import { describe, expect, it } from "vitest";
import { streamingTrim } from "../../../../src/dedup/passes/streamingTrim.js";
import type { Message } from "../../../../src/log/conversation/message.js";
import { assistant, call, exchange, prompts, result, thinking, tool, user } from "../../../support/messages.js";

const NOTHING = { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 };
const mark = (messages: number, bytes: number) =>
  user(`[...streaming-llm trim: ${messages} messages (${bytes} bytes) elided between sinks and recent window...]`);
const FIRST = [user("intent"), assistant("plan")];

describe("a list of 22 messages or more", () => {
  it("keeps its first two and its last sixteen", () => {
    const middle = [user("x".repeat(300)), assistant("é".repeat(100)), user("y"), assistant("z")];
    const { messages, stats } = streamingTrim([...FIRST, ...middle, ...prompts(16)]);
    expect(messages).toEqual([...FIRST, mark(4, 502), ...prompts(16)]);
    // The mark has 89 bytes.
    expect(stats).toEqual({ dedupHits: 0, snippetHits: 1, totalBytesSaved: 502 - 89 });
  });

  it("never has negative savings", () => {
    const { stats } = streamingTrim([...FIRST, ...prompts(4), ...prompts(16)]);
    expect(stats).toEqual({ dedupHits: 0, snippetHits: 1, totalBytesSaved: 0 });
  });

  it("and no shorter one", () => {
    const list = [...FIRST, ...prompts(19)];
    expect(streamingTrim(list)).toEqual({ messages: list, stats: NOTHING });
  });

  it("counts results, names and inputs, pictures as 1,024, thinking as nothing", () => {
    const middle: Message[] = [
      assistant(thinking("long thoughts"), call("t", "Read", '{"a":1}')),
      tool(result("t", "12345")),
      user({ kind: "other" }, "abc"),
      tool(result("u", null)),
    ];
    // 4 + 7, 5, 1,024 + 3, and a result that is not text counts as a picture.
    expect(streamingTrim([...FIRST, ...middle, ...prompts(16)]).messages[2]).toEqual(mark(4, 11 + 5 + 1027 + 1024));
  });
});

describe("the cut", () => {
  it("moves on if it would separate calls from their results", () => {
    const list = [...FIRST, ...prompts(3), ...exchange("t"), ...prompts(15)];
    const { messages } = streamingTrim(list);
    // Read + {} and ok, and three prompts of two bytes.
    expect(messages).toEqual([...FIRST, mark(5, 6 + 6 + 2), ...prompts(15)]);
  });

  it("goes no further than the results of that call", () => {
    const run = [...exchange("a"), ...exchange("b")];
    const list = [...FIRST, ...prompts(4), ...run, ...prompts(13)];
    // 23 messages: the cut would end after the call of "a", and moves over its result only.
    expect(streamingTrim(list).messages).toEqual([...FIRST, mark(6, 8 + 8), ...exchange("b"), ...prompts(13)]);
  });

  it("moves on over results that come in several messages", () => {
    const parallel = [assistant(call("a"), call("b")), tool(result("a")), tool(result("b"))];
    const list = [...FIRST, ...prompts(2), ...parallel, ...prompts(15)];
    expect(streamingTrim(list).messages).toEqual([...FIRST, mark(5, 4 + 12 + 4), ...prompts(15)]);
  });

  it("does not begin with results", () => {
    const list = [user("q"), assistant(call("t")), tool(result("t")), ...prompts(3), ...prompts(16)];
    expect(streamingTrim(list).messages.slice(0, 4)).toEqual([...list.slice(0, 3), mark(3, 6)]);
  });

  it("is not made for a single message", () => {
    const list = [...FIRST, tool(result("a")), tool(result("b")), tool(result("c")), ...prompts(17)];
    expect(streamingTrim(list)).toEqual({ messages: list, stats: NOTHING });
  });
});

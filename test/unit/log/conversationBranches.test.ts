/** The live messages if a conversation is rewound, or two share a log. */
import { describe, expect, it } from "vitest";
import { called, messagesIn, said } from "../../support/conversation.js";
import type { Json } from "../../support/log.js";
import * as log from "../../support/log.js";
import { assistant, call, result, tool, user } from "../../support/messages.js";

describe("a rewind", () => {
  const start = [
    log.prompt("one", { uuid: "u1", parentUuid: null }),
    said("m1", "first", { uuid: "u2", parentUuid: "u1" }),
    log.prompt("two", { uuid: "u3", parentUuid: "u2" }),
    said("m2", "second", { uuid: "u4", parentUuid: "u3" }),
  ];

  it("removes what came after the line it continues from", () => {
    expect(messagesIn(...start, log.prompt("other", { uuid: "u5", parentUuid: "u2" }))).toEqual([
      user("one"),
      assistant("first"),
      user("other"),
    ]);
  });

  it("can itself be rewound to an earlier point", () => {
    const lines = [...start, log.prompt("other", { uuid: "u5", parentUuid: "u2" }), said("m3", "third")];
    expect(messagesIn(...lines, log.prompt("back", { parentUuid: "u4" }))).toEqual([
      user("one"),
      assistant("first"),
      user("two"),
      assistant("second"),
      user("back"),
    ]);
  });

  it("to the very beginning starts over", () => {
    expect(messagesIn(...start, log.prompt("other", { parentUuid: null }))).toEqual([user("other")]);
  });

  it("is also Claude Code's own text, or a system line that is not for the model", () => {
    const expected = [user("one"), assistant("first"), user("x")];
    expect(messagesIn(...start, log.prompt("x", { parentUuid: "u2", isMeta: true }))).toEqual(expected);
    const system = { type: "system", subtype: "local_command", uuid: "s", parentUuid: "u2" };
    expect(messagesIn(...start, system)).toEqual(expected.slice(0, 2));
    expect(messagesIn(...start, system, log.prompt("x", { parentUuid: "s" }))).toEqual(expected);
  });

  it("is not a prompt without a parent before the first answer after a compaction", () => {
    const kept = [log.boundary(["u4"], { uuid: "b" }), log.prompt("x", { parentUuid: null })];
    expect(messagesIn(...start, ...kept)).toEqual([assistant("second"), user("x")]);
    const answered = [...kept, said("m3", "third"), log.prompt("y", { parentUuid: null })];
    expect(messagesIn(...start, ...answered)).toEqual([user("y")]);
  });

  it("is neither a result nor a line whose parent is unknown or missing", () => {
    for (const line of [
      log.result("t9", "x", { parentUuid: "u2" }),
      log.prompt("x", { parentUuid: "gone" }),
      log.prompt("x"),
    ]) {
      expect(messagesIn(...start, line)).toHaveLength(5);
    }
  });

  it("does not lose parallel results, of which only one is a parent", () => {
    const lines = [
      called("m1", "t1", { uuid: "a1" }),
      called("m1", "t2", { uuid: "a2", parentUuid: "a1" }),
      log.result("t1", "one", { uuid: "r1", parentUuid: "a1" }),
      log.result("t2", "two", { uuid: "r2", parentUuid: "a2" }),
      log.prompt("next", { uuid: "p", parentUuid: "r1" }),
    ];
    expect(messagesIn(...lines)[1]).toEqual(tool(result("t1", "one"), result("t2", "two")));
  });

  it("may be any line, even one that is not for the model", () => {
    const progress = { type: "progress", uuid: "p1", parentUuid: "u2" };
    const lines = [...start.slice(0, 2), progress, ...start.slice(2), log.prompt("x", { parentUuid: "p1" })];
    expect(messagesIn(...lines)).toEqual([user("one"), assistant("first"), user("x")]);
  });
});

describe("two processes on one session", () => {
  const one = (id: string, parentUuid: string) => [
    called(`m${id}`, id, { uuid: `c${id}`, parentUuid }),
    log.result(id, id, { uuid: `r${id}`, parentUuid: `c${id}` }),
  ];
  const start = [log.prompt("go", { uuid: "p", parentUuid: null }), ...one("1", "p")];
  const other = [log.prompt("meanwhile", { uuid: "q", parentUuid: "p" }), ...one("2", "q")];

  it("have a conversation each: the list is that of the newest line", () => {
    const go = [user("go"), assistant(call("1")), tool(result("1", "1"))];
    const meanwhile = [user("go", "meanwhile"), assistant(call("2")), tool(result("2", "2"))];
    expect(messagesIn(...start, ...other)).toEqual(meanwhile);
    expect(messagesIn(...start, ...other, said("m3", "done", { parentUuid: "r1" }))).toEqual([
      ...go,
      assistant("done"),
    ]);
  });

  it("may take turns line by line, even with empty lines", () => {
    const [call3, result3] = one("3", "h1") as [Json, Json];
    const [call4, result4] = one("4", "h2") as [Json, Json];
    const hooks = ["1", "2"].map(id => ({ type: "progress", uuid: `h${id}`, parentUuid: `r${id}` }));
    const lines = [...start, ...other, ...hooks, call3, call4, result4, result3];
    expect(messagesIn(...lines)).toEqual([
      user("go"),
      assistant(call("1")),
      tool(result("1", "1")),
      assistant(call("3")),
      tool(result("3", "3")),
    ]);
  });
});

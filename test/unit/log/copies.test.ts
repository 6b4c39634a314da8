/** Answers that are written again, as after a resume or in a copied log. */
import { describe, expect, it } from "vitest";
import { LogReader } from "../../../src/log/logReader.js";
import { answer, boundary, call, type Json, logText, result } from "../../support/log.js";
import { checkLines } from "../../support/readers.js";
import { eventsOn, storyOf } from "../../support/replay.js";

const TEXT = Array.from({ length: 40 }, (_, at) => `line ${at} of a file that is written, and read`).join("\n");
const message = (id: string) => ({ id, model: "m", usage: { input_tokens: 1000, output_tokens: 10 } });

describe("an answer that is written again", () => {
  const input = { file_path: "/a", content: TEXT };
  const write = call("w", "Write", input, { uuid: "a1", parentUuid: null, message: message("m1") });
  const said = answer("m2", 2000, { uuid: "a2", parentUuid: "r1" });
  const show = (id: string, parentUuid: string, text = TEXT, answered = `m${id}`): [Json, Json] => [
    call(id, "Bash", { command: "cat /a" }, { uuid: `a${id}`, parentUuid, message: message(answered) }),
    result(id, text, { uuid: `r${id}`, parentUuid: `a${id}` }),
  ];
  const begin = [write, result("w", "written", { uuid: "r1", parentUuid: "a1" }), said];
  const compaction = boundary([], { uuid: "b", parentUuid: null, logicalParentUuid: "a2" });
  const lines = [...begin, compaction, write, said, ...show("3", "b")];

  it("is no request, and makes no call", () => {
    const facts: string[] = [];
    const reader = new LogReader((_, { fact, line }) => facts.push(`${fact} ${line}`), { withCalls: true });
    reader.push(Buffer.from(logText(...lines)));
    expect(facts.filter(fact => /^(?:request|call) /.test(fact))).toEqual([
      ...["request 1", "call 1", "request 3", "request 7", "call 7"],
    ]);
  });

  it("does not come between the results of one message", () => {
    const text = "x".repeat(900);
    const [first, firstResult] = show("3", "a2", text);
    const [second, secondResult] = show("4", "a3", text, "m3");
    const between = [...begin, first, second, firstResult, said, secondResult];
    expect(storyOf(eventsOn(between)).at(-1)).toBe("miss 4 parallel");
  });

  it("is the same for both readers", () => {
    // Also if another line had the uuid, and if the first one was in another context.
    checkLines(...lines, write, { ...write, uuid: "r1" }, { ...write, isSidechain: true }, ...show("5", "r3"));
    checkLines({ ...answer("m0", 5), uuid: "a1" }, write, write, result("w", "written", { uuid: "r1" }));
  });
});

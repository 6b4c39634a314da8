import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf } from "../../../src/log/bytes.js";
import { type Fact, type RequestFact, type ResultFact, withStrings } from "../../../src/log/facts.js";
import { LogReader } from "../../../src/log/logReader.js";
import { answer, call, type Json, logText, prompt, read, result } from "../../support/log.js";
import { turning } from "../../support/turns.js";

type Line = Json | string;

function reading(lines: readonly Line[], options: { agentOfFile?: string; maxLineBytes?: number } = {}) {
  const facts: (Fact & { context: string })[] = [];
  const reader = new LogReader((context, fact) => facts.push({ context: context.id, ...withStrings(fact) }), options);
  reader.push(bytesOf(logText(...lines)));
  return { reader, facts };
}

const resultsOf = (lines: readonly Line[]) =>
  reading(lines).facts.filter((fact): fact is ResultFact & { context: string } => fact.fact === "result");
const requestsOf = (lines: readonly Line[]) =>
  reading(lines).facts.filter((fact): fact is RequestFact & { context: string } => fact.fact === "request");
const badIn = (...lines: Line[]) => reading(lines).reader.header.badLines;

describe("a line that is not a JSON object", () => {
  it.each([
    ["empty", ""],
    ["blank", "  "],
    ["text", "hello"],
    ["a list", "[1]"],
    ["a string", '"x"'],
    ["a number", "7"],
    ["null", "null"],
    ["torn", '{"type":"user","message":{"content":[{"type":"tool_res'],
    ["torn, with the next line on its end", '{"type":"user","cwd":"/w{"type":"user","cwd":"/w"}'],
    ["binary", "\u0000\u0001\ufffd"],
    [
      "broken in a result's content",
      '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[nonsense]}]}}',
    ],
  ])("is skipped and counted: %s", (_, line) => {
    const { reader, facts } = reading([answer("m1", 5), line, answer("m2", 5)]);
    expect(reader.header.badLines).toBe(1);
    expect(reader.lines).toBe(3);
    expect(facts.map(fact => `${fact.fact} ${fact.line}`)).toEqual(["request 1", "request 3"]);
  });

  it("is noticed wherever the nonsense is", () => {
    expect(badIn('{"type":"progress","data":[1,,2]}')).toBe(1);
    expect(badIn('{"type":"progress","data":[1,2}')).toBe(1);
  });

  it("is not counted while its newline is missing", () => {
    const reader = new LogReader(() => {});
    reader.push(bytesOf('{"type":"user"}\n{"type":'));
    expect([reader.lines, reader.header.badLines, reader.consumed]).toEqual([1, 0, 16]);
    reader.push(bytesOf("\n"));
    expect([reader.lines, reader.header.badLines, reader.consumed]).toEqual([2, 1, 25]);
  });

  it("is counted separately if it is too long", () => {
    const { reader, facts } = reading([prompt("x".repeat(500)), answer("m1", 5)], { maxLineBytes: 300 });
    expect(reader.header).toMatchObject({ badLines: 1, overlongLines: 1 });
    expect(facts.map(fact => fact.line)).toEqual([2]);
  });

  it("is never mistaken for one of an unknown type: those are simply skipped", () => {
    expect(badIn({}, { type: "atis-latch" }, { type: 5 }, { type: "user" }, { type: "assistant", message: null })).toBe(
      0,
    );
  });
});

describe("the context of a line", () => {
  const contextOf = (more: Json, options = {}) => reading([answer("m1", 5, more)], options).facts[0]?.context;

  it("is main, or the sidechain's agent, or the sidechain if it has no name", () => {
    expect(contextOf({})).toBe("main");
    expect(contextOf({ isSidechain: false, agentId: "a1" })).toBe("main");
    expect(contextOf({ isSidechain: true, agentId: "a1" })).toBe("a1");
    expect(contextOf({ isSidechain: true })).toBe("sidechain");
  });

  it("is the file's agent in a subagent's own file, whatever the line says", () => {
    expect(contextOf({ isSidechain: true, agentId: "b" }, { agentOfFile: "a" })).toBe("a");
    expect(contextOf({}, { agentOfFile: "a" })).toBe("a");
  });
});

describe("a tool result", () => {
  it("is joined to its call by id alone, with the folder of the call's line", () => {
    const lines = [
      call("t1", "Read", { file_path: "a.ts" }, { cwd: "/w", uuid: "u1" }),
      call("t2", "Bash", { command: "ls" }, { cwd: "/w" }),
      result("t2", "out", { uuid: "u2", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/elsewhere" }),
      result("t1", "text", { cwd: "/elsewhere", parentUuid: "nobody" }),
    ];
    const [bash, file] = resultsOf(lines);
    expect(bash).toMatchObject({ id: "t2", tool: "Bash", kind: "other", path: undefined, uuid: "u2", line: 3 });
    expect(bash?.at).toBe("2026-01-01T00:00:00.000Z");
    expect(file).toMatchObject({ id: "t1", tool: "Read", kind: "read", path: "/w/a.ts", target: "a.ts", at: null });
    expect(file?.offset).toBe(Buffer.byteLength(logText(...lines.slice(0, 3))));
  });

  it("whose call is not in the file has no tool", () => {
    expect(resultsOf([result("t1", "text")])[0]).toMatchObject({ tool: "", kind: "other", path: undefined });
  });

  it("counts once in a context, however often its id occurs", () => {
    const lines = [
      read("t1", "/a"),
      result("t1", "one"),
      result("t1", "two"),
      result("t1", "x", { isSidechain: true }),
    ];
    expect(resultsOf(lines).map(({ context, body }) => `${context} ${body}`)).toEqual(["main one", "sidechain x"]);
  });

  it("may share its line with others", () => {
    const blocks = ["a", "b"].map(id => ({ type: "tool_result", tool_use_id: id, content: id }));
    expect(resultsOf([{ type: "user", message: { content: blocks } }]).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it.each([
    ["a string is itself, untrimmed", " text\r\n ", " text\r\n "],
    [
      "texts are joined by newlines",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
    ["no blocks are the empty text", [], ""],
    ["a picture is no text", [{ type: "image", source: {} }], null],
    ["text with a picture is no text", [{ type: "text", text: "a" }, { type: "image" }], null],
    ["a tool reference is no text", [{ type: "tool_reference", tool_name: "x" }], null],
    ["a text block without text is no text", [{ type: "text" }], null],
    ["a null block is no text", [null], null],
    ["an object is no text", { type: "text", text: "a" }, null],
    ["nothing is no text", undefined, null],
    ["null is no text", null, null],
  ])("gives the model-facing body: %s", (_, content, body) => {
    expect(resultsOf([result("t1", content, { toolUseResult: { stdout: "other" } })])[0]?.body).toBe(body);
  });

  it("is an error only if is_error is true", () => {
    const error = (is_error: unknown) => resultsOf([result("t1", "x", { is_error })])[0]?.error;
    expect([true, false, undefined, "true", 1].map(error)).toEqual([true, false, false, false, false]);
  });

  it("is native if Claude Code's own record says so, never by its text", () => {
    const native = (toolUseResult: unknown, text = "x") =>
      resultsOf([result("t1", text, { toolUseResult })])[0]?.native;
    expect(native({ type: "file_unchanged", file: { filePath: "/a" } })).toBe(true);
    expect(native({ type: "text", file: { type: "file_unchanged" } })).toBe(false);
    expect(native("file_unchanged", "file_unchanged")).toBe(false);
    expect(native([{ type: "file_unchanged" }])).toBe(false);
    expect(native(undefined, "Wasted call — file unchanged since your last Read.")).toBe(false);
  });
});

describe("a request", () => {
  const count = (...lines: Line[]) => requestsOf(lines).filter(request => !request.continued).length;

  it("is one for consecutive lines with one message id", () => {
    expect(count(answer("m1", 5), answer("m1", 5), answer("m2", 5), answer("m1", 5))).toBe(3);
  });

  it("is one for each line without an id", () => {
    expect(count(answer("", 5, { message: { id: undefined } }), answer("", 5, { message: { id: undefined } }))).toBe(2);
  });

  it("continues across other lines and other contexts", () => {
    const lines = [answer("m1", 5), result("t1", "x"), answer("n", 5, { isSidechain: true }), answer("m1", 5)];
    expect(requestsOf(lines).map(({ context }) => context)).toEqual(["main", "sidechain"]);
  });

  it("does not exist if the line is Claude Code's own", () => {
    expect(count(answer("m1", 0, { message: { model: "<synthetic>" } }))).toBe(0);
  });

  it("is reported again if its usage comes with a later line", () => {
    const found = requestsOf([answer("m1", 0), answer("m1", 40), answer("m1", 50)]);
    expect(found.map(({ line, input, continued }) => [line, input, continued])).toEqual([
      [1, 0, false],
      [2, 40, true],
    ]);
  });

  describe("and its answer", () => {
    const said = (id: string, output: number, usage: Json = {}) =>
      answer(id, 0, { message: { usage: { input_tokens: 3, output_tokens: output, ...usage } } });
    /** The request or the answer of each fact: its line and the tokens of the answer so far. */
    const outputs = (...lines: Line[]) =>
      reading(lines).facts.flatMap(one =>
        one.fact === "request" || one.fact === "answer" ? [[one.fact, one.line, one.output]] : [],
      );

    it("is reported again whenever it has grown", () => {
      expect(outputs(said("m1", 2), said("m1", 2), result("t1", "x"), said("m1", 90), said("m1", 120))).toEqual([
        ["request", 1, 2],
        ["answer", 4, 90],
        ["answer", 5, 120],
      ]);
    });

    it("never shrinks, and is as long as what was written if it was interrupted", () => {
      const lines = [said("m1", 50), said("m1", 8), said("m2", 7), prompt("[Request interrupted by user]")];
      expect(outputs(...lines, said("m3", 9))).toEqual([
        ["request", 1, 50],
        ["request", 3, 7],
        ["request", 5, 9],
      ]);
    });

    it("is known with the usage if that comes late", () => {
      expect(outputs(answer("m1", 0, { message: { usage: {} } }), said("m1", 30), said("m1", 40))).toEqual([
        ["request", 1, 0],
        ["request", 2, 30],
        ["answer", 3, 40],
      ]);
    });

    it("continues where another reader stopped", () => {
      const first = reading([said("m1", 5)]).reader;
      const facts: Fact[] = [];
      const second = new LogReader((_, fact) => facts.push(withStrings(fact)), { resume: first.state });
      second.push(bytesOf(logText(said("m1", 5), said("m1", 6))));
      expect(facts).toMatchObject([{ fact: "answer", line: 3, output: 6 }]);
    });

    it("has what was read from the prompt cache, as a part of its input", () => {
      const usage = { cache_creation_input_tokens: 20, cache_read_input_tokens: 400 };
      expect(requestsOf([said("m1", 2, usage)])).toMatchObject([{ input: 423, cacheRead: 400 }]);
    });
  });
});

describe("whatever bytes come", () => {
  it("nothing throws and every newline is counted", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{"type":"user"',
        '"message":',
        "{",
        "}",
        "[",
        "]",
        ",",
        '"',
        "\\",
        "\n",
        '"tool_result"',
        "null",
      ),
      fc.constantFrom('{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}\n', "é", "\u0000"),
      fc.uint8Array({ maxLength: 5 }).map(bytes => Buffer.from(bytes).toString("latin1")),
    );
    await fc.assert(
      turning(fc.array(piece, { maxLength: 40 }), pieces => {
        const bytes = Buffer.from(pieces.join(""), "latin1");
        const reader = new LogReader(() => {});
        reader.push(bytes);
        expect(reader.lines).toBe(bytes.filter(byte => byte === 0x0a).length);
        expect(reader.header.badLines).toBeLessThanOrEqual(reader.lines);
      }),
      { numRuns: 1000 },
    );
  });
});

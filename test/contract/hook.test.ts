/** The hook program: when it hints, when it holds back, and what it says. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { HookedSession, hintTo, longText as text } from "../support/hook.js";
import { answer, boundary, call, prompt, result, textOf } from "../support/log.js";

beforeAll(built);

let session: HookedSession;
beforeEach(() => {
  session = new HookedSession();
});
afterEach(() => session.remove());

describe("a hint", () => {
  it("replaces a text that the model has", () => {
    expect(session.bash("1", text())).toBe(text());
    expect(session.bash("2", text("b"))).toBe(text("b"));
    expect(session.bash("3", text())).toBe(hintTo("1"));
    expect(session.bash("4", text("b"))).toBe(hintTo("2"));
    expect(session.complaints).toEqual([]);
  });

  it("never points at a hint", () => {
    session.bash("1", text());
    session.bash("2", text("b"));
    session.bash("3", text());
    session.bash("4", text("b"));
    expect(session.bash("5", text())).toBe(hintTo("1"));
  });

  it("is given for a read file too, whose lines have numbers", () => {
    const file = { filePath: "/a", content: text(), numLines: 31, startLine: 1, totalLines: 31 };
    const numbered = text()
      .split("\n")
      .map((line, index) => `${index + 1}\t${line}`)
      .join("\n");
    session.begin("1", "Read", { file_path: "/a" });
    session.end("1", numbered);
    session.bash("2", text("b"));
    session.begin("3", "Read", { file_path: "/a" });
    const emitted = session.post("Read", "3", { type: "text", file });
    expect(emitted).toEqual({ type: "text", file: { ...file, content: hintTo("1", "Read(/a)") } });
  });

  it("is at most half of what it replaces: the standard form if the located one is longer, or none", () => {
    const [located, standard] = [hintTo("2"), "> [ref: 2, byte-identical]"];
    const answerTo = (chars: number) => {
      const small = new HookedSession("--min-bytes=0");
      small.bash("1", textOf(900, "first"));
      small.bash("2", textOf(chars));
      const answered = small.bash("3", textOf(chars));
      small.remove();
      return answered;
    };
    expect(answerTo(2 * located.length)).toBe(located);
    expect(answerTo(2 * located.length - 1)).toBe(standard);
    expect(answerTo(2 * standard.length)).toBe(standard);
    expect(answerTo(2 * standard.length - 1)).toBe(textOf(2 * standard.length - 1));
  });

  it("is not given below the min size", () => {
    session.bash("1", textOf(199));
    session.bash("2", textOf(200, "b"));
    expect(session.bash("3", textOf(199))).toBe(textOf(199));
    expect(session.bash("4", textOf(200, "b"))).toBe(hintTo("2"));
  });

  it("is not given for a text that contains lines like ours", () => {
    const like = `${text()}\n> [ref: toolu_1, byte-identical]`;
    session.bash("1", like);
    session.bash("2", text("b"));
    expect(session.bash("3", like)).toBe(like);
  });

  it("respects the capacity, and counts a hint as a use", () => {
    const three = new HookedSession("--capacity=3", "--no-runs");
    for (const id of ["1", "2", "3"]) three.bash(id, text(id));
    expect(three.bash("4", text("1"))).toBe(hintTo("1"));
    three.bash("5", text("5"));
    expect(three.bash("6", text("1"))).toBe(hintTo("1"));
    expect(three.bash("7", text("2"))).toBe(text("2"));
    three.remove();
  });

  it("is worded as the settings say", () => {
    const terse = new HookedSession("--verbosity=terse");
    terse.bash("1", text());
    terse.bash("2", text("b"));
    expect(terse.bash("3", text())).toBe("> [ref: 1]");
    terse.remove();
  });

  it("is given for a near-reference only if that is turned on", () => {
    const poll = (state: string) => JSON.stringify({ state, log: "a line of the log ".repeat(40) });
    const near = new HookedSession("--near-ref");
    for (const one of [session, near]) {
      one.bash("1", poll("queued"));
      one.bash("2", text());
    }
    expect(session.bash("3", poll("done"))).toBe(poll("done"));
    expect(near.bash("3", poll("done"))).toBe("> [near-ref: 1, state: queued→done]");
    expect(near.bash("4", text("b"))).toBe(text("b"));
    // The third text was never shown: the next one differs from the first.
    expect(near.bash("5", poll("done"))).toBe("> [near-ref: 1, state: queued→done]");
    near.remove();
  });
});

describe("hints for runs of lines", () => {
  const line = (mark: string, number: number) => `${mark} ${number}: a line that is long enough to matter`;
  const lines = (mark: string, count: number) => Array.from({ length: count }, (_, index) => line(mark, index + 1));
  const grown = [...lines("a", 20), ...lines("b", 5)].join("\n");
  const numbered = (texts: readonly string[], first = 1) =>
    texts.map((text, index) => `${first + index}\t${text}`).join("\n");
  const fileOf = (content: readonly string[], startLine = 1) => ({
    type: "text",
    file: { filePath: "/a", content: content.join("\n"), numLines: content.length, startLine, totalLines: 200 },
  });
  const read = (id: string, content: readonly string[], startLine = 1, input: object = { file_path: "/a" }) => {
    session.begin(id, "Read", { ...input });
    const answered = session.post("Read", id, fileOf(content, startLine), { tool_input: input });
    const { file } = (answered ?? fileOf(content, startLine)) as ReturnType<typeof fileOf>;
    session.end(id, numbered(file.content.split("\n"), file.startLine));
    return answered === undefined ? undefined : file;
  };

  it("each replace lines that the model has, and are not given if turned off", () => {
    const whole = new HookedSession("--no-runs");
    for (const one of [session, whole]) one.bash("1", lines("a", 20).join("\n"));
    for (const one of [session, whole]) one.bash("2", text());
    expect(whole.bash("3", grown)).toBe(grown);
    expect(session.bash("3", grown)).toBe(["> [ref: 1 lines 1-20, from: Bash(cat 1)]", ...lines("b", 5)].join("\n"));
    // The hint line is not a source itself: only the new lines of the third result can be pointed at.
    const more = [...lines("b", 5), ...lines("c", 20)].join("\n");
    session.bash("4", more);
    const again = [...lines("a", 20), ...lines("c", 20), "new"].join("\n");
    session.bash("5", text("z"));
    const expected = ["> [ref: 1 lines 1-20, from: Bash(cat 1)]", "> [ref: 4 lines 6-25, from: Bash(cat 4)]", "new"];
    expect(session.bash("6", again)).toBe(expected.join("\n"));
    expect(session.complaints).toEqual([]);
    whole.remove();
  });

  it("replace the first and the last lines of a file, whose lines Claude Code numbers itself", () => {
    read("1", lines("a", 40));
    session.bash("2", text());
    const changed = [...lines("a", 18), "changed", ...lines("a", 40).slice(19)];
    const [first, last] = ["> [ref: 1 lines 1-18, from: Read(/a)]", "> [ref: 1 lines 20-40, from: Read(/a)]"];
    expect(read("3", changed)).toMatchObject({ content: [first, "changed", last].join("\n"), startLine: 18 });
    session.bash("4", text("z"));
    // What is in the middle stays: the numbers after it would be wrong.
    const framed = ["new first", ...lines("a", 40).slice(1, 39), "new last"];
    expect(read("5", framed)).toBeUndefined();
    expect(session.complaints).toEqual([]);
  });

  it("wait until Claude Code has shown, in this process, what follows the numbers of files with tabs", () => {
    const tabbed = lines("a", 40).map(line => `\t${line}`);
    session.begin("1", "Write", { file_path: "/w", content: tabbed.join("\n") });
    session.end("1", "ok");
    expect(read("2", [...tabbed, "one"])).toBeUndefined();
    expect(read("3", [...tabbed, "two"])).toMatchObject({ startLine: 40 });
    session.send({ hook_event_name: "SessionStart", source: "resume" });
    session.begin("4", "Write", { file_path: "/w", content: tabbed.join("\n") });
    session.end("4", "ok");
    expect(read("5", [...tabbed, "three"])).toBeUndefined();
    expect(read("6", [...tabbed, "four"])).toMatchObject({ startLine: 40 });
  });

  it.each([
    ["2.1.125", undefined],
    ["2.1.126", { startLine: 40 }],
    ["2.2.0", { startLine: 40 }],
  ])("know how the first file will be numbered, or wait for it: %s", (version, expected) => {
    session.write([{ type: "system", version }]);
    session.begin("1", "Write", { file_path: "/w", content: lines("a", 40).join("\n") });
    session.end("1", "ok");
    const first = read("2", [...lines("a", 40), "one"]);
    if (expected === undefined) expect(first).toBeUndefined();
    else expect(first).toMatchObject(expected);
    session.bash("3", text());
    expect(read("4", [...lines("a", 40), "two"])).toMatchObject({ startLine: 40 });
  });

  it("are not given to a model that asks again", () => {
    session.bash("1", lines("a", 20).join("\n"));
    session.bash("2", text());
    expect(session.bash("3", grown)).not.toBe(grown);
    expect(session.bash("4", grown)).toBe(grown);
    session.bash("5", text("z"));
    expect(session.bash("6", grown)).toBe(grown);
  });

  it("are replaced by the text if Claude Code says that the file has not changed", () => {
    const unchanged = (id: string, input: object) => {
      session.begin(id, "Read", { ...input });
      const answered = session.post(
        "Read",
        id,
        { type: "file_unchanged", file: { filePath: "/a" } },
        { tool_input: input },
      );
      session.end(id, answered === undefined ? "Wasted call" : numbered(lines("a", 40)), {
        toolUseResult: answered ?? { type: "file_unchanged" },
      });
      return answered;
    };
    read("1", lines("a", 30), 1, { file_path: "/a", limit: 30 });
    expect(unchanged("2", { file_path: "/a", limit: 30 })).toBeUndefined();
    expect(read("3", lines("a", 40))).toMatchObject({ startLine: 30 });
    session.bash("4", text());
    const restored = { ...fileOf(lines("a", 40)).file, totalLines: 40 };
    expect(unchanged("5", { file_path: "/a" })).toEqual({ type: "text", file: restored });
    // Now the model has the text.
    expect(unchanged("6", { file_path: "/a" })).toBeUndefined();
    expect(session.complaints).toEqual([]);
  });

  it("are replaced by the text if a colon follows the line numbers, too", () => {
    // Only a line feed ends a line.
    const content = ["package a", ...lines("a", 38).map(line => `\t${line}\r7: of it`), "}"];
    session.begin("1", "Write", { file_path: "/a", content: content.join("\n") });
    session.end("1", "ok");
    session.begin("2", "Read", { file_path: "/a" });
    session.end("2", `38:> [ref: 1 input.content lines 1-38, numbered from 1]\n39:${content[38]}\n40:}`);
    session.begin("3", "Read", { file_path: "/a" });
    const answered = session.post("Read", "3", { type: "file_unchanged" }, { tool_input: { file_path: "/a" } });
    expect(answered).toMatchObject({ file: { content: content.join("\n"), startLine: 1, numLines: 40 } });
  });
});

describe("the whole text is given", () => {
  const seen = () => {
    session.bash("1", text());
    session.bash("2", text("b"));
  };

  it("to a model that asks again right after a hint, and from then on", () => {
    seen();
    expect(session.bash("3", text())).toBe(hintTo("1"));
    expect(session.bash("4", text())).toBe(text());
    session.bash("5", text("c"));
    expect(session.bash("6", text())).toBe(text());
  });

  it.each([
    ["a moment", 0],
    ["half a second, as on a busy machine,", 500],
  ])("but a hint if what came in between reaches the log %s later", (_, afterMs) => {
    session.bash("1", text());
    session.bash("2", text("b"));
    session.bash("3", text());
    session.begin("4");
    const lines = [
      result("4", "ok", { uuid: "r-4" }),
      call("5", "Bash", { command: "cat 5" }, { uuid: "c-5", message: { id: "m-5", model: "m" } }),
    ];
    session.writeSoon(lines, afterMs);
    expect(session.bashHook("5", text())).toBe(hintTo("1"));
  });

  it("but a hint again if something else came in between", () => {
    seen();
    session.bash("3", text());
    session.bash("4", text("c"));
    expect(session.bash("5", text())).toBe(hintTo("1"));
  });

  it("to calls of one message, whatever is already in the log", () => {
    for (const id of ["1", "2", "3"]) session.begin(id, "Bash", { command: id }, "m-same");
    expect(session.bashHook("1", text())).toBe(text());
    session.end("1", text());
    expect(session.bashHook("2", text())).toBe(text());
    expect(session.bashHook("3", text())).toBe(text());
  });

  it("if the call itself is not in the log", () => {
    seen();
    expect(session.bashHook("3", text())).toBe(text());
    session.begin("3");
    expect(session.bashHook("3", text())).toBe(hintTo("1"));
  });

  it("after an edit of the file that was read", () => {
    const whole = new HookedSession("--no-runs");
    const read = (id: string) => {
      whole.begin(id, "Read", { file_path: "/a" });
      const file = { filePath: "/a", content: text(), numLines: 31, startLine: 1, totalLines: 31 };
      return whole.post("Read", id, { type: "text", file });
    };
    const numbered = text()
      .split("\n")
      .map((line, index) => `${index + 1}\t${line}`);
    read("1");
    whole.end("1", numbered.join("\n"));
    whole.bash("2", text("b"));
    expect(read("3")).toBeDefined();
    // The edit's hook has run; its result is not in the log yet.
    whole.post("Edit", "4", { filePath: "/a" }, { tool_input: { file_path: "/a" } });
    expect(read("5")).toBeUndefined();
    whole.remove();
  });

  it("after a tool that the settings say makes it stale", () => {
    const strict = new HookedSession('--invalidates={"mcp__db__*":["Bash"]}', "--no-runs");
    strict.bash("1", text());
    strict.bash("2", text("b"));
    strict.post("mcp__db__write", "3", "ok");
    expect(strict.bash("4", text())).toBe(text());
    strict.remove();
  });

  it("from the start of a compaction, until the log says what it kept", () => {
    seen();
    session.send({ hook_event_name: "PreCompact", trigger: "auto" });
    session.begin("3");
    expect(session.bashHook("3", text())).toBe(text());
    session.write([boundary(["r-2"])]);
    session.send({ hook_event_name: "PostCompact" });
    session.send({ hook_event_name: "SessionStart", source: "compact" });
    session.begin("4");
    expect(session.bashHook("4", text())).toBe(text());
    expect(session.bashHook("4", text("b"))).toBe(hintTo("2"));
  });

  it.each(["resume", "fork", "clear"])("of everything before a session starts by %s", source => {
    seen();
    session.send({ hook_event_name: "SessionStart", source });
    expect(session.bash("3", text())).toBe(text());
    session.bash("4", text("c"));
    expect(session.bash("5", text())).toBe(hintTo("3"));
  });

  it("after a rewind", () => {
    session.bash("1", text());
    session.write([prompt("go on", { uuid: "p", parentUuid: "r-1" })]);
    session.bash("2", text("b"));
    session.write([prompt("other way", { uuid: "q", parentUuid: "r-1" })]);
    session.begin("3");
    expect(session.bashHook("3", text("b"))).toBe(text("b"));
    expect(session.bashHook("3", text())).toBe(hintTo("1"));
  });

  it("after the context shrank without a line in the log", () => {
    session.write([answer("m1", 10_000)]);
    seen();
    session.write([answer("m2", 5_000)]);
    expect(session.bash("3", text())).toBe(text());
  });

  it("to a subagent, for what only the main conversation has", () => {
    seen();
    session.write([], "a1");
    expect(session.bashHook("3", text(), { agent_id: "a1" })).toBe(text());
    expect(session.complaints).toEqual([]);
  });
});

describe("the explanation", () => {
  const said = (source: string) => {
    const out = session.send({ hook_event_name: "SessionStart", source });
    return out === "" ? undefined : JSON.parse(out).hookSpecificOutput.additionalContext;
  };

  it("is given once in a conversation", () => {
    expect(["startup", "clear", "compact"].map(source => typeof said(source))).toEqual(Array(3).fill("string"));
    expect(["resume", "fork"].map(said)).toEqual([undefined, undefined]);
  });

  it("takes at most 60 tokens", () => {
    // 2.6 characters per token errs on the safe side: see docs/rules.md "Tokens".
    expect(said("startup").length / 2.6).toBeLessThanOrEqual(60);
  });
});

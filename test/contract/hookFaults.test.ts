/** The hook program when things go wrong: whatever happens, Claude Code continues as if there were no hook. */
import { appendFileSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packed, unpacked } from "../../src/hook/stateFile.js";
import { built } from "../support/cli.js";
import { HookedSession, hintTo, longText as text } from "../support/hook.js";
import { prompt } from "../support/log.js";

beforeAll(built);

let session: HookedSession;
beforeEach(() => {
  session = new HookedSession();
});
afterEach(() => session.remove());

describe("whatever happens, the program says nothing and exits with 0", () => {
  const seen = () => {
    session.bash("1", text());
    session.bash("2", text("b"));
    session.begin("3");
  };

  it.each(["", "no JSON", "null", "[]", "{}", '{"hook_event_name":5}', '{"hook_event_name":"PostToolUse"}'])(
    "on %j",
    input => expect(session.send(input)).toBe(""),
  );

  it("on an event of another kind", () => {
    expect(session.send({ hook_event_name: "Stop" })).toBe("");
    expect(session.complaints).toEqual([]);
  });

  it("on an agent id that leads elsewhere", () => {
    seen();
    expect(session.bashHook("3", text(), { agent_id: "../s" })).toBe(text());
    expect(session.complaints).toHaveLength(1);
  });

  it("if the mod gives this session's hints, but not if it gives another's", () => {
    seen();
    session.markAsLookedAfter("this");
    expect(session.bashHook("3", text(), { session_id: "this" })).toBe(text());
    session.markAsLookedAfter("another");
    expect(session.bashHook("3", text(), { session_id: "this" })).toBe(hintTo("1"));
  });

  it("without a log", () => {
    rmSync(session.log);
    expect(session.bashHook("1", text())).toBe(text());
    expect(session.complaints).toHaveLength(1);
  });

  it("with an option it does not know, and one line in its own log", () => {
    const odd = new HookedSession("--colour=red");
    expect(odd.send({ hook_event_name: "SessionStart", source: "startup" })).toBe("");
    odd.remove();
  });

  it("if its own folder cannot be used", () => {
    writeFileSync(session.state, "a file where a folder should be");
    seen();
    expect(session.bashHook("3", text())).toBe(text());
    expect(session.send({ hook_event_name: "PreCompact" })).toBe("");
  });
});

/** The parts of a state file, which contains everything twice. */
function stateIn(file: Buffer): { begin: Buffer; content: Buffer; end: Buffer } {
  const [begin, end] = [file.indexOf("\n") + 1, file.length - "\nend\n".length];
  const content = file.subarray(begin, begin + (end - begin) / 2);
  return { begin: file.subarray(0, begin), content, end: file.subarray(end) };
}

describe("the state", () => {
  /** Enough for it to be written. */
  const long = () => {
    session.bash("1", text());
    session.bash("2", text("b").repeat(40));
  };
  const stateFile = () => session.files.find(file => file.endsWith(".state")) ?? "";

  it("is damaged: the log is read again", () => {
    long();
    expect(session.bash("3", text())).toBe(hintTo("1"));
    for (const damage of ["", "dedup-inspector hook 99\n{}\nend\n", "dedup-inspector hook 1\n{]\nend\n"]) {
      writeFileSync(stateFile(), damage);
      session.bash(`4${damage.length}`, text("c"));
      expect(session.bash(`5${damage.length}`, text())).toBe(hintTo("1"));
    }
    const whole = readFileSync(stateFile());
    truncateSync(stateFile(), whole.length - 20);
    session.bash("6", text("d"));
    expect(session.bash("7", text())).toBe(hintTo("1"));
    expect(session.complaints).toEqual([]);
  });

  it("has one wrong byte anywhere: the log is read again", () => {
    long();
    session.bash("3", text("c"));
    const whole = readFileSync(stateFile());
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 24)) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(stateFile(), damaged);
      session.begin(`b${at}`);
      expect(session.bashHook(`b${at}`, text())).toBe(hintTo("1"));
      session.end(`b${at}`, "ok");
    }
    expect(session.complaints).toEqual([]);
  });

  it.each([
    ["empty", 0],
    ["no whole number of entries", 7],
    ["as long as a table, and full", 1024],
  ])("contains an index of lines that is %s: no call hangs", (_, length) => {
    long();
    session.bash("3", text("c"));
    const { begin, end, content } = stateIn(readFileSync(stateFile()));
    const state = unpacked(content) as { context: { reader: { contexts: { links: { index: Uint32Array } }[] } } };
    const [context] = state.context.reader.contexts;
    expect(context?.links.index.length).toBeGreaterThan(0);
    if (context !== undefined) context.links.index = new Uint32Array(length).fill(0xffffffff);
    const odd = packed(state);
    writeFileSync(stateFile(), Buffer.concat([begin, odd, odd, end]));
    session.write([prompt("go", { uuid: "p", parentUuid: "r-3" })]);
    session.begin("4");
    session.bashHook("4", text());
    expect(session.complaints).toEqual([]);
  });

  it("is of a log that was rewritten: nothing of the old one is pointed at", () => {
    long();
    session.bash("3", text());
    writeFileSync(session.log, "");
    session.bash("4", text("b").repeat(40));
    expect(session.bash("5", text())).toBe(text());
  });

  it("gives the same answers as reading the log from its start", () => {
    const marks = ["a", "b", "c", "a", "d", "b", "e", "a", "f", "c", "a", "g", "b"];
    const texts = marks.map(mark => text(mark).repeat(12));
    const fresh = new HookedSession();
    for (const [index, body] of texts.entries()) {
      const remembered = session.bash(String(index), body);
      rmSync(fresh.state, { recursive: true, force: true });
      expect(fresh.bash(String(index), body)).toBe(remembered);
    }
    expect(stateFile()).not.toBe("");
    fresh.remove();
  });

  it("survives a kill at any moment", async () => {
    long();
    for (let delay = 0; delay < 120; delay += 8) {
      session.begin(`k${delay}`);
      const tool_response = { stdout: text(), stderr: "", interrupted: false, isImage: false };
      const event = { tool_name: "Bash", tool_use_id: `k${delay}`, tool_input: {}, tool_response };
      const child = session.start({ hook_event_name: "PostToolUse", ...event });
      setTimeout(() => child.kill("SIGKILL"), delay);
      await new Promise(resolve => child.on("close", resolve));
      session.end(`k${delay}`, text(`other ${delay}`));
    }
    session.bash("3", text("c"));
    session.bash("4", text("c"));
    session.bash("5", text("d"));
    expect(session.bash("6", text("c"))).toBe(hintTo("3"));
    expect(session.complaints).toEqual([]);
  });

  it("of a session that nobody continues is deleted after a month", () => {
    long();
    session.bash("3", text("c"));
    const [old] = session.files;
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const begin = () => session.send({ hook_event_name: "SessionStart", source: "startup" });
    utimesSync(old ?? "", daysAgo(29), daysAgo(29));
    begin();
    expect(session.files).toEqual([old]);
    utimesSync(old ?? "", daysAgo(31), daysAgo(31));
    begin();
    expect(session.files).toEqual([]);
  });

  it("survives many calls at once", async () => {
    long();
    const ids = Array.from({ length: 8 }, (_, index) => `p${index}`);
    for (const id of ids) session.begin(id, "Bash", { command: id }, "m-parallel");
    const outputs = await Promise.all(
      ids.map(async id => {
        const tool_response = { stdout: text(), stderr: "", interrupted: false, isImage: false };
        const event = { tool_name: "Bash", tool_use_id: id, tool_input: {}, tool_response };
        const child = session.start({ hook_event_name: "PostToolUse", ...event });
        let out = "";
        child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
        await new Promise(resolve => child.on("close", resolve));
        return out;
      }),
    );
    for (const out of outputs) expect(out).toContain(hintTo("1"));
    expect(session.complaints).toEqual([]);
  });

  it("of a long log begins near its end, and never claims more than it knows", () => {
    session.bash("1", text());
    appendFileSync(session.log, `${JSON.stringify({ type: "progress", data: "x".repeat(5 * 1024 * 1024) })}\n`);
    session.bash("2", text("b"));
    expect(session.bash("3", text())).toBe(text());
    session.write([prompt("back to the start", { uuid: "p", parentUuid: "r-1" })]);
    session.begin("4");
    expect(session.bashHook("4", text())).toBe(text());
  });
});

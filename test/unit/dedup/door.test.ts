/** What each door can replace, and what the model then reads. */
import { describe, expect, it } from "vitest";
import { hookedPart, REPLACEABLE } from "../../../src/dedup/door.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { HeldResponse } from "../../../src/log/heldText.js";
import { call, type Json, logText, result } from "../../support/log.js";
import { replayedEmissions } from "../../support/modLog.js";
import { eventsOn, storyOf } from "../../support/replay.js";

const HOOKS: DedupSettings = { ...DEFAULT_SETTINGS, door: "hooks" };
const REMINDER = "\n\n<system-reminder>\nmind this\n</system-reminder>\n";

function lines(from: number, to: number, mark = "a"): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => `${mark} ${from + at}: a line that is long enough to matter`);
}

function numbered(texts: readonly string[], first = 1, separator = "\t"): string {
  return texts
    .map((text, at) => `${separator === "\t" ? first + at : `${first + at}`.padStart(6)}${separator}${text}`)
    .join("\n");
}

/** A session of calls, each in its own message. */
function session(...calls: readonly (readonly [tool: string, text: string, more?: Json])[]): Json[] {
  const uuid = (at: number, kind: string) => `${kind}${at}`;
  return calls.flatMap(([tool, text, more], at) => {
    const input = tool === "Bash" ? { command: `run ${at}` } : { file_path: `/file${at}` };
    const parentUuid = at === 0 ? null : uuid(at - 1, "r");
    const message = { id: `m${at}`, model: "m" };
    return [
      call(`t${at}`, tool, input, { uuid: uuid(at, "c"), parentUuid, message }),
      result(`t${at}`, text, { uuid: uuid(at, "r"), parentUuid: uuid(at, "c"), ...more }),
    ];
  });
}

function emitted(session: readonly Json[], settings = HOOKS): (string | undefined)[] {
  return [...replayedEmissions("s.jsonl", logText(...session), settings).values()];
}

describe("settings hooks", () => {
  it("replace what these tools return", () => {
    expect(REPLACEABLE.hooks).toEqual(["Bash", "PowerShell", "Read", "Grep", "mcp__*"]);
    const text = lines(1, 20).join("\n");
    const story = (tool: string) => storyOf(eventsOn(session([tool, text], [tool, text]), { ...HOOKS, runs: false }));
    for (const tool of ["Bash", "PowerShell", "mcp__db__query"]) expect(story(tool)).toContain("hit t1=t0");
    for (const tool of ["Glob", "WebFetch", "Agent", "Grep", "Read"]) expect(story(tool)).toContain("miss t1 fixed");
    expect(storyOf(eventsOn(session(["WebFetch", text], ["WebFetch", text])))).toContain("hit t1=t0");
  });

  it("ignore what the tool did not return in a known shape", () => {
    const shell = { stdout: "x", stderr: "", interrupted: false };
    expect(hookedPart("Bash", "x", shell)).toEqual({});
    expect(hookedPart("Bash", "x", { ...shell, interrupted: true })).toBeUndefined();
    expect(hookedPart("Grep", "a:1:x", { mode: "content", content: "a:1:x" })).toEqual({});
    expect(hookedPart("Grep", "a", { mode: "files_with_matches", filenames: ["a"] })).toBeUndefined();
    expect(hookedPart("Grep", "a:1:x", undefined)).toBeUndefined();
  });

  it("only read what a tool returned if they could replace it", () => {
    class Response extends HeldResponse {
      readonly isUnchanged = false;
      looks = 0;

      get value(): unknown {
        this.looks++;
        return { stdout: "x", stderr: "" };
      }
    }
    const looksAt = (tool: string) => {
      const response = new Response();
      hookedPart(tool, "x", response);
      return response.looks;
    };
    expect(["Edit", "Write", "Task", "mcp", "BashOutput"].map(looksAt)).toEqual([0, 0, 0, 0, 0]);
    expect(["Bash", "PowerShell", "Read", "Grep", "mcp__x"].map(looksAt)).toEqual([1, 1, 1, 1, 1]);
  });

  it("have no runs in what they cannot replace", () => {
    const [known, more] = [lines(1, 20).join("\n"), [...lines(1, 20), "more"].join("\n")];
    expect(emitted(session(["WebFetch", known], ["WebFetch", more]))[1]).toBeUndefined();
    expect(emitted(session(["WebFetch", known], ["Bash", more]))[1]).toMatch(
      /^> \[ref: t0 lines 1-20, from: .*\]\nmore$/,
    );
  });
});

describe("through settings hooks, of a Read", () => {
  const known = ["Read", numbered(lines(1, 60))] as const;
  const read = (texts: readonly string[], first = 1) =>
    emitted(session(known, ["Bash", "ok"], ["Read", numbered(texts, first)]))[2];

  it("all lines become one hint, with the first one's number", () => {
    expect(read(lines(1, 60))).toBe("1\t> [ref: t0, byte-identical, from: Read(/file0)]");
  });

  it("the first lines become a hint with the last one's number, so that the others keep theirs", () => {
    expect(read([...lines(1, 40), "new"])).toBe("40\t> [ref: t0 lines 1-40, from: Read(/file0)]\n41\tnew");
  });

  it("the last lines become a hint with the first one's number", () => {
    expect(read(["new", ...lines(21, 60)], 20)).toBe("20\tnew\n21\t> [ref: t0 lines 21-60, from: Read(/file0)]");
  });

  it("both ends become hints, as Claude Code was seen to send them", () => {
    const changed = [...lines(1, 18), "new", ...lines(20, 60)];
    const [first, last] = ["> [ref: t0 lines 1-18, from: Read(/file0)]", "> [ref: t0 lines 20-60, from: Read(/file0)]"];
    expect(read(changed)).toBe(`18\t${first}\n19\tnew\n20\t${last}`);
  });

  it("lines in the middle stay, which the other door replaces", () => {
    const framed = ["new first", ...lines(2, 59), "new last"];
    expect(read(framed)).toBeUndefined();
    const log = session(known, ["Bash", "ok"], ["Read", numbered(framed)]);
    expect(emitted(log, DEFAULT_SETTINGS)[2]).toContain("> [ref: t0 lines 2-59");
  });

  it("what Claude Code adds to a file stays", () => {
    const old = (texts: readonly string[]) => numbered(texts, 1, "→") + REMINDER;
    const log = session(
      ["Read", old(lines(1, 60))],
      ["Bash", "ok"],
      ["Read", old(lines(1, 60))],
      ["Read", old([...lines(1, 60), "new"])],
    );
    const [, , whole, part] = emitted(log);
    expect(whole).toBe(`     1→> [ref: t0, byte-identical, from: Read(/file0)]${REMINDER}`);
    expect(part).toBe(`    60→> [ref: t0 lines 1-60, from: Read(/file0)]\n    61→new${REMINDER}`);
  });

  describe("whose form Claude Code has not shown yet", () => {
    const written = (content: string) => [
      call(
        "w",
        "Write",
        { file_path: "/w", content },
        { uuid: "cw", parentUuid: null, message: { id: "mw", model: "m" } },
      ),
      result("w", "ok", { uuid: "rw", parentUuid: "cw" }),
    ];
    const afterWrite = (log: readonly Json[]) =>
      log.map(line => (line["parentUuid"] === null ? { ...line, parentUuid: "rw" } : line));
    const tabbed = lines(1, 60).map((line, at) => (at % 2 === 0 ? line : `\t${line}`));

    it.each([
      ["numbers before lines that begin with tabs", tabbed, "\t"],
      ["numbers with arrows", lines(1, 60), "→"],
    ])("stay: %s", (_, texts, separator) => {
      const text = (more: string) => numbered([...texts, more], 1, separator);
      const log = afterWrite(session(["Read", text("one")], ["Read", text("two")]));
      const [, first, second] = emitted([...written(texts.join("\n")), ...log]);
      expect(first).toBeUndefined();
      expect(second).toContain("lines 1-60");
    });

    it("stay: two of them in one message", () => {
      const more = (name: string) => numbered([...tabbed, name]);
      const [first, one, second, two] = afterWrite(session(["Read", more("one")], ["Read", more("two")]));
      const log = [
        ...written(tabbed.join("\n")),
        first,
        { ...second, message: { ...(second?.["message"] as Json), id: "m0" } },
      ];
      expect(emitted([...log, one, two] as Json[])).toEqual([undefined, undefined, undefined]);
    });
  });

  it("a hint counts with its number, and only for what it replaces", () => {
    const text = numbered(lines(1, 60), 1, "→") + REMINDER;
    const events = eventsOn(session(["Read", text], ["Bash", "ok"], ["Read", text]), HOOKS);
    const hit = events.find(({ kind }) => kind === "hit");
    const said = `     1→> [ref: t0, byte-identical, from: Read(/file0)]${REMINDER}`;
    expect(hit).toMatchObject({ savedBytes: Buffer.byteLength(text) - Buffer.byteLength(said) });
  });
});

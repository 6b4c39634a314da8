/** Claude Code's stub for an unchanged file: when the mod gives the file's text instead, and when it must not. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { lines, requested, Session } from "../../support/modSession.js";

describe("a stub for a Read that was answered with hints", () => {
  it("is replaced by the text, once", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    expect(session.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 })).toContain("> [ref: t1");
    session.hints.returned({ tool_use_id: "t3" }, { result: { type: "file_unchanged" } });
    const again = session.call("t3", "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 });
    expect(again).toBe(lines(1, 80));
    session.hints.returned({ tool_use_id: "t4" }, { result: { type: "file_unchanged" } });
    expect(session.call("t4", "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 })).toBe("Unchanged.");
  });

  const edit = { file_path: "/p/a.ts", old_string: "line 5 of", new_string: "LINE 5 of" };
  const attachment = (name: string, text: string) => (session: Session) =>
    session.hints.take({
      door: "attachment",
      message: { type: "attachment", name, content: [{ type: "text", text }] },
    });
  const whenUnchanged = (meanwhile: (session: Session) => unknown) => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    expect(session.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 })).toContain("> [ref: t1");
    meanwhile(session);
    session.hints.returned({ tool_use_id: "t9" }, { result: { type: "file_unchanged" } });
    return session.call("t9", "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 });
  };

  it.each<[string, (session: Session) => unknown]>([
    ["the model edited it", session => session.call("t3", "Updated.", "Edit", edit)],
    ["a formatter changed it", attachment("edited_text_file", "Note: /p/a.ts was modified, either by the user or")],
    ["the user mentioned it", attachment("file", 'Called the Read tool with: {"file_path":"/p/a.ts"}')],
    ["Claude Code did, on Windows", attachment("file", 'Called the Read tool with: {"file_path":"C:\\\\p\\\\a.ts"}')],
    ["Claude Code did, and named no folder", attachment("of_a_later_version", "a.ts: changed")],
    ["the conversation was compacted", session => session.hints.compacted({}, session.messages)],
    [
      "the conversation was compacted, without a result",
      session => {
        session.hints.take({ door: "compaction", message: { name: "compact_boundary" } });
      },
    ],
  ])("stays if the file may have been read since: %s", (_, meanwhile) => {
    expect(whenUnchanged(meanwhile)).toBe("Unchanged.");
  });

  it.each<[string, (session: Session) => unknown]>([
    ["the edit failed", session => session.call("t3", "Not found.", "Edit", edit, true)],
    ["another file was edited", session => session.call("t3", "Ok.", "Edit", { ...edit, file_path: "/p/b.ts" })],
    ["another file was mentioned", attachment("file", 'Called the Read tool with: {"file_path":"/p/b.ts"}')],
    [
      "the user wrote about it",
      session => session.hints.take({ door: "prompt", message: { content: "a.ts, please" } }),
    ],
  ])("is replaced by the text as long as only that Read can be meant: %s", (_, meanwhile) => {
    expect(whenUnchanged(meanwhile)).toBe(lines(1, 80));
  });
});

describe("hints that were there before the mod was", () => {
  const earlier = () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 });
    return session;
  };
  const asksAgain = (session: Session, id = "t9") => {
    session.hints.returned({ tool_use_id: id }, { result: { type: "file_unchanged" } });
    return session.call(id, "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 });
  };

  const resumed = (session: Session, ...added: string[]) => {
    const later = new Session();
    later.hints.settle(requested(session, ...added), "");
    return later;
  };

  it("are replaced by the text if it is asked for again: after a resume", () => {
    const later = resumed(earlier(), "Now read a.ts again.");
    expect(asksAgain(later)).toBe(lines(1, 80));
    expect(asksAgain(later, "t10")).toBe("Unchanged.");
  });

  it("are replaced by the text if it is asked for again: after a change of settings", () => {
    const session = earlier();
    session.hints.applySettings({ ...DEFAULT_SETTINGS, capacity: 9 });
    session.hints.settle(requested(session), "");
    expect(asksAgain(session)).toBe(lines(1, 80));
  });

  it("are not replaced after a compaction: the stub means a file that was attached again, or a later Read", () => {
    const compacted = earlier();
    compacted.messages = [];
    compacted.hints.compacted({}, []);
    expect(asksAgain(compacted)).toBe("Unchanged.");
  });

  it("are not replaced if the file was edited since, or may have been read in another way", () => {
    const changed = "<system-reminder>\nNote: /p/a.ts was modified.\n</system-reminder>";
    expect(asksAgain(resumed(earlier(), changed))).toBe("Unchanged.");
    const behindResult = earlier();
    behindResult.call("t3", `aside\n\n${changed}`, "Bash", { command: "true" });
    expect(asksAgain(resumed(behindResult))).toBe("Unchanged.");
    const edited = earlier();
    edited.call("t3", "Updated.", "Edit", { file_path: "/p/a.ts", old_string: "line 5 of", new_string: "LINE 5 of" });
    expect(asksAgain(resumed(edited))).toBe("Unchanged.");
    // Such a list has only calls and what was said.
    const later = new Session();
    later.messages = earlier().messages;
    expect(asksAgain(later)).toBe("Unchanged.");
  });

  it("are not replaced if the model has got the text since", () => {
    const session = earlier();
    session.call("t3", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 });
    expect(asksAgain(resumed(session))).toBe("Unchanged.");
  });
});

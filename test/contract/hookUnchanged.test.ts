/** Claude Code's stub for an unchanged file: when the hook gives the file's lines instead, and when it must not. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { HookedSession, longText } from "../support/hook.js";
import type { Json } from "../support/log.js";

beforeAll(built);

const PATH = "/p/main.ts";
const TEXT = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of a file that is read again, and again`);

const fileOf = (content: readonly string[]) => ({
  type: "text",
  file: { filePath: PATH, content: content.join("\n"), numLines: content.length, startLine: 1, totalLines: 40 },
});

describe("a stub for a Read that was answered with hints", () => {
  let session: HookedSession;
  beforeEach(() => {
    session = new HookedSession();
    read("1", TEXT.slice(0, 30), { file_path: PATH, limit: 30 });
    session.bash("2", longText());
    expect(read("3", TEXT, { file_path: PATH })).toMatch(/^> \[ref: 1 lines 1-30/);
  });
  afterEach(() => {
    expect(session.complaints).toEqual([]);
    session.remove();
  });

  /** What the model reads, without line numbers. */
  function read(id: string, content: readonly string[], input: Json): string {
    session.begin(id, "Read", input);
    const answered = session.post("Read", id, fileOf(content), { tool_input: input }) as typeof whole | undefined;
    const { file } = answered ?? fileOf(content);
    const numbered = file.content.split("\n").map((line, at) => `${file.startLine + at}\t${line}`);
    session.end(id, numbered.join("\n"));
    return file.content;
  }
  const whole = fileOf(TEXT);
  const again = (id: string) =>
    session.post("Read", id, { type: "file_unchanged", file: { filePath: PATH } }, { tool_input: { file_path: PATH } });
  const readAgain = (id = "9") => {
    session.begin(id, "Read", { file_path: PATH });
    return again(id);
  };
  const edit = (more: Json = {}) => {
    session.begin("4", "Edit", { file_path: PATH });
    session.end("4", "done", more);
  };
  const attach = (attachment: Json) => session.write([{ type: "attachment", attachment }]);

  it.each<[string, () => unknown]>([
    ["nothing happened", () => {}],
    ["an edit failed", () => edit({ is_error: true })],
    ["another file was edited", () => session.post("Edit", "4", {}, { tool_input: { file_path: "/p/other.ts" } })],
    ["a hook wrote about it", () => attach({ type: "hook_success", stdout: JSON.stringify(fileOf(TEXT)) })],
    ["another file was mentioned", () => attach({ type: "file", filename: "/p/other.ts", content: "main()" })],
  ])("is replaced by the lines as long as only that Read can be meant: %s", (_, meanwhile) => {
    meanwhile();
    expect(readAgain()).toEqual(whole);
  });

  it.each<[string, () => unknown]>([
    ["the model edited it", () => edit()],
    [
      "the model edited it, which is not in the log yet",
      () => session.post("Edit", "4", {}, { tool_input: { file_path: PATH } }),
    ],
    ["a formatter changed it", () => attach({ type: "edited_text_file", filename: PATH, snippet: "" })],
    ["the user mentioned it", () => attach({ type: "file", filename: PATH, content: fileOf(["x"]) })],
    [
      "it was attached again, by another path",
      () => attach({ type: "compact_file_reference", filename: "../p/main.ts" }),
    ],
    ["a later version read it", () => attach({ type: "later", files: [{ uri: "file:///p/main.ts" }] })],
    ["the session was resumed", () => session.send({ hook_event_name: "SessionStart", source: "resume" })],
    ["the conversation was compacted", () => session.write([{ type: "system", subtype: "compact_boundary" }])],
  ])("stays if the file may have been read since: %s", (_, meanwhile) => {
    meanwhile();
    expect(readAgain()).toBeUndefined();
  });

  it("stays as long as the log lacks the call, and may lack something before it", () => {
    expect(again("9")).toBeUndefined();
    expect(readAgain()).toEqual(whole);
  });

  it("stays if that happened in a part of the log that an earlier call has read", () => {
    // Enough for the hook to save what it knows.
    session.bash("4", longText("b".repeat(2000)));
    attach({ type: "edited_text_file", filename: PATH, snippet: "" });
    session.bash("5", longText("c".repeat(2000)));
    expect(readAgain()).toBeUndefined();
  });
});

/** Responses and what the model read, as recorded from the real Claude Code 2.1.150 and 2.1.325. */
import { describe, expect, it } from "vitest";
import { type ReadFormat, shapeOf } from "../../../src/dedup/toolShapes.js";

const FORMAT = { style: "tab", after: "" } as const;
const shell = { stdout: "", stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
const file = { filePath: "/p/a.txt", content: "one\ntwo\n", numLines: 3, startLine: 1, totalLines: 3 };

describe("what the model reads for a response", () => {
  it.each([
    ["Bash", { ...shell, stdout: "  a\nb" }, "  a\nb"],
    ["Bash", { ...shell, stdout: "/tmp", stderr: "\nShell cwd was reset to /p" }, "/tmp\nShell cwd was reset to /p"],
    ["Bash", { ...shell, stdout: "a\r\nb" }, "a\r\nb"],
    ["Bash", { ...shell, stdout: "x", returnCodeInterpretation: "Files differ" }, "x"],
    ["Bash", { ...shell, stdout: "x", bashEditDiff: { files: [], moreFiles: 0, changedFiles: ["/p/a.txt"] } }, "x"],
    ["Read", { type: "text", file }, "1\tone\n2\ttwo\n3\t"],
    ["Read", { type: "text", file: { ...file, content: "five\nsix", startLine: 5 } }, "5\tfive\n6\tsix"],
    ["Read", { type: "text", file: { ...file, content: "a\r\nb\r\r\nc\rd" } }, "1\ta\n2\tb\r\n3\tc\rd"],
    ["Grep", { mode: "content", numFiles: 0, filenames: [], content: "a:1:x", numLines: 1 }, "a:1:x"],
    ["mcp__s__t", "plain", "plain"],
    [
      "mcp__s__t",
      [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
      "one\ntwo",
    ],
  ])("%s %j", (tool, response, body) => {
    expect(shapeOf(tool, response)?.body(FORMAT)).toBe(body);
  });

  it.each([
    ["Bash", { ...shell, stdout: "x", interrupted: true }],
    ["Bash", { ...shell, stdout: "data:image/png;base64,", isImage: true }],
    ["Bash", { ...shell, stdout: "1\n2", persistedOutputPath: "/t/x.txt", persistedOutputSize: 99_999 }],
    ["Bash", { ...shell, backgroundTaskId: "b1" }],
    ["Bash", { ...shell, stdout: "x", somethingNew: "that may be shown" }],
    ["Bash", "plain"],
    ["Read", { type: "file_unchanged", file: { filePath: "/p/a.txt" } }],
    ["Read", { type: "image", file: { base64: "…" } }],
    ["Read", { type: "notebook", file: { filePath: "/p/n.ipynb", cells: [] } }],
    ["Read", { type: "text", file: { ...file, content: "" } }],
    ["Read", { type: "text", file: { ...file, somethingNew: 1 } }],
    ["Grep", { mode: "content", content: "a", appliedLimit: 100 }],
    ["Grep", { mode: "files_with_matches", filenames: ["a"], numFiles: 1 }],
    [
      "mcp__s__t",
      [
        { type: "text", text: "one" },
        { type: "image", source: {} },
      ],
    ],
    ["mcp__s__t", []],
    ["Agent", { content: [{ type: "text", text: "done" }] }],
    ["WebFetch", { result: "page" }],
    ["Bash", null],
    ["Bash", undefined],
  ])("is unknown, so nothing is replaced: %s %j", (tool, response) => {
    expect(shapeOf(tool, response)).toBeUndefined();
  });
});

describe("a response with a hint", () => {
  const replaced = (tool: string, response: unknown, text: string, format: ReadFormat = FORMAT) =>
    shapeOf(tool, response)?.replacedBy(text, format);

  it("keeps its shape", () => {
    const answered = { ...shell, stdout: "hint" };
    expect(replaced("Bash", { ...shell, stdout: "x", stderr: "y" }, "hint")).toEqual(answered);
    expect(replaced("mcp__s__t", "x", "hint")).toBe("hint");
    expect(replaced("mcp__s__t", [{ type: "text", text: "x" }], "hint")).toEqual([{ type: "text", text: "hint" }]);
  });

  it("has a file's lines without the numbers that Claude Code gives them", () => {
    const read = { type: "text", file };
    expect(replaced("Read", read, "1\thint")).toEqual({ type: "text", file: { ...file, content: "hint" } });
    const shown = "99\thint\n100\tone\n101\thint";
    const content = "hint\none\nhint";
    expect(replaced("Read", read, shown)).toEqual({ type: "text", file: { ...file, content, startLine: 99 } });
  });

  it.each([
    ["tab", "", "7\tone\n8\ttwo"],
    ["arrow", "", "     7→one\n     8→two"],
    ["arrow", "\n\n<system-reminder>\nmind\n</system-reminder>\n", "     7→one\n     8→two"],
  ] as const)("is read as what takes the file's place, whatever the version: %s %j", (style, after, lines) => {
    const format = { style, after };
    const response = { type: "text", file: { ...file, content: "one\ntwo", startLine: 7 } };
    expect(shapeOf("Read", response)?.body(format)).toBe(lines + after);
    const hinted = `${style === "tab" ? "8\t" : "     8→"}> [ref: 1]${after}`;
    expect(shapeOf("Read", replaced("Read", response, hinted, format))?.body(format)).toBe(hinted);
  });
});

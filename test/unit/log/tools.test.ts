import { describe, expect, it } from "vitest";
import {
  kindOfTool,
  pathIn,
  pathOfCall,
  subjectIn,
  type ToolInput,
  targetOf,
  titleLine,
} from "../../../src/log/tools.js";

describe("the kind of a tool", () => {
  it.each([
    ...["Read", "Grep", "Glob", "NotebookRead"].map(name => [name, "read"]),
    ...["Edit", "Write", "MultiEdit", "NotebookEdit"].map(name => [name, "mutate"]),
    ...["Bash", "mcp__files__read", "read", "READ", "Read ", "WebFetch", "Agent", "", "constructor"].map(name => [
      name,
      "other",
    ]),
  ])("%j is %s: exact names only", (name, kind) => {
    expect(kindOfTool(name ?? "")).toBe(kind);
  });
});

function targetOfCall(input: ToolInput, cwd?: string): string {
  return targetOf(pathIn(input), subjectIn(input), cwd);
}

const path = (file: string, cwd?: string) => pathOfCall("read", { file_path: file }, cwd);

describe("the path of a call", () => {
  it("is the first string of file_path, path and notebook_path", () => {
    expect(pathOfCall("read", { file_path: "/a", path: "/b", notebook_path: "/c" }, undefined)).toBe("/a");
    expect(pathOfCall("read", { notebook_path: "/c", path: "/b" }, undefined)).toBe("/b");
    expect(pathOfCall("mutate", { notebook_path: "/c" }, undefined)).toBe("/c");
    expect(pathOfCall("read", { file_path: 5, path: "/b" }, undefined)).toBe("/b");
    expect(pathOfCall("read", { file_path: null }, "/w")).toBeUndefined();
    expect(pathOfCall("read", {}, "/w")).toBeUndefined();
  });

  it("is not given for tools that neither read nor change files", () => {
    expect(pathOfCall("other", { file_path: "/a" }, "/w")).toBeUndefined();
  });

  it.each([
    ["/a/b.ts", "/a/b.ts"],
    ["/a/./b.ts", "/a/b.ts"],
    ["/a/x/../b.ts", "/a/b.ts"],
    ["/a//b.ts", "/a/b.ts"],
    ["/../../b.ts", "/b.ts"],
    ["/a/b/../../c", "/c"],
    ["/a/..b/...", "/a/..b/..."],
    ["/A/B.ts", "/A/B.ts"],
    ["/a/é 日.ts", "/a/é 日.ts"],
    ["/a\\b.ts", "/a\\b.ts"],
  ])("%s is %s", (given, tidy) => {
    expect(path(given, "/w")).toBe(tidy);
    expect(path(given)).toBe(tidy);
  });

  it.each([
    ["b.ts", "/w", "/w/b.ts"],
    ["./b.ts", "/w", "/w/b.ts"],
    ["../b.ts", "/w/x", "/w/b.ts"],
    ["../../../b.ts", "/w", "/b.ts"],
    ["x/../b.ts", "/w/", "/w/b.ts"],
    ["a\\b.ts", "/w", "/w/a\\b.ts"],
    ["src\\a.ts", "C:\\work", "C:/work/src/a.ts"],
    ["..\\a.ts", "C:\\work\\x", "C:/work/a.ts"],
    ["src/a.ts", "\\\\server\\share", "//server/share/src/a.ts"],
  ])("%s in %s is %s", (given, cwd, joined) => {
    expect(path(given, cwd)).toBe(joined);
  });

  it.each([
    ["C:\\work\\a.ts", "C:/work/a.ts"],
    ["C:/work/a.ts", "C:/work/a.ts"],
    ["c:\\work\\.\\x\\..\\a.ts", "c:/work/a.ts"],
    ["C:\\..\\a.ts", "C:/a.ts"],
    ["\\\\server\\share\\a.ts", "//server/share/a.ts"],
    ["\\\\server\\share\\x\\..\\a.ts", "//server/share/a.ts"],
    ["\\\\server\\share/x\\./a.ts", "//server/share/x/a.ts"],
    ["C:\\work/src\\a.ts", "C:/work/src/a.ts"],
    ["C:\\\\work\\\\a.ts", "C:/work/a.ts"],
    ["\\\\wsl$\\Ubuntu\\home\\ana\\a.ts", "//wsl$/Ubuntu/home/ana/a.ts"],
    ["\\\\wsl.localhost\\Ubuntu\\home\\ana\\a.ts", "//wsl.localhost/Ubuntu/home/ana/a.ts"],
  ])("%s is %s on Windows", (given, tidy) => {
    expect(path(given, "C:\\elsewhere")).toBe(tidy);
  });

  // Whether case matters depends on the file system, and a log does not say which one it was. Treating two spellings as
  // two files never makes a hint wrong: a hint only replaces text that is byte for byte the same.
  it("distinguishes case, even of drives, and a folder's names inside and outside of WSL", () => {
    expect(path("C:\\work\\A.ts")).not.toBe(path("C:\\work\\a.ts"));
    expect(path("C:\\work\\a.ts")).not.toBe(path("c:\\work\\a.ts"));
    expect(path("/Users/ana/A.ts")).not.toBe(path("/Users/ana/a.ts"));
    expect(path("\\\\wsl$\\Ubuntu\\a.ts")).not.toBe(path("/a.ts"));
  });

  it("of a relative file in an unknown folder is still normalized", () => {
    expect(path("./src/x/../a.ts")).toBe("src/a.ts");
    expect(path("../a.ts")).toBe("../a.ts");
  });

  it("is the same for two spellings of one file", () => {
    expect(path("src/a.ts", "/w")).toBe(path("/w/lib/../src/a.ts", "/elsewhere"));
    expect(path("src\\a.ts", "D:\\w")).toBe(path("D:/w/src/a.ts", "/elsewhere"));
  });
});

describe("the target of a call", () => {
  it("is its file, relative to the working folder", () => {
    expect(targetOfCall({ file_path: "/w/src/a.ts" }, "/w")).toBe("src/a.ts");
    expect(targetOfCall({ file_path: "C:\\w\\src\\a.ts" }, "C:\\w")).toBe("src\\a.ts");
    expect(targetOfCall({ file_path: "c:/w/src/a.ts" }, "C:\\w")).toBe("src/a.ts");
    expect(targetOfCall({ file_path: "\\\\server\\share\\w\\a.ts" }, "//server/share/w")).toBe("a.ts");
    expect(targetOfCall({ file_path: "C:\\W\\a.ts" }, "C:\\w")).toBe("C:\\W\\a.ts");
    expect(targetOfCall({ file_path: "/elsewhere/a.ts" }, "/w")).toBe("/elsewhere/a.ts");
    expect(targetOfCall({ file_path: "/www/a.ts" }, "/w")).toBe("/www/a.ts");
  });

  it("is its command or query", () => {
    expect(targetOfCall({ command: "npm test" }, "/w")).toBe("npm test");
    expect(targetOfCall({ query: "lru cache" }, undefined)).toBe("lru cache");
    expect(targetOfCall({}, "/w")).toBe("");
  });

  it("is one line of at most 60 characters", () => {
    expect(targetOfCall({ command: "  a\n\tb\r\n c " }, undefined)).toBe("a b c");
    expect(targetOfCall({ command: "x".repeat(61) }, undefined)).toBe("x".repeat(60));
    expect(targetOfCall({ command: "🎉".repeat(61) }, undefined)).toBe("🎉".repeat(60));
    expect(targetOfCall({ command: "echo \u001b[31mred\u0007" }, undefined)).toBe("echo [31mred");
  });
});

describe("a title", () => {
  it("is one line, and complete if it is short", () => {
    expect(titleLine("  Fix\n\tthe cache ")).toBe("Fix the cache");
    expect(titleLine("x".repeat(120))).toBe("x".repeat(120));
  });

  it("is cut between words", () => {
    const title = titleLine(`${"word ".repeat(40)}`);
    expect(title).toMatch(/^(word )*word…$/);
    expect(title.length).toBeLessThanOrEqual(121);
    expect(title.length).toBeGreaterThan(100);
  });

  it("is only cut within a word if that is nearly all of it", () => {
    expect(titleLine(`see ${"y".repeat(500)}`)).toBe(`see ${"y".repeat(116)}…`);
    expect(titleLine("🎉".repeat(200))).toBe(`${"🎉".repeat(120)}…`);
  });
});

import { describe, expect, it } from "vitest";
import { isLogOfFolder, isSessionOfFolder } from "../../../src/log/projectFolder.js";

/** Whether a log in the folder of this name, among Claude Code's own, counts as one of the open folder. */
const isOf = (name: string, folder: string) =>
  isLogOfFolder(`/home/ana/.claude/projects/${name}/5be2907d.jsonl`, folder);

describe("a log is of the folder that is open", () => {
  it.each([
    ["-home-ana-app", "/home/ana/app"],
    ["-a-b-c", "/a_b.c"],
    ["D--oh-my-posh", "D:\\oh-my-posh"],
    ["-home-ana-r-sum-", "/home/ana/résumé"],
  ])("by Claude Code's rule: %s is %s", (name, folder) => {
    expect(isOf(name, folder)).toBe(true);
  });

  it("if it ran in a folder below", () => {
    expect(isOf("-home-ana-app-packages-core", "/home/ana/app")).toBe(true);
    expect(isOf("-home-ana", "/home/ana/app")).toBe(false);
    expect(isOf("-home-ana-apple", "/home/ana/app")).toBe(false);
    expect(isOf("-srv-home-ana-app", "/home/ana/app")).toBe(false);
  });

  it("if it is a subagent's", () => {
    const log = "/home/ana/.claude/projects/-home-ana-app/5be2907d/subagents/agent-a1.jsonl";
    expect(isLogOfFolder(log, "/home/ana/app")).toBe(true);
    expect(isLogOfFolder(log, "/home/ana/other")).toBe(false);
  });

  it("on Windows, whichever case the drive has and whichever slashes are used", () => {
    const log = "C:\\Users\\Ana\\.claude\\projects\\C--Users-Ana-app\\5be2907d.jsonl";
    for (const folder of ["c:\\Users\\Ana\\app", "C:\\Users\\Ana\\app", "c:/Users/Ana/app", "C:\\users\\ana\\APP"]) {
      expect([folder, isLogOfFolder(log, folder)]).toEqual([folder, true]);
    }
    expect(isLogOfFolder(log, "d:\\Users\\Ana\\app")).toBe(false);
  });

  it("on a network share", () => {
    expect(isOf("--server-share-app", "\\\\server\\share\\app")).toBe(true);
    expect(isOf("--server-share-app", "\\\\other\\share\\app")).toBe(false);
  });

  it.each(["\\\\wsl$\\Ubuntu\\home\\ana\\app", "\\\\wsl.localhost\\Ubuntu\\home\\ana\\app"])(
    "in WSL, opened from Windows as %s, whether Claude Code runs in Windows or in Linux",
    folder => {
      for (const name of ["--wsl--Ubuntu-home-ana-app", "--wsl-localhost-Ubuntu-home-ana-app", "-home-ana-app"]) {
        expect([name, isOf(name, folder)]).toEqual([name, true]);
      }
      expect(isOf("--wsl--Debian-home-ana-app", folder)).toBe(false);
      expect(isOf("-home-ana-other", folder)).toBe(false);
    },
  );

  it("in Windows, if Claude Code runs in WSL", () => {
    expect(isOf("-mnt-c-work-app", "c:\\work\\app")).toBe(true);
    expect(isOf("-mnt-d-work-app", "c:\\work\\app")).toBe(false);
  });

  it("on macOS, whichever case is typed and however é is composed", () => {
    expect(isOf("-Users-ana-Code", "/Users/ana/code")).toBe(true);
    expect(isOf("-Users-ana-r-sum-", "/Users/ana/re\u0301sume\u0301")).toBe(true);
  });

  it("if its name is so long that it is cut", () => {
    const folder = `/home/${"deep/".repeat(60)}app`;
    const name = folder.replaceAll("/", "-").slice(0, 200);
    expect(isOf(`${name}-1x2y3z`, folder)).toBe(true);
    expect(isOf(name.slice(0, 199), folder)).toBe(false);
  });

  it("if the folder is a root, or has a trailing slash", () => {
    for (const folder of ["/", "/home/", "\\\\wsl$\\Ubuntu"]) expect(isOf("-home-ana-app", folder)).toBe(true);
    expect(isOf("C--Users-Ana", "c:\\")).toBe(true);
    expect(isOf("C--", "c:\\")).toBe(true);
    expect(isOf("D--Users-Ana", "c:\\")).toBe(false);
  });
});

describe("a session belongs to a folder", () => {
  it.each([
    ["/work/app", "/work/app", true],
    ["/work/app/packages/a", "/work/app/", true],
    ["/work/app-two", "/work/app", false],
    ["/work", "/work/app", false],
    ["/Work/App", "/work/app", true],
    ["C:\\work\\app\\src", "c:\\work\\app", true],
    ["/mnt/c/work/app", "C:\\work\\app", true],
    ["/home/ana/app", "\\\\wsl$\\Debian\\home\\ana\\app", true],
    ["/home/ana/app", "/", true],
  ])("by its working directory: %s in %s is %s", (project, folder, expected) => {
    expect(isSessionOfFolder("/logs/elsewhere/1.jsonl", project, folder)).toBe(expected);
  });

  it("by its log's location while the working directory is unknown", () => {
    expect(isSessionOfFolder("/logs/-work-app/1.jsonl", "", "/work/app")).toBe(true);
    expect(isSessionOfFolder("/logs/-work-other/1.jsonl", "", "/work/app")).toBe(false);
  });
});

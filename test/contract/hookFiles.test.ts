/** The hook program, and what may be in place of its files, pipes and folders. */
import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { HookedSession, hintTo, longText as text } from "../support/hook.js";

beforeAll(built);

let session: HookedSession;
beforeEach(() => {
  session = new HookedSession();
});
afterEach(() => session.remove());

/** Two results in the log and a call that asks for the first of them again. */
function seen(): void {
  session.bash("1", text());
  session.bash("2", text("b"));
  session.begin("3");
}

const begins = (source: string) => session.send({ hook_event_name: "SessionStart", source });

const STAND_INS: readonly (readonly [string, (path: string) => void])[] = [
  ["a pipe that nobody writes to", path => spawnSync("mkfifo", [path])],
  ["a device without an end", path => symlinkSync("/dev/zero", path)],
  ["a folder", path => mkdirSync(path)],
  ["a link to nowhere", path => symlinkSync(join(session.folder, "nowhere", "at all"), path)],
];

describe.skipIf(process.platform === "win32").each(STAND_INS)("%s", (_name, make) => {
  it("in place of the log: there is no answer", () => {
    rmSync(session.log);
    make(session.log);
    expect(session.bashHook("1", text())).toBe(text());
    for (const source of ["resume", "compact"]) begins(source);
    expect(session.send({ hook_event_name: "PreCompact" })).toBe("");
  });

  it("in place of the journal: nothing is certain, so there is no hint", () => {
    seen();
    mkdirSync(session.state, { recursive: true });
    rmSync(session.kept("journal"), { force: true });
    make(session.kept("journal"));
    expect(session.bashHook("3", text())).toBe(text());
    begins("resume");
    session.send({ hook_event_name: "PostCompact" });
    expect(session.post("Edit", "4", { filePath: "/a" }, { tool_input: { file_path: "/a" } })).toBeUndefined();
  });

  it("in place of the state: the log is read again", () => {
    seen();
    mkdirSync(session.state, { recursive: true });
    rmSync(session.kept("state"), { force: true });
    make(session.kept("state"));
    expect(session.bashHook("3", text())).toBe(hintTo("1"));
  });

  it("in place of its own log: nothing is logged, and nothing hangs", () => {
    mkdirSync(session.state, { recursive: true });
    make(join(session.state, "hook.log"));
    expect(session.bashHook("3", text(), { agent_id: "../s" })).toBe(text());
  });

  it("among the files that it cleans up: a new session is still recorded", () => {
    seen();
    mkdirSync(session.state, { recursive: true });
    make(join(session.state, "0123456789abcdef.state"));
    make(join(session.state, "somebody's"));
    begins("resume");
    expect(session.bashHook("3", text())).toBe(text());
    expect(session.complaints).toEqual([]);
  });
});

describe("cleanup", () => {
  const LONG_AGO = new Date(Date.now() - 40 * 86_400_000);
  const old = (name: string, content: string) => {
    mkdirSync(session.state, { recursive: true });
    const file = join(session.state, name);
    writeFileSync(file, content);
    utimesSync(file, LONG_AGO, LONG_AGO);
    return file;
  };

  it("removes only what the hook itself has written", () => {
    const names = ["README.md", "package.json", "notes.state", "0123456789ABCDEF.state", "hook.log"];
    const others = names.map(name => old(name, "dedup-inspector hook 1\n"));
    others.push(old("fedcba9876543210.state", "somebody's own state"));
    const ours = [
      old("0123456789abcdef.state", "dedup-inspector hook 1\n"),
      old("0123456789abcdef.journal", '\n{"at":5,"begun":true}\n'),
      old("0123456789abcdef.state.4711.k3v.tmp", ""),
    ];
    begins("startup");
    expect(others.filter(file => !existsSync(file))).toEqual([]);
    expect(ours.filter(file => existsSync(file))).toEqual([]);
  });
});

describe("the journal", () => {
  it("with an unreadable line: nothing before it is pointed at, what comes later is", () => {
    seen();
    mkdirSync(session.state, { recursive: true });
    appendFileSync(session.kept("journal"), '{"at":12,"be');
    expect(session.bashHook("3", text())).toBe(text());
    session.end("3", text());
    session.bash("4", text("c"));
    expect(session.bash("5", text())).toBe(hintTo("3"));
  });

  it("of a fork, whose log does not exist yet when it starts", () => {
    session.bash("1", text());
    session.bash("2", text("b"));
    const copy = `${session.log}.copy`;
    renameSync(session.log, copy);
    begins("fork");
    renameSync(copy, session.log);
    expect(session.bash("3", text())).toBe(text());
    session.bash("4", text("c"));
    expect(session.bash("5", text())).toBe(hintTo("3"));
    expect(session.complaints).toEqual([]);
  });
});

describe("an answer larger than a pipe's buffer", () => {
  const lines = (mark: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${mark} ${index}: a line that is long enough to matter`);
  const known = lines("a", 40);
  const output = [...known, ...lines("b", 5000)].join("\n");

  /** The hook's answer through a non-blocking pipe, read by a shell command; and its exit code. */
  const through = (reader: string) => {
    const spans = new HookedSession();
    spans.bash("1", known.join("\n"));
    spans.bash("2", text());
    spans.begin("3");
    const event = join(spans.folder, "event.json");
    const tool_response = { stdout: output, stderr: "", interrupted: false, isImage: false };
    const members = { transcript_path: spans.log, tool_name: "Bash", tool_use_id: "3", tool_input: {}, tool_response };
    writeFileSync(event, JSON.stringify({ hook_event_name: "PostToolUse", ...members }));
    // An earlier user has left the pipe non-blocking: a write takes what fits and does not wait.
    const before = 'process.stdout.write(""); process.kill(process.pid, "SIGKILL")';
    const command = spans.command.map(word => `'${word}'`).join(" ");
    const writer = `'${process.execPath}' -e '${before}'; ${command} < "${event}"; echo $? > "$CODE"`;
    const code = join(spans.folder, "code");
    const env = { PATH: process.env["PATH"] ?? "", HOME: spans.folder, CODE: code };
    const { stdout } = spawnSync("sh", ["-c", `{ ${writer}; } 2>/dev/null | { ${reader}; }`], {
      encoding: "utf8",
      env,
    });
    const exitCode = Number(readFileSync(code, "utf8"));
    spans.remove();
    return { stdout, exitCode };
  };

  it("reaches a reader that takes its time", () => {
    const { stdout, exitCode } = through("sleep 1; cat");
    const emitted = JSON.parse(stdout).hookSpecificOutput.updatedToolOutput.stdout as string;
    expect(emitted.split("\n").slice(0, 2)).toEqual(["> [ref: 1 lines 1-40, from: Bash(cat 1)]", lines("b", 1)[0]]);
    expect(emitted.split("\n")).toHaveLength(5001);
    expect(exitCode).toBe(0);
  });

  it("is reported as failed if nobody reads it", () => {
    const { exitCode } = through('while [ ! -s "$CODE" ]; do sleep 0.1; done');
    expect(exitCode).toBe(1);
  });
});

describe("stdin", () => {
  const event = () => ({
    hook_event_name: "PostToolUse",
    transcript_path: session.log,
    tool_name: "Bash",
    tool_use_id: "3",
    tool_response: { stdout: text(), stderr: "", interrupted: false, isImage: false },
  });
  const answered = async (send: (write: (piece: string) => boolean) => void) => {
    const [program = "", ...args] = session.command;
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env: { HOME: session.folder } });
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    child.stdin.on("error", () => {});
    send(piece => child.stdin.write(piece));
    await new Promise(resolve => child.on("close", resolve));
    return out;
  };

  it("that is left open: the event is answered once it is complete", async () => {
    seen();
    expect(await answered(write => write(JSON.stringify(event())))).toContain(hintTo("1"));
  });

  it("in pieces, each of which looks like an end", async () => {
    seen();
    // The output itself contains braces where a piece may end.
    const whole = JSON.stringify({ more: "}".repeat(200_000), ...event() });
    expect(await answered(write => write(`${whole}\n`))).toContain(hintTo("1"));
  });

  it.skipIf(process.platform === "win32")("without an end is not read to its end", () => {
    const [program = "", ...args] = session.command;
    const stdio = [openSync("/dev/zero", "r"), "pipe", "pipe"] as const;
    const env = { HOME: session.folder };
    const { status, stdout } = spawnSync(program, args, {
      stdio: [...stdio],
      env,
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    expect([status, stdout.toString()]).toEqual([0, ""]);
    expect(session.complaints).toEqual([expect.stringContaining("too long")]);
  });
});

describe("options", () => {
  it.each([[["--capacity=2"]], [["--capacity", "2"]]])(
    "may have their value after an equals sign or a space: %j",
    words => {
      const two = new HookedSession(...words, "--no-runs");
      two.bash("1", text());
      two.bash("2", text("b"));
      expect(two.bash("3", text())).toBe(hintTo("1"));
      two.bash("4", text("c"));
      expect(two.bash("5", text("b"))).toBe(text("b"));
      expect(two.complaints).toEqual([]);
      two.remove();
    },
  );

  it("that lack a value make it stay silent", () => {
    const broken = new HookedSession("--capacity");
    expect(broken.send({ hook_event_name: "SessionStart", source: "startup" })).toBe("");
    broken.remove();
  });
});

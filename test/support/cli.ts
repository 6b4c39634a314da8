/** Runs the built program as a user would: a separate process, an empty home, a pipe for output. */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cacheFolder, dataFolder } from "../../src/files/folders.js";
import { filesUnder, REPOSITORY } from "./replay.js";

const PROGRAM = join(REPOSITORY, "dist", "cli.js");
const LOCK = join(tmpdir(), `dedup-inspector-build-${createHash("md5").update(REPOSITORY).digest("hex")}`);

/** Only guards against hanging. */
const PATIENCE_MS = 120_000;

/** Builds the program once, however many test files need it at the same time. */
export async function built(): Promise<void> {
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (age > 60_000) rmSync(LOCK, { recursive: true, force: true });
      else await wait(50);
    }
  }
  try {
    const sources = ["src", "webview"].flatMap(folder => filesUnder(join(REPOSITORY, folder)));
    const newest = Math.max(...sources.map(path => statSync(path).mtimeMs));
    // The build writes it last.
    const done = statSync(join(REPOSITORY, "dist", "build.json"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (done > newest) return;
    const { status, stderr } = spawnSync(process.execPath, ["esbuild.mjs"], { cwd: REPOSITORY, encoding: "utf8" });
    if (status !== 0) throw new Error(`the build failed: ${stderr}`);
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** The environment for programs: their own home, on every system, and what they need to run at all. */
export function homeIn(folder: string): Record<string, string> {
  const { PATH = "", SystemRoot } = process.env;
  return {
    PATH,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, "cache"),
    USERPROFILE: folder,
    LOCALAPPDATA: join(folder, "AppData", "Local"),
    ...(SystemRoot !== undefined && { SystemRoot }),
  };
}

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for one test, with a home in it. */
export class Place {
  /** The real path: on macOS the temporary folder is a symlink. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "dedup-inspector-")));

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Where programs run here keep their data and their cache. */
  get kept(): { readonly data: string; readonly cache: string } {
    const system = { env: homeIn(this.path("home")), platform: process.platform };
    return { data: dataFolder(system), cache: cacheFolder(system) };
  }

  write(name: string, content: string | Buffer): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  /**
   * What the program prints and does, in a reused process: for the many runs that do not test the process itself. A
   * program that hangs is killed and has no status.
   */
  ask(args: readonly string[], env: Record<string, string> = {}, timeout = PATIENCE_MS): Promise<Run> {
    return askRunner({ args, env: { ...this.#home, ...env }, folder: this.folder }, timeout);
  }

  get #home(): Record<string, string> {
    return { ...homeIn(this.path("home")), CLAUDE_CONFIG_DIR: this.path("home", "config") };
  }

  /**
   * Runs in the folder. A program that hangs is killed and has no status. `limits`: shell commands to run first, such as
   * `ulimit -n 64`.
   */
  run(args: readonly string[], env: Record<string, string> = {}, timeout = PATIENCE_MS, limits = ""): Promise<Run> {
    return new Promise((resolve, reject) => {
      const command = [process.execPath, PROGRAM, ...args];
      const [file = "", ...rest] = limits === "" ? command : ["bash", "-c", `${limits}; exec "$@"`, "bash", ...command];
      const child = spawn(file, rest, {
        cwd: this.folder,
        env: { ...this.#home, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        timeout,
        killSignal: "SIGKILL",
      });
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      child.stdout.on("data", (piece: Buffer) => stdout.push(piece));
      child.stderr.on("data", (piece: Buffer) => stderr.push(piece));
      child.on("error", reject);
      child.on("close", status => {
        resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const RUNNER = join(REPOSITORY, "test", "support", "manyRuns.cjs");
/** Processes that wait for the next run. They keep nothing alive unless a test waits for them. */
const idle: ChildProcess[] = [];

function askRunner(request: { args: readonly string[]; env: object; folder: string }, timeout: number): Promise<Run> {
  const runner = idle.pop() ?? newRunner();
  return new Promise((resolve, reject) => {
    runner.ref();
    runner.channel?.ref();
    let crash = "";
    const onCrash = (piece: Buffer) => (crash += piece.toString());
    const timer = setTimeout(() => runner.kill("SIGKILL"), timeout);
    const settle = () => {
      clearTimeout(timer);
      runner.stderr?.off("data", onCrash);
      runner.removeAllListeners();
    };
    runner.stderr?.on("data", onCrash);
    runner.on("error", reject);
    runner.on("close", status => {
      settle();
      resolve({ status, stdout: "", stderr: crash });
    });
    runner.on("message", (run: Run) => {
      settle();
      runner.unref();
      runner.channel?.unref();
      if (runner.connected) idle.push(runner);
      resolve(run);
    });
    runner.send(request);
  });
}

function newRunner(): ChildProcess {
  return fork(RUNNER, { env: {}, execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
}

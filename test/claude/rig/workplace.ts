/** A home and a project for one Claude Code, with nothing from the user. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { filesUnder, REPOSITORY } from "../../support/replay.js";
import { type ApiOptions, type Request, type Script, ScriptedApi } from "./api.js";
import { Terminal } from "./terminal.js";

const PROGRAM = process.env["CLAUDE_PROGRAM"] ?? "claude";

/** Whether this version runs mods. */
export const runsMods = versionOf(PROGRAM) >= 2_001_287;

function versionOf(program: string): number {
  const [, major = 0, minor = 0, patch = 0] = /claude-code-(\d+)\.(\d+)\.(\d+)/.exec(program) ?? [];
  return Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch);
}

export interface Session {
  readonly requests: readonly Request[];
}

export class Workplace {
  readonly #root: string;
  readonly #terminals: Terminal[] = [];
  readonly home: string;
  readonly config: string;
  readonly project: string;

  /** `root`: a shared folder with a home and a project in it. */
  constructor(root = mkdtempSync(join(tmpdir(), "dedup-claude-")), project = "project") {
    this.#root = root;
    this.home = join(root, "home");
    this.config = join(this.home, ".claude");
    this.project = join(root, project);
    for (const folder of [this.config, this.project]) mkdirSync(folder, { recursive: true });
  }

  file(name: string): string {
    return join(this.project, name);
  }

  write(name: string, content: string): string {
    writeFileSync(this.file(name), content);
    return this.file(name);
  }

  /** Plays a script through one or more runs of Claude Code; `prompts` after the first resume the session. */
  async play(script: Script, options: PlayOptions = {}): Promise<Session> {
    const api = new ScriptedApi(script, options);
    const url = await api.start();
    try {
      for (const [index, prompt] of (options.prompts ?? ["script:main go"]).entries()) {
        const args = [...(index > 0 ? ["--continue"] : []), ...(options.args ?? [])];
        await this.prompt(url, prompt, { ...options, args });
      }
      return { requests: api.requests };
    } finally {
      api.stop();
    }
  }

  /** One prompt, played to its end by the API at `url`. */
  prompt(url: string, prompt: string, { args = [], env = {} }: RunOptions = {}): Promise<string> {
    const command = ["-p", prompt, "--permission-mode", "bypassPermissions", ...args];
    return this.#claude(command, { ANTHROPIC_BASE_URL: url, ...env });
  }

  /** Runs the real program; `ANTHROPIC_BASE_URL` in `env` is its only way out. */
  async #claude(args: readonly string[], env: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await run(PROGRAM, args, this.project, { ...this.#claudeEnvironment, ...env });
    if (code !== 0) throw new Error(`Claude Code ended with ${code}: ${stderr || stdout}`);
    return stdout;
  }

  get #claudeEnvironment(): Record<string, string> {
    return {
      ...this.environment,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
      ENABLE_TOOL_SEARCH: "false",
    };
  }

  /** Claude Code's own interface in this project; the API at `url` is its only way out. */
  async terminal(
    url: string,
    { args = [], env = {}, remembered = {}, columns }: TerminalOptions = {},
  ): Promise<Terminal> {
    const known = {
      ...remembered,
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["dummy"], rejected: [] },
      projects: { [this.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    writeFileSync(join(this.config, ".claude.json"), JSON.stringify(known));
    const command = [PROGRAM, "--permission-mode", "default", "--allowedTools", "Bash,Read,Edit", ...args];
    const terminal = new Terminal(
      command,
      this.project,
      {
        ...this.#claudeEnvironment,
        ANTHROPIC_BASE_URL: url,
        ...env,
      },
      columns,
    );
    this.#terminals.push(terminal);
    await terminal.hasWritten("");
    return terminal;
  }

  /** `claude ARGS` without an API. */
  claude(...args: string[]): Promise<string> {
    return this.#claude(args, {});
  }

  /** The built program, run as by the user in the project. */
  async dedup(...args: string[]): Promise<string> {
    const program = join(REPOSITORY, "dist", "cli.js");
    const { code, stdout, stderr } = await run(process.execPath, [program, ...args], this.project, this.environment);
    if (code !== 0) throw new Error(`dedup-inspector ${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Turns live hints on, and the mod off: as in versions before the mod, and where it must not run. */
  async turnHooksOn(...options: string[]): Promise<void> {
    await this.dedup("hooks", "install", "--yes", ...options);
    mkdirSync(join(this.project, ".claude"), { recursive: true });
    const enabledPlugins = { "dedup-inspector@dedup-inspector": false };
    this.write(".claude/settings.local.json", JSON.stringify({ enabledPlugins }));
  }

  get environment(): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.home, CLAUDE_CONFIG_DIR: this.config };
  }

  /** The session's own log and its subagents'. */
  get logs(): { readonly main: string; readonly agents: readonly string[] } {
    const logs = filesUnder(join(this.config, "projects")).filter(path => path.endsWith(".jsonl"));
    const isAgent = (path: string) => path.includes("subagents");
    return { main: logs.find(path => !isAgent(path)) ?? "", agents: logs.filter(isAgent) };
  }

  /** The id of the one session here. */
  get session(): string {
    return basename(this.logs.main, ".jsonl");
  }

  /** Claude Code's log with `--debug`. */
  get debugLog(): string {
    return filesUnder(join(this.config, "debug"))
      .map(file => readFileSync(file, "utf8"))
      .join("");
  }

  /** The hook's own error log: one line per failure. */
  get complaints(): string {
    const file = join(this.home, ".cache", "dedup-inspector", "hook", "hook.log");
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  }

  /** The user's Claude Code settings, as if edited by hand. */
  settings(content: unknown): void {
    writeFileSync(join(this.config, "settings.json"), JSON.stringify(content));
  }

  /** A copy of the plugin folder: Claude Code may write declarations next to a mod. */
  get plugin(): string {
    const copy = join(this.home, "plugin");
    cpSync(join(REPOSITORY, "plugin"), copy, { recursive: true });
    return copy;
  }

  /** Everything in the home that belongs to live hints. */
  get ownFiles(): string[] {
    return filesUnder(this.home).filter(path => path.includes("dedup-inspector"));
  }

  async remove(): Promise<void> {
    for (const terminal of this.#terminals) await terminal.close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

interface TerminalOptions extends RunOptions {
  /** What Claude Code remembers between runs, in addition to what lets it start without a question. */
  readonly remembered?: Readonly<Record<string, unknown>>;
  readonly columns?: number;
}

interface PlayOptions extends ApiOptions, RunOptions {
  readonly prompts?: readonly string[];
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()));
    child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
    child.on("error", reject);
    child.on("close", code => resolve({ code, stdout, stderr }));
  });
}

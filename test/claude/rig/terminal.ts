/** Claude Code's own interface in an invisible terminal: sends keys and reads the screen. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "./eventually.js";

const LIST = "Restore the code and/or conversation";
const RESTORE = "❯ 1. Restore";
const KEY_GAP_MS = 150;
const REWIND_TRIES = 3;
const REWIND_MS = 5000;
const KEY_TRIES = 3;
const KEY_MS = 15_000;
/** Every poll starts a process. */
const LOOK_MS = 100;
const IDLE = "? for shortcuts";

export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), "dedup-tmux-"));
  readonly #socket = join(this.#folder, "socket");
  readonly #pid: number;

  constructor(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>, columns = 140) {
    const size = ["-x", `${columns}`, "-y", "50"];
    this.#tmux(["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "--", ...command], {
      ...env,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
    });
    this.#pid = Number(this.#tmux(["display-message", "-p", "#{pane_pid}"]));
  }

  #tmux(args: readonly string[], env?: Readonly<Record<string, string>>): string {
    const { status, stdout, stderr, error } = spawnSync("tmux", ["-S", this.#socket, ...args], {
      encoding: "utf8",
      env: env ?? { PATH: process.env["PATH"] },
    });
    if (status !== 0) throw new Error(`tmux ${args[0]} failed: ${error?.message ?? stderr}`);
    return stdout;
  }

  get screen(): string {
    return this.#tmux(["capture-pane", "-p"]);
  }

  /** Waits until the screen shows it. If it never does, the error contains the screen. */
  async shows(what: string | RegExp): Promise<void> {
    await this.#until(`${what}`, screen => (typeof what === "string" ? screen.includes(what) : what.test(screen)));
  }

  /** Waits until the screen no longer shows it. */
  async hides(what: string): Promise<void> {
    await this.#until(`no ${what}`, screen => !screen.includes(what));
  }

  /** Waits until exactly this is in the prompt, between two rules. */
  async hasWritten(text: string): Promise<void> {
    await this.#until(`the prompt ${JSON.stringify(text)}`, screen => isPrompt(screen, text));
  }

  async #until(what: string, isSeen: (screen: string) => boolean): Promise<void> {
    await eventually(what, () => isSeen(this.screen), { everyMs: LOOK_MS }).catch(error => {
      throw new Error(`${(error as Error).message}; the screen shows:\n${this.screen.trimEnd()}`);
    });
  }

  #press(key: string): void {
    this.#tmux(["send-keys", key]);
  }

  /** Claude Code loses a key that arrives just as it redraws: one that had no effect is pressed again. */
  async #pressUntil(key: string, what: string, isSeen: (screen: string) => boolean): Promise<void> {
    for (let tries = 1; tries < KEY_TRIES; tries++) {
      this.#press(key);
      const limits = { limitMs: KEY_MS, everyMs: LOOK_MS };
      if (await eventually(what, () => isSeen(this.screen), limits).catch(() => false)) return;
    }
    this.#press(key);
    await this.#until(what, isSeen);
  }

  /** Types a line at the prompt and submits it. */
  async enter(line: string): Promise<void> {
    this.#tmux(["send-keys", "-l", line]);
    await this.hasWritten(line);
    await this.#pressUntil("Enter", `${line} sent`, screen => !isPrompt(screen, line));
  }

  /** Waits until the model has answered and the next prompt can be typed. */
  async answers(text: string): Promise<void> {
    await this.shows(new RegExp(`^● ${text}\\s*$`, "m"));
    await this.shows(IDLE);
  }

  /** Waits until a slash command has reported what it did; a confirmation is answered with yes. */
  async commandIsDone(command: string): Promise<void> {
    const asks = "❯ 1. Yes";
    const echo = `❯ ${command}`;
    const isDone = (screen: string) => screen.includes(echo) && screen.slice(screen.lastIndexOf(echo)).includes("⎿");
    await this.#until(`what ${command} did`, screen => isDone(screen) || screen.includes(asks));
    if (this.screen.includes(asks))
      await this.#pressUntil("Enter", "the answer taken", screen => !screen.includes(asks));
    await this.#until(`what ${command} did`, isDone);
    await this.shows(IDLE);
  }

  /** Esc Esc: rewinds the conversation to before its last prompt. */
  async goBack(prompt: string): Promise<void> {
    await this.#openRewind();
    // The conversation above the list shows the prompt too.
    const isChosen = (screen: string) => screen.slice(screen.lastIndexOf(LIST)).includes(`❯ ${prompt}`);
    await this.#pressUntil("Up", `${prompt} chosen`, isChosen);
    await this.#pressUntil("Enter", "what to restore", screen => screen.includes(RESTORE));
    await this.#pressUntil("Enter", "the conversation restored", screen => !screen.includes(RESTORE));
    // The prompt is there for editing; the next one replaces it.
    await this.hasWritten(prompt);
    await this.#pressUntil("C-u", "an empty prompt", screen => isPrompt(screen, ""));
  }

  /** Two at once would be another key, and too far apart they would be two separate presses. */
  async #openRewind(): Promise<void> {
    const isOpen = () => this.screen.includes(LIST);
    for (let tries = 1; tries <= REWIND_TRIES; tries++) {
      this.#press("Escape");
      await wait(KEY_GAP_MS);
      this.#press("Escape");
      const limits = { limitMs: REWIND_MS, everyMs: LOOK_MS };
      const opened = await eventually("the list of prompts", isOpen, limits).catch(() => false);
      if (opened) return;
    }
    // On a machine too busy for two quick key presses, the command does the same.
    await this.enter("/rewind");
    await this.#until("the list of prompts", isOpen);
  }

  /** Ends everything that runs in it, and waits for that: a program may still write while it shuts down. */
  async close(): Promise<void> {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
    await eventually("the program's end", () => !isRunning(this.#pid), { limitMs: END_MS }).catch(() => {
      process.kill(this.#pid, "SIGKILL");
      return eventually("the program's end", () => !isRunning(this.#pid));
    });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether exactly this is in the prompt, between two rules. */
function isPrompt(screen: string, text: string): boolean {
  const lines = screen.split("\n");
  return lines.some(
    (line, at) =>
      line.replace(/\s/g, " ").trimEnd() === `❯ ${text}`.trimEnd() && isRule(lines[at - 1]) && isRule(lines[at + 1]),
  );
}

function isRule(line = ""): boolean {
  return line.startsWith("───");
}

const END_MS = 10_000;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

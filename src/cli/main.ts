import { version } from "../files/version.js";
import { HELP } from "./help.js";
import { UsageError } from "./options.js";
import type { Recalled } from "./recallReport.js";
import type { Terminal } from "./terminal.js";

export type Command = (args: string[], terminal: Terminal, recalled: Recalled) => Promise<number> | number;

/** Each is loaded on demand: loading another one's dependencies, such as a server, takes longer than a small report. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  report: async () => (await import("./reportCommand.js")).reportCommand,
  replay: async () => (await import("./replayCommand.js")).replayCommand,
  watch: async () => (await import("./watchCommand.js")).watchCommand,
  export: async () => (await import("./exportCommand.js")).exportCommand,
  open: async () => (await import("./openCommand.js")).openCommand,
  hook: async () => {
    const { runHook } = await import("../hook/main.js");
    // Claude Code itself runs the program `hook.js`, which starts faster; this does the same.
    return args => {
      runHook(args);
      return Number(process.exitCode ?? 0);
    };
  },
  hooks: async () => (await import("./hooksCommand.js")).hooksCommand,
  sample: async () => (await import("./sampleCommand.js")).sampleCommand,
  statusline: async () => (await import("./statusLineCommand.js")).statusLineCommand,
};

/** Runs one command and returns the exit status: 0 done, 1 something could not be read, 2 wrong usage. */
export async function main(args: readonly string[], terminal: Terminal, recalled: Recalled = {}): Promise<number> {
  // Without a command, opens the inspector.
  const [name = "", ...rest] = /^(?!-)|^(?:--help|-h|--version|-v)$/.test(args[0] ?? "-") ? args : ["open", ...args];
  const wantsHelp = rest.includes("--help") || rest.includes("-h");
  if (name === "--version" || name === "-v") {
    terminal.out(`${version}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (name === "help" || name === "--help" || name === "-h") {
      terminal.out(`${helpOn(rest.find(one => !one.startsWith("-") && one !== "help") ?? "")}\n`);
      return 0;
    }
    if (command === undefined) throw new UsageError(`unknown command "${name}"${wayToOpen(name)}`);
    if (wantsHelp) {
      terminal.out(`${HELP[name]}\n`);
      return 0;
    }
    return await (await command())(rest, terminal, recalled);
  } catch (error) {
    const usage = error instanceof UsageError;
    const help = usage ? ` (see dedup-inspector ${command ? `${name} ` : ""}--help)` : "";
    terminal.say(`${problemText(error as NodeJS.ErrnoException)}${help}`);
    return usage ? 2 : 1;
  }
}

/** A path without a command. */
function wayToOpen(name: string): string {
  return /[\\/]|\.jsonl$/.test(name) ? ": if it is a log or a folder, write open or report before it" : "";
}

/** "": on the program as a whole. */
function helpOn(topic: string): string | undefined {
  if (!Object.hasOwn(HELP, topic)) throw new UsageError(`unknown command "${topic}"`);
  return HELP[topic];
}

/** Relative paths, threads and a project's settings need the current folder; another program may have removed it. */
function problemText({ syscall, message }: NodeJS.ErrnoException): string {
  return syscall === "uv_cwd" ? "the current folder no longer exists" : message;
}

import { version } from "../files/version.js";
import { exportCommand } from "./exportCommand.js";
import { HELP } from "./help.js";
import { hookCommand } from "./hookCommand.js";
import { hooksCommand } from "./hooksCommand.js";
import { openCommand } from "./openCommand.js";
import { UsageError } from "./options.js";
import { replayCommand } from "./replayCommand.js";
import { reportCommand } from "./reportCommand.js";
import { sampleCommand } from "./sampleCommand.js";
import type { Terminal } from "./terminal.js";
import { watchCommand } from "./watchCommand.js";

export type Command = (args: string[], terminal: Terminal) => Promise<number> | number;

const COMMANDS: Readonly<Record<string, Command>> = {
  report: reportCommand,
  replay: replayCommand,
  watch: watchCommand,
  export: exportCommand,
  open: openCommand,
  hook: hookCommand,
  hooks: hooksCommand,
  sample: sampleCommand,
};

/** Runs one command and gives the exit status: 0 done, 1 something could not be read, 2 wrong usage. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "", ...rest] = args;
  const wantsHelp = rest.includes("--help") || rest.includes("-h");
  if (name === "" || name === "help" || name === "--help" || name === "-h") {
    terminal.out(`${HELP[rest[0] ?? ""] ?? HELP[""]}\n`);
    return 0;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(`${version}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (command === undefined) throw new UsageError(`unknown command "${name}"`);
    if (wantsHelp) {
      terminal.out(`${HELP[name]}\n`);
      return 0;
    }
    return await command(rest, terminal);
  } catch (error) {
    const usage = error instanceof UsageError;
    const help = usage ? ` (see dedup-inspector ${command ? `${name} ` : ""}--help)` : "";
    terminal.say(`${(error as Error).message}${help}`);
    return usage ? 2 : 1;
  }
}

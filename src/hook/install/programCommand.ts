/** What stands in Claude Code's settings for live hints: the command of the hook program, and the folder of the mod. */
import { dataFolder, pathsOf, type System } from "../../files/folders.js";
import { hookSettings } from "../hookSettings.js";

/** The names by which Claude Code knows the mod. */
export const PLUGIN = "dedup-inspector";
export const MARKETPLACE = "dedup-inspector";

/**
 * Starts no program in a session that the mod looks after, but the shell that Claude Code starts anyway. Not on Windows:
 * where Git Bash is missing, newer versions run hooks in PowerShell, whose older versions take this for an error, and a
 * hook that fails there keeps the tool from running. So the program itself finds out.
 */
const UNLESS_MOD = `[ "$\{DEDUP_INSPECTOR_MOD:-none}" = "$CLAUDE_CODE_SESSION_ID" ] || `;

export function programPath(system: System = process): string {
  return pathsOf(system).join(dataFolder(system), "hook.js");
}

export function modFolder(system: System = process): string {
  return pathsOf(system).join(dataFolder(system), "mod");
}

/** For the shell that Claude Code runs it in. */
export function hookCommand(system: System = process): string {
  const command = programCommand([], system);
  return system.platform === "win32" ? command : UNLESS_MOD + command;
}

/** Runs the program with these arguments, whether there is a mod or not. */
export function programCommand(args: readonly string[], system: System = process): string {
  return ["node", programPath(system), ...args].map(word => quoted(word, system)).join(" ");
}

/** Whether install wrote this command. Other commands are not ours, even if they run the program or mention it. */
export function isHookCommand(command: string, system: System = process): boolean {
  const unconditional = command.startsWith(UNLESS_MOD) ? command.slice(UNLESS_MOD.length) : command;
  // Earlier versions put the settings there.
  return isCommandWith(unconditional, args => hookSettings(args) !== undefined, system);
}

/** Whether a command runs the program with arguments that install writes; `isWritten` may also throw if they are not. */
export function isCommandWith(
  command: string,
  isWritten: (args: readonly string[]) => boolean,
  system: System = process,
): boolean {
  const [node, program, ...args] = wordsOf(command, system);
  if (node !== "node") return false;
  try {
    return isWritten(args) && [...programPaths(system)].some(path => path === program);
  } catch {
    // Arguments that install did not write, or no home folder to look in.
    return false;
  }
}

/** Whether install put the mod there. */
export function isModFolder(path: unknown, system: System = process): boolean {
  try {
    return [...variants(system)].some(variant => modFolder(variant) === path);
  } catch {
    return false;
  }
}

/**
 * Where install puts the program, with and without XDG_DATA_HOME: not every shell of a user sets it. Version 1.0.0 also
 * wrote relative paths if a variable was empty.
 */
function* programPaths(system: System): Generator<string> {
  const { platform } = system;
  if (platform === "win32") yield "dedup-inspector\\Data\\hook.js";
  else if (platform === "darwin") yield "Library/Application Support/dedup-inspector/hook.js";
  else yield* ["dedup-inspector/hook.js", ".local/share/dedup-inspector/hook.js"];
  for (const variant of variants(system)) yield programPath(variant);
}

function* variants({ env, platform }: System): Generator<System> {
  const { XDG_DATA_HOME: _, ...others } = env;
  for (const variables of [env, others]) yield { env: variables, platform };
}

function quoted(word: string, { platform }: System): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The words of a command; none if it was not made with `quoted`. */
function wordsOf(command: string, system: System): string[] {
  const isWindows = system.platform === "win32";
  const found = command.match(isWindows ? /"(?:\\"|[^"])*"|[^\s"]+/g : /'(?:'\\''|[^'])*'|[^\s']+/g) ?? [];
  const words = found.map(word => {
    if (!/^["']/.test(word)) return word;
    return isWindows ? word.slice(1, -1).replaceAll('\\"', '"') : word.slice(1, -1).replaceAll("'\\''", "'");
  });
  return words.map(word => quoted(word, system)).join(" ") === command ? words : [];
}

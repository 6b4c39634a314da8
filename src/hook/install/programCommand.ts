/** What live hints add to Claude Code's settings: the command of the hook program, and the mod's folder. */
import { dataFolder, pathsOf, type System } from "../../files/folders.js";
import { hookSettings } from "../hookSettings.js";

/** Claude Code's names for the mod. */
export const PLUGIN = "dedup-inspector";
export const MARKETPLACE = "dedup-inspector";

/**
 * Starts no program in a session that the mod handles, other than the shell that Claude Code starts anyway. Not on
 * Windows: without Git Bash, newer versions run hooks in PowerShell, where older versions treat this as an error, and a
 * failing hook keeps the tool from running. There, the program checks for itself.
 */
const UNLESS_MOD = `[ "$\{DEDUP_INSPECTOR_MOD:-none}" = "$CLAUDE_CODE_SESSION_ID" ] || `;

export function programPath(system: System = process): string {
  return pathsOf(system).join(dataFolder(system), "hook.js");
}

export function modFolder(system: System = process): string {
  return pathsOf(system).join(dataFolder(system), "mod");
}

/** Quoted for the shell that Claude Code runs it in. */
export function hookCommand(system: System = process): string {
  const command = programCommand([], system);
  return system.platform === "win32" ? command : UNLESS_MOD + command;
}

/** Runs the program with these arguments, with or without a mod. */
export function programCommand(args: readonly string[], system: System = process): string {
  return ["node", programPath(system), ...args].map(word => quoted(word, system)).join(" ");
}

/** Whether install wrote this command. Other commands are not ours, even if they run or mention the program. */
export function isHookCommand(command: string, system: System = process): boolean {
  const unconditional = command.startsWith(UNLESS_MOD) ? command.slice(UNLESS_MOD.length) : command;
  // Earlier versions put the settings there.
  return isCommandWith(unconditional, args => hookSettings(args) !== undefined, system);
}

/** Whether a command runs the program with arguments that install writes; `isWritten` may also throw for others. */
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
    // Arguments that install did not write, or no home folder.
    return false;
  }
}

/** Whether install created this mod folder. */
export function isModFolder(path: unknown, system: System = process): boolean {
  try {
    return [...variants(system)].some(variant => modFolder(variant) === path);
  } catch {
    return false;
  }
}

/**
 * Where install puts the program, with and without XDG_DATA_HOME: a user may not set it in every shell. Version 1.0.0
 * also wrote relative paths if a variable was empty.
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

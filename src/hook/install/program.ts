/** The copy of the hook program that Claude Code runs: it stays in place when the package is updated or moved. */
import { lstatSync, promises } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, dataFolder, pathsOf, type System } from "../../files/folders.js";
import { readSmallFile } from "../../files/openFile.js";
import { type Mark, removeIfEmpty, removeOwnFiles } from "../../files/ownFiles.js";
import { writeWhole } from "../../files/wholeFile.js";
import { hookSettings } from "../settings.js";
import { SESSION_FILES } from "../stateFile.js";

/** The file that starts the program is copied last, so that it never starts an incomplete one. */
const FILES = ["hookProgram.js", "statusProgram.js", "hook.js"];
/** All files contain one of these names, and so does V8's code cache. */
const PROGRAM: Mark = {
  name: /^(?:hook\.js|(?:hook|status)Program\.(?:js|v[\w.-]+\.compiled))$/,
  begins: /dedup-inspector|hookProgram/,
};
const HOOK_LOG: Mark = { name: /^hook\.log$/, begins: /^\d{4}-\d\d-\d\dT/ };
const MAX_BYTES = 16 * 1024 * 1024;

export function programPath(system: System = process): string {
  return pathsOf(system).join(dataFolder(system), "hook.js");
}

/** Updates the copy. `shipped`: the hook program in the package. */
export async function copyProgram(shipped: string): Promise<void> {
  await promises.mkdir(dataFolder(), { recursive: true, mode: 0o700 });
  for (const name of FILES) await copyFile(join(dirname(shipped), name), join(dataFolder(), name));
}

async function copyFile(shipped: string, copy: string): Promise<void> {
  const program = await promises.readFile(shipped);
  const stats = lstatSync(copy, { throwIfNoEntry: false });
  if (stats !== undefined) {
    const present = stats.isFile() ? readSmallFile(copy, { maxBytes: MAX_BYTES }) : undefined;
    if (present?.equals(program)) return;
    const isOurs = present !== undefined && (present.length === 0 || PROGRAM.begins.test(present.toString("latin1")));
    if (!isOurs) throw new Error(`${copy} does not belong to this program and was not changed`);
  }
  await writeWhole(copy, program);
}

/** Removes the copy and the files that it wrote, and nothing else. */
export function removeProgram(): void {
  removeOwnFiles(dataFolder(), [PROGRAM]);
  removeOwnFiles(join(cacheFolder(), "hook"), [SESSION_FILES, HOOK_LOG]);
  removeIfEmpty(cacheFolder());
}

/** Quoted for a shell. */
export function hookCommand(args: readonly string[], system: System = process): string {
  return ["node", programPath(system), ...args].map(word => quoted(word, system)).join(" ");
}

/** Whether install wrote this command. Other commands are not ours, even if they run the program or mention it. */
export function isHookCommand(command: string, system: System = process): boolean {
  return isCommandWith(command, args => hookSettings(args) !== undefined, system);
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
    if (!isWritten(args)) return false;
    for (const path of programPaths(system)) if (path === program) return true;
  } catch {
    // Arguments that install does not write, or no home folder to look in.
  }
  return false;
}

/**
 * Where install puts the program, with and without XDG_DATA_HOME: not every shell of a user sets it. Version 1.0.0 also
 * wrote relative paths if a variable was empty.
 */
function* programPaths({ env, platform }: System): Generator<string> {
  if (platform === "win32") yield "dedup-inspector\\Data\\hook.js";
  else if (platform === "darwin") yield "Library/Application Support/dedup-inspector/hook.js";
  else yield* ["dedup-inspector/hook.js", ".local/share/dedup-inspector/hook.js"];
  const { XDG_DATA_HOME: _, ...others } = env;
  for (const variables of [env, others]) yield programPath({ env: variables, platform });
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

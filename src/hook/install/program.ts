/** The hook's own copy: it stays where it is when the package or the extension is updated or moved. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolder } from "../../tail/folders.js";

export function programPath(): string {
  return join(dataFolder(), "hook.js");
}

/** Brings the copy up to date with what was shipped: what starts the program comes last. */
export function copyProgram(shipped: string): void {
  mkdirSync(dataFolder(), { recursive: true, mode: 0o700 });
  copyFile(join(dirname(shipped), "hookProgram.js"), join(dataFolder(), "hookProgram.js"));
  copyFile(shipped, programPath());
}

function copyFile(shipped: string, copy: string): void {
  if (existsSync(copy) && readFileSync(copy).equals(readFileSync(shipped))) return;
  // A call that starts meanwhile finds the old file or the new one, never half of it.
  const temporary = `${copy}.${process.pid}.tmp`;
  copyFileSync(shipped, temporary);
  renameSync(temporary, copy);
}

/** As a shell reads it back. */
export function hookCommand(args: readonly string[]): string {
  return ["node", programPath(), ...args].map(quoted).join(" ");
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The hook program's own copy: it stays where it is when the package or the extension is updated or moved. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../tail/folders.js";

export function programPath(): string {
  return join(dataFolder(), "hook.js");
}

/** Brings the copy up to date with the program that was shipped. */
export function copyProgram(shipped: string): void {
  const copy = programPath();
  if (existsSync(copy) && readFileSync(copy).equals(readFileSync(shipped))) return;
  mkdirSync(dataFolder(), { recursive: true, mode: 0o700 });
  // A call that starts meanwhile finds the old program or the new one, never half of it.
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

/** Claude Code's settings files: where they are, and how one is replaced whole or not at all. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export const SCOPES = ["user", "project", "local"] as const;
/** All of the user's projects; this project, for everyone who works on it; this project, for the user alone. */
export type Scope = (typeof SCOPES)[number];

export interface Places {
  /** Claude Code's own folder, where the user's settings are. */
  readonly configFolder: string;
  readonly project: string;
}

export function defaultConfigFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? homedir(), ".claude");
}

export function settingsFileOf(scope: Scope, { configFolder, project }: Places): string {
  if (scope === "user") return join(configFolder, "settings.json");
  return join(project, ".claude", scope === "project" ? "settings.json" : "settings.local.json");
}

/** Undefined where there is none. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A settings file is often a link into a folder of dotfiles: the link stays, and so do the file's permissions. */
export function replaceFile(path: string, content: string): void {
  const file = statSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(temporary, "wx", mode & 0o777);
    try {
      writeSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

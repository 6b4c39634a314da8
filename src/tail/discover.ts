import { type BigIntStats, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isTranscript } from "../log/layout.js";
import { SeenPlaces } from "./seenPlaces.js";

export interface FoundLog {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written to, in whole milliseconds since 1970. */
  readonly modified: number;
  readonly ino: number;
}

export interface Discovery {
  readonly logs: FoundLog[];
  /** One clear line for each path that could not be read. */
  readonly problems: string[];
  /** Things worth saying that are no failure. */
  readonly notes: string[];
}

/** The folders in which Claude Code keeps its projects' logs, the ones that exist. */
export function defaultRoots(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string[] {
  // As Claude Code does: what other programs set HOME to on Windows does not count.
  const home = env[platform === "win32" ? "USERPROFILE" : "HOME"] ?? homedir();
  const configured = (env["CLAUDE_CONFIG_DIR"] ?? "").split(",").filter(dir => dir.trim() !== "");
  const roots = configured.length > 0 ? configured : [join(home, ".claude"), join(home, ".config", "claude")];
  return roots.map(root => join(root.trim(), "projects")).filter(isFolder);
}

/** Finds the logs behind paths: a path is a log file or a folder that is searched to its end. */
export function findLogs(paths: readonly string[]): Discovery {
  const found: Discovery = { logs: [], problems: [], notes: [] };
  const seen = new SeenPlaces();
  for (const path of paths) {
    const before = seen.count + found.problems.length;
    const logs = found.logs.length;
    visit(path, found, seen, true);
    const isSeenBefore = seen.count + found.problems.length === before;
    const isFruitless = found.logs.length === logs && isFolder(path);
    if (isFruitless && !isSeenBefore) found.notes.push(`no Claude Code logs (.jsonl) in ${path}`);
  }
  return found;
}

function visit(path: string, found: Discovery, seen: SeenPlaces, named: boolean): void {
  try {
    const stats = statSync(path, { bigint: true });
    if (!stats.isDirectory() && !named && !isTranscript(path)) return;
    if (!seen.isNew(stats)) return;
    if (stats.isDirectory()) return searchFolder(path, found, seen);
    if (!stats.isFile()) found.problems.push(`${NOT_A_FILE}: ${path}`);
    // A log of 0 bytes means "not here yet".
    else if (stats.size === 0n) {
      if (named) found.notes.push(`empty log: ${path}`);
    } else found.logs.push(foundLog(path, stats));
  } catch (error) {
    found.problems.push(`${problemOf(error)}: ${path}`);
  }
}

function foundLog(path: string, { size, mtimeMs, ino }: BigIntStats): FoundLog {
  return { path, bytes: Number(size), modified: Number(mtimeMs), ino: Number(ino) };
}

function searchFolder(folder: string, found: Discovery, seen: SeenPlaces): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() || entry.name.endsWith(".jsonl")) visit(path, found, seen, false);
    else if (entry.isSymbolicLink() && isFolder(path)) visit(path, found, seen, false);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const NOT_A_FILE = "not a file";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "no permission to read",
  EPERM: "no permission to read",
  EISDIR: "is a folder",
  ELOOP: "a link that leads to itself",
  EMFILE: "too many open files",
  EINVAL: NOT_A_FILE,
  // What opening a socket gives.
  ENXIO: NOT_A_FILE,
  EFBIG: "too large",
  ERR_UNC_HOST_NOT_ALLOWED: "VS Code is not allowed to use this network host (security.allowedUNCHosts)",
};

/** A file system error in plain words. */
export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && PROBLEMS[code]) ?? code ?? message;
}

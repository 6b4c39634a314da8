/**
 * Where this program keeps its files on each system, and where Claude Code keeps its own. A path that depended on the
 * current folder could belong to anybody: an empty variable or a relative path counts as not set, as the XDG
 * specification requires, and if that leaves no absolute path, nothing is read or written.
 */
import { realpathSync, statSync } from "node:fs";
import { posix, resolve, win32 } from "node:path";

const NAME = "dedup-inspector";
const CLAUDE = "CLAUDE_CONFIG_DIR";

/** What the paths depend on; `process` implements it. */
export interface System {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** For files that can be deleted at any time. */
export function cacheFolder(system: System = process): string {
  const { join } = pathsOf(system);
  if (system.platform === "win32") return join(localAppData(system), NAME, "Cache");
  if (system.platform === "darwin") return join(homeFolder(system), "Library", "Caches", NAME);
  return join(absolute("XDG_CACHE_HOME", system) ?? join(homeFolder(system), ".cache"), NAME);
}

/** For files that must stay until the user removes them. */
export function dataFolder(system: System = process): string {
  const { join } = pathsOf(system);
  if (system.platform === "win32") return join(localAppData(system), NAME, "Data");
  if (system.platform === "darwin") return join(homeFolder(system), "Library", "Application Support", NAME);
  return join(absolute("XDG_DATA_HOME", system) ?? join(homeFolder(system), ".local", "share"), NAME);
}

export function homeFolder(system: System = process): string {
  const home = findHome(system);
  if (home !== undefined) return home;
  throw new Error(`there is no home folder: ${homeVariable(system)} is not set to an absolute path`);
}

/** The system's folder for temporary files, shared with other programs. */
export function temporaryFolder(): string {
  const folder = process.getBuiltinModule("node:os").tmpdir();
  if (isAbsolute(folder, process)) return folder;
  return process.platform === "win32" ? win32.join(localAppData(process), "Temp") : "/tmp";
}

/**
 * Claude Code's own folders: the ones whose settings it reads. Claude Code treats the variable as a single path; other
 * programs treat it as a list. If the whole value is not a folder but parts of it are, a list was meant: Claude Code is
 * started with one or the other of them.
 */
export function claudeFolders(system: System = process): string[] {
  const named = system.env[CLAUDE] ?? "";
  if (named === "") return [pathsOf(system).join(homeFolder(system), ".claude")];
  const parts = isFolder(named) ? [] : partsOf(named);
  const listed = parts.length > 1 ? parts.filter(isFolder) : [];
  return (listed.length > 0 ? listed : [named]).map(folder => {
    if (!isAbsolute(folder, system)) throw new Error(`${CLAUDE} is not an absolute path: ${folder}`);
    return folder.normalize("NFC");
  });
}

/** All folders that may hold Claude Code's logs, whether they exist or not: for reading, a list is fine. */
export function claudeLogFolders(system: System = process): string[] {
  const { join } = pathsOf(system);
  const named = system.env[CLAUDE] ?? "";
  const folders = isFolder(named) ? [named] : partsOf(named);
  if (folders.length > 0) return folders.map(folder => join(resolvedFor(folder, system), "projects"));
  const home = findHome(system);
  return home === undefined ? [] : [".claude", join(".config", "claude")].map(name => join(home, name, "projects"));
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Also without the links in their paths: on macOS, a program started in /tmp is in /private/tmp. */
export function withRealPaths(folders: readonly string[]): string[] {
  const real = folders.flatMap(folder => {
    try {
      return realpathSync.native(folder);
    } catch {
      return [];
    }
  });
  return [...new Set([...folders, ...real])];
}

function localAppData(system: System): string {
  return absolute("LOCALAPPDATA", system) ?? pathsOf(system).join(homeFolder(system), "AppData", "Local");
}

/** The value of a variable, if it is an absolute path. */
function absolute(name: string, system: System): string | undefined {
  const value = system.env[name];
  return value !== undefined && isAbsolute(value, system) ? value : undefined;
}

function isAbsolute(path: string, system: System): boolean {
  return pathsOf(system).isAbsolute(path);
}

function findHome(system: System): string | undefined {
  const home = absolute(homeVariable(system), system) ?? accountsHome();
  return isAbsolute(home, system) ? home : undefined;
}

/** Like Claude Code, this ignores HOME on Windows, which only some programs set there. */
function homeVariable({ platform }: System): string {
  return platform === "win32" ? "USERPROFILE" : "HOME";
}

/** From the system's accounts; loaded only if needed, because the hook is a new process for every call. */
function accountsHome(): string {
  try {
    return process.getBuiltinModule("node:os").userInfo().homedir;
  } catch {
    return "";
  }
}

function partsOf(list: string): string[] {
  return list.split(",").flatMap(part => part.trim() || []);
}

/** Claude Code also resolves relative paths against its current folder. */
function resolvedFor(folder: string, system: System): string {
  return isAbsolute(folder, system) ? folder : resolve(folder);
}

/** The path functions of a system. */
export function pathsOf({ platform }: System): typeof posix {
  return platform === "win32" ? win32 : posix;
}

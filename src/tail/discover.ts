import { type BigIntStats, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { claudeLogFolders, isFolder, type System } from "../files/folders.js";
import { isTranscript } from "../log/layout.js";
import { placeOf, SeenPlaces } from "./seenPlaces.js";

/** What tells that a log has changed; another file may take its name with the same size and time. */
export interface LogState {
  readonly bytes: number;
  /** When it was last written to, in whole milliseconds since 1970. */
  readonly modified: number;
  readonly ino: number;
}

export interface FoundLog extends LogState {
  readonly path: string;
}

/** A folder that was searched. */
export interface FoundFolder {
  readonly path: string;
  /** Tells it from another that takes its name. */
  readonly place: string;
}

export interface Discovery {
  readonly logs: FoundLog[];
  readonly folders: FoundFolder[];
  /** One clear line for each path that could not be read. */
  readonly problems: string[];
  /** Things worth saying that are no failure. */
  readonly notes: string[];
}

/** The folders in which Claude Code keeps its projects' logs, the ones that exist. */
export function defaultRoots(system: System = process): string[] {
  return claudeLogFolders(system).filter(isFolder);
}

/** Claude Code nests six. Nobody nests this many but to make a search take for ever. */
const MAX_DEPTH = 64;

/**
 * Finds the logs behind paths: a path is a log file or a folder that is searched to its end. Links are followed, and
 * what was met already is passed over, whatever name leads to it. This is the only walk there is: the report, the
 * watch and the panels all see the same logs under the same names. `skips`: folders that are not to be searched.
 */
export function findLogs(paths: readonly string[], skips: (folder: FoundFolder) => boolean = () => false): Discovery {
  const walk = new Walk(skips);
  for (const path of paths) walk.start(path);
  return walk.found;
}

class Walk {
  readonly found: Discovery = { logs: [], folders: [], problems: [], notes: [] };
  readonly #skips: (folder: FoundFolder) => boolean;
  readonly #seen = new SeenPlaces();
  /** Links wait until every folder proper has been searched: a log keeps its own name when a link to it appears. */
  readonly #links: { readonly path: string; readonly depth: number }[] = [];

  constructor(skips: (folder: FoundFolder) => boolean) {
    this.#skips = skips;
  }

  start(path: string): void {
    const { found } = this;
    const before = this.#seen.count + found.problems.length;
    const logs = found.logs.length;
    this.#visit(path, 0);
    for (let link = this.#links.shift(); link !== undefined; link = this.#links.shift())
      this.#visit(link.path, link.depth);
    const isSeenBefore = this.#seen.count + found.problems.length === before;
    const isFruitless = found.logs.length === logs && isFolder(path);
    if (isFruitless && !isSeenBefore) found.notes.push(`no Claude Code logs (.jsonl) in ${path}`);
  }

  #visit(path: string, depth: number): void {
    const { found } = this;
    const named = depth === 0;
    try {
      const stats = statSync(path, { bigint: true });
      if (!stats.isDirectory() && !named && !isTranscript(path)) return;
      const place = placeOf(path, stats);
      if (!this.#seen.isNew(place)) return;
      if (stats.isDirectory()) return this.#search({ path, place }, depth);
      if (!stats.isFile()) found.problems.push(`${NOT_A_FILE}: ${path}`);
      // A log of 0 bytes means "not here yet".
      else if (stats.size === 0n) {
        if (named) found.notes.push(`empty log: ${path}`);
      } else found.logs.push({ path, ...stateOf(stats) });
    } catch (error) {
      found.problems.push(`${problemOf(error)}: ${path}`);
    }
  }

  #search(folder: FoundFolder, depth: number): void {
    if (this.#skips(folder)) return;
    if (depth > MAX_DEPTH) {
      this.found.problems.push(`more than ${MAX_DEPTH} folders deep, not searched: ${folder.path}`);
      return;
    }
    this.found.folders.push(folder);
    const entries = readdirSync(folder.path, { withFileTypes: true });
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = join(folder.path, entry.name);
      if (entry.isSymbolicLink()) {
        if (entry.name.endsWith(".jsonl") || isFolder(path)) this.#links.push({ path, depth: depth + 1 });
      } else if (entry.isDirectory() || entry.name.endsWith(".jsonl")) this.#visit(path, depth + 1);
    }
  }
}

export function stateOf({ size, mtimeMs, ino }: BigIntStats): LogState {
  return { bytes: Number(size), modified: Number(mtimeMs), ino: Number(ino) };
}

/** However the folder is spelt: "." too holds "session.jsonl". */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

const NOT_A_FILE = "not a file";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "no permission to read",
  EPERM: "no permission to read",
  EISDIR: "is a folder",
  ELOOP: "a link that leads to itself",
  EMFILE: "too many open files",
  EINVAL: NOT_A_FILE,
  // What opening a socket gives.
  ENXIO: NOT_A_FILE,
  EFBIG: "too large",
  ENOSPC: "no space left on the device",
  EIO: "the device reported an error",
  ERR_UNC_HOST_NOT_ALLOWED: "VS Code is not allowed to use this network host (security.allowedUNCHosts)",
};

/** A file system error in plain words. */
export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && PROBLEMS[code]) ?? code ?? message;
}

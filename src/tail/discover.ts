import { type BigIntStats, readdirSync, realpathSync, statSync } from "node:fs";
import nodePath, { join, type PlatformPath } from "node:path";
import { claudeLogFolders, isFolder, type System } from "../files/folders.js";
import { problemOf } from "../files/openFile.js";
import { stampOf } from "../files/stamp.js";
import { isTranscript } from "../log/sessionFiles.js";

/** If any of these differs, the log has changed; another file may take its name with the same size and time. */
export interface LogState {
  readonly bytes: number;
  /** When it was last written to, in whole milliseconds since 1970. */
  readonly modified: number;
  readonly ino: number;
}

export interface FoundLog extends LogState {
  readonly path: string;
  /** As found by a search: see `stampOf`. */
  readonly stamp?: string;
}

export interface StampedLog extends FoundLog {
  readonly stamp: string;
}

/** A folder that was searched. */
export interface FoundFolder {
  readonly path: string;
  /** Distinguishes it from another folder that takes its name: see `placeOf`. */
  readonly place: string;
}

export interface Discovery {
  readonly logs: StampedLog[];
  readonly folders: FoundFolder[];
  /** One line for the user about each path that could not be read. */
  readonly problems: string[];
  /** Whether any of the paths asked for is a log or a folder that could be read, whatever is in it. */
  isUsable: boolean;
  /** Worth telling the user, but not failures. */
  readonly notes: string[];
}

/** The existing folders in which Claude Code keeps its logs. */
export function defaultRoots(system: System = process): string[] {
  return claudeLogFolders(system).filter(isFolder);
}

/** Claude Code nests six levels. Nobody nests this many except to make a search take forever. */
const MAX_DEPTH = 64;
/**
 * Claude Code creates a few for each session. An automounter may show a folder within itself, as another place each time
 * and under several names: it has no end, and its depth alone would be no limit.
 */
const MAX_FOLDERS = 200_000;

export interface SearchOptions {
  /** Folders to skip. */
  readonly skips?: (folder: FoundFolder) => boolean;
  /** How many folders to search for each path; for tests. */
  readonly maxFolders?: number;
}

/**
 * Finds all logs: a path is a log file, or a folder that is searched level by level. Links are followed, and every place
 * is visited once, whatever names lead to it. The report, the watch command and the panels all use this search, so they
 * see the same logs under the same names.
 */
export function findLogs(paths: readonly string[], options: SearchOptions = {}): Discovery {
  const walk = new Walk(options);
  for (const path of paths) walk.start(path);
  return walk.found;
}

class Walk {
  readonly found: Discovery = { logs: [], folders: [], problems: [], isUsable: false, notes: [] };
  readonly #options: SearchOptions;
  /** The places visited: links may lead to one twice, or in a circle. */
  readonly #seen = new Set<string>();
  /** Links wait until all real folders have been searched, so that a log keeps its name if a link to it appears. */
  readonly #links: { readonly path: string; readonly depth: number }[] = [];
  /** The next level: what is near is found before any limit is reached. */
  #next: { readonly folder: FoundFolder; readonly depth: number }[] = [];
  /** How many more folders of the current path are searched. */
  #left = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  start(path: string): void {
    const { found } = this;
    const before = this.#seen.size + found.problems.length;
    const logs = found.logs.length;
    this.#left = this.#options.maxFolders ?? MAX_FOLDERS;
    this.#visit(path, 0);
    this.#searchNext();
    for (let link = this.#links.shift(); link !== undefined; link = this.#links.shift()) {
      this.#visit(link.path, link.depth);
      this.#searchNext();
    }
    if (this.#left < 0) found.problems.push(`too many folders; some were not searched: ${path}`);
    const isVisitedBefore = this.#seen.size + found.problems.length === before;
    const isWithoutLogs = found.logs.length === logs && isFolder(path);
    if (isWithoutLogs && !isVisitedBefore && this.#left >= 0)
      found.notes.push(`no Claude Code logs (.jsonl) in ${path}`);
  }

  #visit(path: string, depth: number): void {
    const { found } = this;
    const named = depth === 0;
    try {
      const stats = statSync(path, { bigint: true });
      if (!stats.isDirectory() && !named && !isTranscript(path)) return;
      const place = placeOf(path, stats);
      if (this.#seen.has(place)) return;
      this.#seen.add(place);
      if (stats.isDirectory()) {
        const folder = { path, place };
        if (named) this.#search(folder, depth);
        else this.#next.push({ folder, depth });
      } else if (!stats.isFile()) return void found.problems.push(`not a file: ${path}`);
      // An empty log has only just been created.
      else if (stats.size === 0n) {
        if (named) found.notes.push(`empty log: ${path}`);
      } else found.logs.push({ path, ...stateOf(stats), stamp: stampOf(stats) });
      if (named) found.isUsable = true;
    } catch (error) {
      found.problems.push(`${problemOf(error)}: ${path}`);
    }
  }

  #searchNext(): void {
    while (this.#next.length > 0) {
      const level = this.#next;
      this.#next = [];
      for (const { folder, depth } of level) {
        try {
          this.#search(folder, depth);
        } catch (error) {
          this.found.problems.push(`${problemOf(error)}: ${folder.path}`);
        }
      }
    }
  }

  #search(folder: FoundFolder, depth: number): void {
    if (this.#options.skips?.(folder)) return;
    if (this.#left < 0 || --this.#left < 0) return;
    if (depth > MAX_DEPTH) {
      this.found.problems.push(`more than ${MAX_DEPTH} folders deep, not searched: ${folder.path}`);
      return;
    }
    this.found.folders.push(folder);
    const entries = readdirSync(folder.path, { withFileTypes: true });
    // Joined once: joining every name would take as long as checking the files.
    const within = join(folder.path, "_").slice(0, -1);
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = within + entry.name;
      if (entry.isSymbolicLink()) {
        if (entry.name.endsWith(".jsonl") || isFolder(path)) this.#links.push({ path, depth: depth + 1 });
      } else if (entry.isDirectory() || entry.name.endsWith(".jsonl")) this.#visit(path, depth + 1);
    }
  }
}

/**
 * Identifies a file or folder, whatever name leads to it. Windows has 64-bit file numbers: as plain numbers, two
 * neighbors would be equal and a log would be skipped. File systems without numbers report 0: the real path is used.
 */
export function placeOf(path: string, { dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return ino === 0n ? realpathSync.native(path) : `${dev}:${ino}`;
}

export function stateOf({ size, mtimeMs, ino }: BigIntStats): LogState {
  return { bytes: Number(size), modified: Number(mtimeMs), ino: Number(ino) };
}

/** Works for any spelling of the folder: "session.jsonl" is within ".". Nothing is within a folder on another drive. */
export function isWithin(
  folder: string,
  path: string,
  { relative, isAbsolute }: Pick<PlatformPath, "relative" | "isAbsolute"> = nodePath,
): boolean {
  const way = relative(folder, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

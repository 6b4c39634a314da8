/**
 * The folder of an export. It is written under a temporary name next to its destination and moved there as a whole, so
 * there is either the old export or the new one; and only one of our own exports is ever replaced.
 */
import {
  lstatSync,
  mkdirSync,
  type PathLike,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "../files/makeFolder.js";
import { readSmallFile } from "../files/openFile.js";
import { patiently } from "../files/wholeFile.js";
import { isWithin } from "../tail/discover.js";
import type { ExportFormat } from "./tableFile.js";
import { TABLE_NAMES, type TableName } from "./tables.js";

const DESCRIPTION = "export.json";
const PROGRAM = "dedup-inspector";
const MAX_DESCRIPTION_BYTES = 1024 * 1024;
/** The standard name for a missing value in such folders. */
const NO_DAY = "__HIVE_DEFAULT_PARTITION__";
const DAY = new RegExp(`^day=(?:\\d{4}-\\d\\d-\\d\\d|${NO_DAY})$`);
const SPOOL = "spool";
const PART = /^part-0\.(?:parquet|ndjson|csv)$/;
/** What Finder and Explorer write into folders that people look at. */
const OF_SYSTEMS: ReadonlySet<string> = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

export class ExportFolder {
  /** For files that are only needed while the tables are made. */
  readonly spool: string;
  readonly #place: string;
  readonly #unfinished: string;
  /** Where the earlier export is while this one takes its place. */
  #old: string | undefined;
  #isDone = false;

  /** Throws if the destination contains anything but one of our exports. */
  constructor(out: string) {
    this.#place = resolve(out);
    refuseForeign(this.#place, out);
    removeLeftBehind(this.#place);
    this.#unfinished = temporaryName(this.#place);
    this.spool = join(this.#unfinished, SPOOL);
    makeFolder(this.#unfinished, 0o777);
    mkdirSync(this.spool, { mode: 0o700 });
  }

  /** Whether there is an earlier export in its place. */
  get replaces(): boolean {
    return kindOf(join(this.#place, DESCRIPTION)) !== undefined;
  }

  /** Where to write a table's rows of one day. */
  fileFor(table: TableName, day: string | undefined, format: ExportFormat): string {
    const folder = join(this.#unfinished, table, `day=${day ?? NO_DAY}`);
    makeFolder(folder, 0o777);
    return join(folder, `part-0.${format}`);
  }

  /** Moves the export to its destination. */
  async finish(description: object): Promise<void> {
    rmSync(this.spool, { recursive: true, maxRetries: RETRIES });
    const text = JSON.stringify({ program: PROGRAM, ...description }, undefined, 2);
    writeFileSync(join(this.#unfinished, DESCRIPTION), Buffer.from(`${text}\n`));
    // It may have been replaced in the meantime.
    refuseForeign(this.#place, this.#place);
    if (kindOf(this.#place) !== undefined) await patiently(() => this.#setAside(temporaryName(this.#place)));
    await patiently(() => this.#publish());
    if (this.#old !== undefined) removeExport(this.#old);
  }

  #setAside(old: string): void {
    renameSync(this.#place, old);
    this.#old = old;
  }

  #publish(): void {
    renameSync(this.#unfinished, this.#place);
    this.#isDone = true;
  }

  /** Removes an unfinished export and puts the earlier one back; does nothing after `finish`. */
  discard(): void {
    if (this.#isDone) return;
    if (this.#old !== undefined) renameSync(this.#old, this.#place);
    this.#old = undefined;
    rmSync(this.#unfinished, { recursive: true, force: true, maxRetries: RETRIES });
  }
}

/** On Windows, other programs may have files open for a moment. */
const RETRIES = 5;

function refuseForeign(place: string, name: string): void {
  const kind = kindOf(place);
  if (kind === undefined) return;
  if (!kind.isDirectory()) throw new Error(`not a folder: ${name}`);
  if (isWithin(place, process.cwd())) throw new Error(`${name} is or contains the current folder`);
  const foreign = namesIn(place).length === 0 ? undefined : foreignIn(place);
  if (foreign !== undefined) throw new Error(`${name} is not an export of this program: it ${foreign}`);
}

/** What is wrong with a folder that is not one of our exports; undefined for one that is. */
function foreignIn(place: string): string | undefined {
  if (!isOurs(join(place, DESCRIPTION))) return `has no ${DESCRIPTION} written by Dedup Inspector`;
  const top = namesIn(place).filter(name => name !== DESCRIPTION);
  const unknown = top.find(name => !TABLE_NAMES.some(table => table === name));
  if (unknown !== undefined) return `contains ${unknown}`;
  for (const table of top) {
    for (const day of namesIn(join(place, table))) {
      if (!DAY.test(day)) return `contains ${table}/${day}`;
      const other = namesIn(join(place, table, day)).find(name => !PART.test(name));
      if (other !== undefined) return `contains ${table}/${day}/${other}`;
    }
  }
  return undefined;
}

function isOurs(description: string): boolean {
  try {
    const bytes = readSmallFile(description, { maxBytes: MAX_DESCRIPTION_BYTES });
    return (JSON.parse(bytes.toString()) as { program?: unknown } | null)?.program === PROGRAM;
  } catch {
    return false;
  }
}

/** Removes the files of an export one by one, and its folders only if they are empty then. */
function removeExport(place: string): void {
  for (const table of namesIn(place).filter(name => name !== DESCRIPTION)) {
    for (const day of namesIn(join(place, table))) {
      for (const name of namesIn(join(place, table, day)).filter(one => PART.test(one))) {
        rmSync(join(place, table, day, name));
      }
      removeFolder(join(place, table, day));
    }
    removeFolder(join(place, table));
  }
  rmSync(join(place, DESCRIPTION), { force: true });
  removeFolder(place);
}

/** If nothing else is in it. */
function removeFolder(folder: string): void {
  for (const name of OF_SYSTEMS) rmSync(join(folder, name), { force: true });
  rmdirSync(folder);
}

/** Without what the system adds. */
function namesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap(entry => (entry.isFile() && OF_SYSTEMS.has(entry.name) ? [] : [entry.name]));
}

/** If an export has not been touched for this long, and its process is gone, it was killed. */
const LEFT_BEHIND_MS = 86_400_000;

/** Removes leftovers of a killed export to the same place; anything not certainly ours stays. */
function removeLeftBehind(place: string): void {
  try {
    for (const name of readdirSync(dirname(place))) {
      const [, base, owner] = /^(.*)\.(\d+)\.[\da-z]+\.tmp$/s.exec(name) ?? [];
      if (base !== basename(place) || isRunning(Number(owner))) continue;
      const folder = join(dirname(place), name);
      const inside = namesIn(folder);
      const isOurs = inside.every(
        one => one === SPOOL || one === DESCRIPTION || TABLE_NAMES.some(table => table === one),
      );
      const touched = [folder, ...inside.map(one => join(folder, one))].map(
        path => kindOf(path)?.mtimeMs ?? Date.now(),
      );
      const isOld = Date.now() - Math.max(...touched) > LEFT_BEHIND_MS;
      if (inside.includes(SPOOL) && isOurs && isOld) rmSync(folder, { recursive: true });
    }
  } catch {
    // It can wait.
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function kindOf(path: PathLike): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function temporaryName(place: string): string {
  return `${place}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}

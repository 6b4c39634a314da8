import { appendFileSync, closeSync, openSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeFolder } from "../files/makeFolder.js";
import { writeProblemOf } from "../files/openFile.js";
import { removeIfEmpty } from "../files/ownFiles.js";
import { linesInOrder, type SampleFile, sampleFiles, sessionFile } from "../files/sampleFiles.js";
import { readArguments, text, UsageError } from "./options.js";
import type { Terminal } from "./terminal.js";

/** Between two lines of a session that is replayed live. */
const LIVE_PAUSE_MS = 250;

/** The bundled session is next to the built program. */
export function samplePath(): string {
  return join(__dirname, "..", "media", "sample.jsonl");
}

export async function sampleCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, { out: { type: "string" }, live: { type: "boolean" } });
  if (paths.length > 0) throw new UsageError(`sample takes no path: use --out ${paths[0]}`);
  const out = text(values, "out");
  // Standard output, and a file without a log's extension, have no place for the subagents.
  const files = sampleFiles(samplePath()).slice(0, out?.endsWith(".jsonl") ? undefined : 1);
  const pieces = values["live"] === true ? linesInOrder(files) : files.map(file => ({ file, text: file.text }));
  const written = out === undefined ? undefined : new NewFiles(out);
  try {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && values["live"] === true) await wait(LIVE_PAUSE_MS);
      if (written === undefined) terminal.out(piece.text);
      else written.append(piece.file, piece.text);
    }
  } catch (error) {
    if (written === undefined) throw error;
    // The names were free before, and half a sample is useless.
    written.remove();
    throw error;
  }
  return 0;
}

/** The sample's files, none of which existed before. */
class NewFiles {
  readonly #log: string;
  readonly #files = new Set<string>();
  /** Deepest first. */
  readonly #folders: string[] = [];

  constructor(log: string) {
    this.#log = log;
    this.#create(log);
  }

  append({ below }: SampleFile, piece: string): void {
    const path = sessionFile(this.#log, below);
    if (!this.#files.has(path)) this.#create(path);
    try {
      appendFileSync(path, piece);
    } catch (error) {
      throw new Error(`${writeProblemOf(error)}: ${path}`);
    }
  }

  remove(): void {
    for (const file of this.#files) rmSync(file, { force: true });
    for (const folder of this.#folders) removeIfEmpty(folder);
  }

  /** Never replaces a file: it could be a real log. */
  #create(path: string): void {
    try {
      if (path !== this.#log) this.#createFolder(resolve(dirname(path)));
      closeSync(openSync(path, "wx"));
      this.#files.add(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new Error(`${path} already exists`);
      throw new Error(`${writeProblemOf(error)}: ${path}`);
    }
  }

  #createFolder(folder: string): void {
    const first = makeFolder(folder, 0o777);
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) this.#folders.push(made);
  }
}

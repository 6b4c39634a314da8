import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { problemOf } from "../files/openFile.js";
import { readArguments, text, UsageError } from "./options.js";
import type { Terminal } from "./terminal.js";

/** Between two lines of a session that is replayed as if it were running. */
const LIVE_PAUSE_MS = 250;

/** The bundled session lies beside the built program. */
export function samplePath(): string {
  return join(__dirname, "..", "media", "sample.jsonl");
}

export async function sampleCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, { out: { type: "string" }, live: { type: "boolean" } });
  if (paths.length > 0) throw new UsageError(`sample takes no path: use --out ${paths[0]}`);
  const out = text(values, "out");
  const sample = readFileSync(samplePath(), "utf8");
  const pieces = values["live"] === true ? sample.split(/(?<=\n)/) : [sample];
  const file = out === undefined ? undefined : create(out);
  try {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await wait(LIVE_PAUSE_MS);
      if (file === undefined) terminal.out(piece);
      else writeFileSync(file, piece);
    }
  } catch (error) {
    if (out === undefined) throw error;
    // The name was free before: half a sample is of no use to anybody.
    rmSync(out, { force: true });
    throw new Error(`${problemOf(error)}: ${out}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return 0;
}

/** A sample never replaces a file: it could be somebody's log. */
function create(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new Error(`${path} already exists`);
    throw new Error(`${problemOf(error)}: ${path}`);
  }
}

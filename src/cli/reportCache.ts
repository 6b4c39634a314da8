/**
 * The last reports: while no log has changed, asking again, or for the same in another form, needs no log and no replay.
 * A damaged file, or one of another version, is as good as none.
 */
import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Report } from "../inspect/report.js";
import type { FoundLog } from "../tail/discover.js";
import { identify } from "../tail/identity.js";
import { withOpenFile } from "../tail/readLog.js";
import { version } from "./version.js";

/** Counts up whenever a report changes without the program's version. */
const FORMAT = `report 1 of ${version}, node ${process.versions.modules}`;
const MOST_KEPT = 8;
const SUM_LENGTH = 64;

export interface MadeReport {
  readonly report: Report;
  /** What was said about damaged logs. */
  readonly said: readonly string[];
}

/** What a report depends on: what was asked for, and every log. Undefined where one cannot be read. */
export function stateOf(logs: readonly FoundLog[], asked: unknown): string | undefined {
  try {
    const identities = logs.map(({ path }) => [path, withOpenFile(path, file => identify(file))]);
    return hash("sha256", JSON.stringify([FORMAT, asked, identities]), "hex");
  } catch {
    return undefined;
  }
}

export class ReportCache {
  readonly #folder: string;

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "reports");
  }

  recall(state: string): MadeReport | undefined {
    try {
      const bytes = readFileSync(join(this.#folder, state));
      const body = bytes.subarray(SUM_LENGTH);
      return bytes.toString("latin1", 0, SUM_LENGTH) === sumOf(body) ? (deserialize(body) as MadeReport) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Written whole to another name first: a reader never sees half a file. Failing to write only costs time later. */
  remember(state: string, made: MadeReport): void {
    const body = serialize(made);
    const temporary = join(this.#folder, `${state}.${process.pid}`);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, Buffer.concat([Buffer.from(sumOf(body), "latin1"), body]), { mode: 0o600 });
      renameSync(temporary, join(this.#folder, state));
      this.#tidy();
    } catch {
      // The next one that is written takes its place.
    }
  }

  #tidy(): void {
    const files = readdirSync(this.#folder).map(name => join(this.#folder, name));
    const newestFirst = files.map(file => ({ file, at: statSync(file).mtimeMs })).sort((one, two) => two.at - one.at);
    for (const { file } of newestFirst.slice(MOST_KEPT)) rmSync(file, { force: true });
  }
}

function sumOf(bytes: Buffer): string {
  return hash("sha256", bytes, "hex");
}

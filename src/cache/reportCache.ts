/**
 * The last reports: while no log has changed, asking again, or for another output format, needs neither logs nor replay.
 * A damaged file, or one of another version, is treated as missing.
 */
import { hash } from "node:crypto";
import { type BigIntStats, fstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { cacheFolder } from "../files/folders.js";
import { identify } from "../files/identity.js";
import { withOpenFile } from "../files/openFile.js";
import type { Mark } from "../files/ownFiles.js";
import { version } from "../files/version.js";
import type { Report } from "../inspect/report.js";
import type { FoundLog } from "../tail/discover.js";
import { KeptFiles } from "./keptFiles.js";

/** Incremented whenever reports change without a new version of the program. */
const FORMAT = `report 5 of ${version}, node ${process.versions.modules}`;
/** A checksum, then data serialized by V8. */
const MARK: Mark = { name: /^[0-9a-f]{64}$/, begins: /^[0-9a-f]{64}\xff/ };
const MAX_KEPT = 8;
const SUM_LENGTH = 64;

export interface MadeReport {
  readonly report: Report;
  /** What the user was told about damaged logs. */
  readonly warnings: readonly string[];
}

/** Everything a report depends on: what was asked for, and every log. */
class ReportState {
  /** Another one for another report. */
  readonly name: string;
  /** By path. */
  readonly #stamps = new Map<string, string>();

  /** Fails if a log cannot be read. */
  constructor(logs: readonly FoundLog[], asked: unknown) {
    const identities = logs.map(({ path }) =>
      withOpenFile(path, file => {
        this.#stamps.set(path, stampOf(fstatSync(file, { bigint: true })));
        return [path, identify(file)];
      }),
    );
    this.name = hash("sha256", JSON.stringify([FORMAT, asked, identities]), "hex");
  }

  /** Whether no log has been written to since. That needs no look into it: the system notes every change. */
  isCurrent(): boolean {
    try {
      return [...this.#stamps].every(([path, stamp]) => stampOf(statSync(path, { bigint: true })) === stamp);
    } catch {
      return false;
    }
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

export class ReportCache {
  readonly #files: KeptFiles;

  constructor(cacheFolder: string) {
    this.#files = new KeptFiles(join(cacheFolder, "reports"), MARK, MAX_KEPT);
  }

  /** In the user's cache folder; undefined if there is none, and nothing can be remembered. */
  static ofUser(): ReportCache | undefined {
    try {
      return new ReportCache(cacheFolder());
    } catch {
      return undefined;
    }
  }

  /** Undefined if a log cannot be read. */
  static stateOf(logs: readonly FoundLog[], asked: unknown): ReportState | undefined {
    try {
      return new ReportState(logs, asked);
    } catch {
      return undefined;
    }
  }

  recall({ name }: ReportState): MadeReport | undefined {
    try {
      const bytes = this.#files.read(name);
      const body = bytes?.subarray(SUM_LENGTH);
      if (body === undefined || bytes?.toString("latin1", 0, SUM_LENGTH) !== sumOf(body)) return undefined;
      return deserialize(body) as MadeReport;
    } catch {
      return undefined;
    }
  }

  remember({ name }: ReportState, made: MadeReport): void {
    const body = serialize(made);
    this.#files.write(name, [Buffer.from(sumOf(body), "latin1"), body]);
  }
}

function sumOf(bytes: Buffer): string {
  return hash("sha256", bytes, "hex");
}

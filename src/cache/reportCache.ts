/**
 * The last reports: while no log has changed, asking again, or for another output format, needs neither logs nor replay.
 * They are kept as printed JSON, preceded by everything they depend on: recalling one is no more than comparing and
 * copying. A damaged file, or one of another version, is treated as missing.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../files/folders.js";
import type { Mark } from "../files/ownFiles.js";
import { isSettled, stampOf } from "../files/stamp.js";
import { version } from "../files/version.js";
import type { StampedLog } from "../tail/discover.js";
import { KeptFiles } from "./keptFiles.js";

/** Incremented whenever reports change without a new version of the program. */
const FORMAT = `report 14 of ${version}`;
const MAGIC = Buffer.from("dedup-inspector report\n");
/** Files of all versions: earlier ones were a checksum, then data serialized by V8. */
const MARK: Mark = { name: /^(?:[0-9a-f]{8}|[0-9a-f]{64})$/, begins: /^(?:dedup-inspector report\n|[0-9a-f]{64}\xff)/ };
const MAX_KEPT = 8;
/**
 * Of one report. Larger ones are made again: they would be in memory twice, read whole even if little of them is shown,
 * and could exceed the maximum length of a string, half a gigabyte.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/** Everything a report depends on: the request, and every log. Plain data, which can be passed between programs. */
export interface ReportState {
  /** Equal for equal requests, and usually different for different ones. */
  readonly name: string;
  /** The text to compare, on one line. */
  readonly line: string;
  readonly logs: readonly StampedLog[];
  /** When the search for logs began. */
  readonly since: number;
}

/** `asked`: the request, including paths. */
export function reportState(logs: readonly StampedLog[], asked: unknown, since: number): ReportState {
  const question = JSON.stringify(asked);
  const line = JSON.stringify([FORMAT, question, ...logs.flatMap(({ path, stamp }) => [path, stamp])]);
  return { name: nameOf(question), line, logs, since };
}

/** Whether no log was written to since it was found, nor so shortly before that another write might not show. */
export function isCurrent({ logs, since }: ReportState): boolean {
  try {
    return logs.every(({ path, stamp }) => {
      const stats = statSync(path, { bigint: true });
      return stampOf(stats) === stamp && isSettled(stats, since);
    });
  } catch {
    return false;
  }
}

export interface KeptReport {
  /** As printed, in UTF-8. */
  readonly json: Buffer;
  /** Messages for the user about damaged logs. */
  readonly warnings: readonly string[];
}

/** A report to be kept: its JSON, piece by piece. */
interface NewReport extends Pick<KeptReport, "warnings"> {
  readonly pieces: Iterable<string>;
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

  recall({ name, line }: ReportState): KeptReport | undefined {
    const bytes = this.#files.read(name);
    if (bytes === undefined || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
    const middle = MAGIC.length + (bytes.length - MAGIC.length) / 2;
    const copy = bytes.subarray(MAGIC.length, middle);
    // Comparing is faster than a checksum.
    if (!copy.equals(bytes.subarray(middle))) return undefined;
    const expected = Buffer.from(`${line}\n`);
    if (!copy.subarray(0, expected.length).equals(expected)) return undefined;
    const begin = copy.indexOf("\n", expected.length) + 1;
    return { warnings: JSON.parse(copy.toString("utf8", expected.length, begin)), json: copy.subarray(begin) };
  }

  /** Returns the JSON as printed; undefined if it is too large to be kept, and must be made again to be printed. */
  remember({ name, line }: ReportState, { pieces, warnings }: NewReport, maxBytes = MAX_BYTES): Buffer | undefined {
    const json = joined(pieces, maxBytes);
    if (json === undefined) return undefined;
    const copy = [Buffer.from(`${line}\n${JSON.stringify(warnings)}\n`), json];
    this.#files.write(name, [MAGIC, ...copy, ...copy]);
    return json;
  }
}

/** Asks for no more pieces than fit. Undefined if they do not, or if one could not be made: a report does not need this. */
function joined(pieces: Iterable<string>, maxBytes: number): Buffer | undefined {
  const taken: Buffer[] = [];
  let bytes = 0;
  try {
    for (const piece of pieces) {
      bytes += Buffer.byteLength(piece);
      if (bytes > maxBytes) return undefined;
      taken.push(Buffer.from(piece));
    }
    return Buffer.concat(taken);
  } catch {
    return undefined;
  }
}

/** FNV-1a: loading a better hash would take longer than everything else. Requests with equal names evict each other. */
function nameOf(question: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < question.length; at++) hash = Math.imul(hash ^ question.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * What was learnt from the beginning of a log, so that the next call reads only what was added. It depends on nothing
 * but those bytes and the settings: whoever writes last writes the truth, so parallel calls need no lock. A damaged
 * file, or one of another version, is as good as none.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readSmallFile } from "../files/smallFile.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { SavedContext } from "./context.js";
import { fromText, toText } from "./plainText.js";
import { quickChecksum } from "./quick.js";

/** Counts up whenever the format or the meaning of anything in it changes. */
const FORMAT = 4;
const BEGIN = `dedup-inspector hook ${FORMAT}\n`;
/** A file that was cut short, or filled with zeros by a crash, does not end with it. */
const END = "\nend\n";
/** A file with a damaged byte has another one. */
const CHECKSUM_LENGTH = 8;

/** Far more than a state takes. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface SavedState {
  readonly settings: string;
  readonly inode: number;
  /** The last bytes of the log before what is still to be read: another log has others there. */
  readonly tail: string;
  readonly context: SavedContext;
}

export class StateFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  load(): SavedState | undefined {
    try {
      const file = readSmallFile(this.#path, { maxBytes: MAX_BYTES });
      const [sumAt, contentAt, endAt] = [BEGIN.length, BEGIN.length + CHECKSUM_LENGTH, file.length - END.length];
      if (file.toString("latin1", 0, sumAt) !== BEGIN || file.toString("latin1", endAt) !== END) return undefined;
      const content = file.subarray(contentAt, endAt);
      const isWhole = file.toString("latin1", sumAt, contentAt) === quickChecksum(content);
      return isWhole ? (fromText(content.toString("utf8")) as SavedState) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all. */
  save(state: SavedState): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const content = toText(state);
      writeWholeSync(this.#path, BEGIN + quickChecksum(Buffer.from(content)) + content + END);
    } catch {
      // Not remembered: the next call reads a little more.
    }
  }
}

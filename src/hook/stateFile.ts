/**
 * What was learnt from the beginning of a log, so that the next call reads only what was added. It depends on nothing
 * but those bytes and the settings: whoever writes last writes the truth, so parallel calls need no lock. A damaged
 * file, or one of another version, is as good as none.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readSmallFile } from "../tail/smallFile.js";
import { writeWholeSync } from "../tail/wholeFile.js";
import type { SavedContext } from "./context.js";
import { fromText, toText } from "./plainText.js";
import { quickName } from "./quick.js";

/** Counts up whenever the format or the meaning of anything in it changes. */
const FORMAT = 2;
const BEGIN = `dedup-inspector hook ${FORMAT}\n`;
/** A file that was cut short, or filled with zeros by a crash, does not end with it. */
const END = "\nend\n";
/** A file with a damaged byte has another one. */
const CHECKSUM_LENGTH = quickName("").length;

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
      const text = readSmallFile(this.#path, { maxBytes: MAX_BYTES }).toString("utf8");
      if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
      const content = text.slice(BEGIN.length + CHECKSUM_LENGTH, -END.length);
      const checksum = text.slice(BEGIN.length, BEGIN.length + CHECKSUM_LENGTH);
      return checksum === quickName(content) ? (fromText(content) as SavedState) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all. */
  save(state: SavedState): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const content = toText(state);
      writeWholeSync(this.#path, BEGIN + quickName(content) + content + END);
    } catch {
      // Not remembered: the next call reads a little more.
    }
  }
}

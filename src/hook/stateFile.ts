/**
 * The state after reading a log up to some point, so that the next call reads only what was added. It depends on
 * nothing but those bytes and the settings, so parallel calls need no lock: whichever writes last, the state is right.
 * A damaged file, or one of another version, is ignored.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readSmallFile } from "../files/openFile.js";
import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { SavedContext } from "./context.js";
import { quickChecksum } from "./quick.js";

/** Changes whenever the format or the meaning of anything in it changes. */
const FORMAT = 4;
const BEGIN = `dedup-inspector hook ${FORMAT}\n`;
/** Missing in a file that was cut short, or filled with zeros by a crash. */
const END = "\nend\n";
/** The checksum of the content follows `BEGIN`. */
const CHECKSUM_LENGTH = 8;

/** Far more than a state takes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What the hook remembers of sessions: states, the journals beside them, and what the status line has counted. */
export const SESSION_FILES: Mark = {
  name: /^[0-9a-f]{16}\.(?:state|journal|status)$/,
  begins: /^(?:dedup-inspector |\s*\{")/,
};
/** As long as Claude Code keeps sessions by default. */
const KEEP_DAYS = 30;

export interface SavedState {
  readonly settings: string;
  readonly inode: number;
  /** The last bytes of the log that were read, to recognise another log in its place. */
  readonly tail: string;
  readonly context: SavedContext;
}

export class StateFile<State = SavedState> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  load(): State | undefined {
    try {
      const file = readSmallFile(this.#path, { maxBytes: MAX_BYTES });
      const [sumAt, contentAt, endAt] = [BEGIN.length, BEGIN.length + CHECKSUM_LENGTH, file.length - END.length];
      if (file.toString("latin1", 0, sumAt) !== BEGIN || file.toString("latin1", endAt) !== END) return undefined;
      const content = file.subarray(contentAt, endAt);
      const isWhole = file.toString("latin1", sumAt, contentAt) === quickChecksum(content);
      return isWhole ? (fromText(content.toString("utf8")) as State) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Saves all of it or nothing. */
  save(state: State): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const content = toText(state);
      writeWholeSync(this.#path, BEGIN + quickChecksum(Buffer.from(content)) + content + END);
    } catch {
      // The next call reads a little more.
    }
  }
}

/** Removes what belongs to sessions that have not been continued for a month. */
export function removeOldSessions(folder: string): void {
  try {
    for (const file of filesNamed(folder, SESSION_FILES)) {
      if (Date.now() - file.modified > KEEP_DAYS * 86_400_000) removeIfOurs(file, SESSION_FILES);
    }
  } catch {
    // There is no such folder, or it cannot be read: nothing depends on this.
  }
}

const MAP = "$map";
const SET = "$set";
const PACKED = "$packed";

/** Plain data, maps, sets and packed numbers. Node can serialize them too, but takes longer to load the code for it. */
export function toText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Map) return { [MAP]: [...member] };
    if (member instanceof Set) return { [SET]: [...member] };
    if (!(member instanceof Uint32Array)) return member;
    return { [PACKED]: Buffer.from(member.buffer, member.byteOffset, member.byteLength).toString("base64") };
  });
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_key, member: Readonly<Record<string, unknown>> | null) => {
    if (typeof member !== "object" || member === null) return member;
    const { [MAP]: map, [SET]: set, [PACKED]: packed } = member;
    if (map !== undefined) return new Map(map as [unknown, unknown][]);
    if (set !== undefined) return new Set(set as unknown[]);
    // A copy: the decoded bytes may be part of a larger buffer, at any offset.
    return typeof packed === "string" ? new Uint32Array(new Uint8Array(Buffer.from(packed, "base64")).buffer) : member;
  });
}

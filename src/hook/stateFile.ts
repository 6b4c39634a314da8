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

/** Changes whenever the format or the meaning of anything in it changes. */
const FORMAT = 6;
const BEGIN = `dedup-inspector hook ${FORMAT}\n`;
/** Missing in a file that was cut short, or filled with zeros by a crash. */
const END = "\nend\n";

/** Far more than a state takes. */
const MAX_BYTES = 64 * 1024 * 1024;

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
      const [begin, end] = [BEGIN.length, file.length - END.length];
      if (file.toString("latin1", 0, begin) !== BEGIN || file.toString("latin1", end) !== END) return undefined;
      // It is there twice: two copies are compared in no time, and damage is never the same in both.
      const middle = begin + (end - begin) / 2;
      const content = file.subarray(begin, middle);
      return content.equals(file.subarray(middle, end)) ? (unpacked(content) as State) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Saves all of it or nothing. */
  save(state: State): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const content = packed(state);
      writeWholeSync(this.#path, Buffer.concat([Buffer.from(BEGIN), content, content, Buffer.from(END)]));
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
const ARRAYS = { Int32Array, Uint32Array, Uint16Array, Uint8Array } as const;
const ALIGNMENT = 4;

/**
 * Plain data, maps, sets and arrays of numbers: JSON, and after it the arrays as they are. Node can serialize all this,
 * too, but takes longer to load the code for it.
 */
export function packed(value: unknown): Buffer {
  const arrays: Buffer[] = [];
  let at = 0;
  const json = JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Map) return { [MAP]: [...member] };
    if (member instanceof Set) return { [SET]: [...member] };
    if (!ArrayBuffer.isView(member)) return member;
    const bytes = Buffer.from(member.buffer, member.byteOffset, member.byteLength);
    const place = [member.constructor.name, at, bytes.length];
    const padding = -bytes.length & (ALIGNMENT - 1);
    arrays.push(bytes, Buffer.alloc(padding));
    at += bytes.length + padding;
    return { [PACKED]: place };
  });
  const text = Buffer.from(json);
  const head = Buffer.alloc(ALIGNMENT);
  head.writeUInt32LE(text.length);
  return Buffer.concat([head, text, ...arrays]);
}

export function unpacked(bytes: Buffer): unknown {
  const arraysAt = ALIGNMENT + bytes.readUInt32LE();
  return JSON.parse(bytes.toString("utf8", ALIGNMENT, arraysAt), (_key, member: Readonly<Record<string, unknown>>) => {
    if (typeof member !== "object" || member === null) return member;
    const { [MAP]: map, [SET]: set, [PACKED]: place } = member;
    if (map !== undefined) return new Map(map as [unknown, unknown][]);
    if (set !== undefined) return new Set(set as unknown[]);
    if (place === undefined) return member;
    const [kind, at, length] = place as [keyof typeof ARRAYS, number, number];
    // A copy: the bytes may be at any offset.
    const begin = arraysAt + at;
    return new ARRAYS[kind](new Uint8Array(bytes.subarray(begin, begin + length)).buffer);
  });
}

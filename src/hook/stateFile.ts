/**
 * The state after reading a log up to some point, so that the next call reads only what was added. It only depends on
 * those bytes and the settings, so parallel calls need no lock: whichever writes last, the state is right. A damaged
 * file, or one of another version, is ignored.
 */
import { dirname } from "node:path";
import { makeFolder } from "../files/makeFolder.js";
import { readSmallFile } from "../files/openFile.js";
import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";
import { writeWholeSync } from "../files/wholeFile.js";
import type { SavedContext } from "./liveContext.js";

/** Must change with the format or meaning of anything in it. */
const FORMAT = 11;
const BEGIN = `dedup-inspector hook ${FORMAT}\n`;
/** Missing in a file that was cut short, or filled with zeros by a crash. */
const END = "\nend\n";

/** Far larger than any state. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What the hook remembers of sessions: states, the journals next to them, and the counts of the status line. */
export const SESSION_FILES: Mark = {
  name: /^[0-9a-f]{16}\.(?:state|journal|status)$/,
  begins: /^(?:dedup-inspector |\s*\{")/,
};
/** As long as Claude Code keeps sessions by default. */
const KEEP_DAYS = 30;

export interface SavedState {
  readonly settings: string;
  readonly inode: number;
  /** The last bytes of the log that were read, to detect that it was replaced by another one. */
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
      // Stored twice: comparing two copies is fast, and damage is never the same in both.
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
      const content = packed(state);
      const bytes = Buffer.concat([Buffer.from(BEGIN), content, content, Buffer.from(END)]);
      try {
        writeWholeSync(this.#path, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        makeFolder(dirname(this.#path));
        writeWholeSync(this.#path, bytes);
      }
    } catch {
      // The next call reads a little more.
    }
  }
}

/** Removes the files of sessions that have not been continued for a month. */
export function removeOldSessions(folder: string): void {
  try {
    for (const file of filesNamed(folder, SESSION_FILES)) {
      if (Date.now() - file.modified > KEEP_DAYS * 86_400_000) removeIfOurs(file, SESSION_FILES);
    }
  } catch {
    // No such folder, or it cannot be read: nothing depends on this.
  }
}

const ARRAYS = { Int32Array, Uint32Array, Uint16Array, Uint8Array } as const;
const ALIGNMENT = 4;

/** The path and type of a value that JSON does not support; for numbers also their byte range after the JSON. */
type Place = readonly [path: readonly string[], kind: "Map" | "Set" | keyof typeof ARRAYS, begin: number, end: number];

/**
 * Plain data, maps, sets and arrays of numbers: JSON, which also lists where the latter are, followed by the arrays as
 * raw bytes. Node can serialize all this, too, but takes longer to load the code for it.
 */
export function packed(value: unknown): Buffer {
  const places: Place[] = [];
  const arrays: Buffer[] = [];
  let at = 0;
  const path: string[] = [];
  const plain = (member: unknown): unknown => {
    if (typeof member !== "object" || member === null) return member;
    if (ArrayBuffer.isView(member)) {
      const bytes = Buffer.from(member.buffer, member.byteOffset, member.byteLength);
      places.push([[...path], member.constructor.name as keyof typeof ARRAYS, at, at + bytes.length]);
      const padding = -bytes.length & (ALIGNMENT - 1);
      arrays.push(bytes, Buffer.alloc(padding));
      at += bytes.length + padding;
      return 0;
    }
    if (member instanceof Map || member instanceof Set) {
      places.push([[...path], member instanceof Map ? "Map" : "Set", 0, 0]);
      return plain([...member]);
    }
    if (Array.isArray(member)) return member.map((one, index) => inside(`${index}`, one));
    const copy: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(member)) copy[key] = inside(key, one);
    return copy;
  };
  const inside = (key: string, member: unknown): unknown => {
    path.push(key);
    const copy = plain(member);
    path.pop();
    return copy;
  };
  const data = plain({ value });
  const text = Buffer.from(JSON.stringify({ data, places }));
  const head = Buffer.alloc(ALIGNMENT);
  head.writeUInt32LE(text.length);
  return Buffer.concat([head, text, ...arrays]);
}

/** Only visits what JSON does not support: visiting everything would take a fresh process longer than all the rest. */
export function unpacked(bytes: Buffer): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const arraysAt = ALIGNMENT + view.getUint32(0, true);
  const { data, places } = JSON.parse(bytes.toString("utf8", ALIGNMENT, arraysAt)) as {
    data: { value: unknown };
    places: Place[];
  };
  // The contents of a map or set come before it.
  for (const [path, kind, begin, end] of places.reverse()) {
    let holder = data as Record<string, unknown>;
    for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
    const key = path.at(-1) ?? "";
    const member = holder[key];
    if (kind === "Map") holder[key] = new Map(member as [unknown, unknown][]);
    else if (kind === "Set") holder[key] = new Set(member as unknown[]);
    // A copy: the bytes may be at any offset.
    else holder[key] = new ARRAYS[kind](new Uint8Array(bytes.subarray(arraysAt + begin, arraysAt + end)).buffer);
  }
  return data.value;
}

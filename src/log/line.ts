import { type Bytes, bytesOf, QUOTE, spells, textOf } from "./bytes.js";
import { Members } from "./members.js";

/** The members of a log line that a reader needs; everything else on the line is passed over. */
const FIELDS = [
  "type",
  "subtype",
  "uuid",
  "parentUuid",
  "timestamp",
  "isSidechain",
  "isMeta",
  "isCompactSummary",
  "agentId",
  "sessionId",
  "cwd",
  "version",
  "message",
  "toolUseResult",
  "compactMetadata",
  "microcompactMetadata",
  "replacements",
  "customTitle",
  "aiTitle",
  "summary",
] as const;

export type Field = (typeof FIELDS)[number];

const SLOT = Object.fromEntries(FIELDS.map((name, slot) => [name, slot])) as Record<Field, number>;

/** Field names by length, so that most keys of a line are told apart by one comparison. */
const BY_LENGTH: (readonly Field[])[] = [];
for (const name of FIELDS) BY_LENGTH[name.length] = [...(BY_LENGTH[name.length] ?? []), name];

/** One log line seen from outside: where its members stand. Reused from line to line; nothing is parsed until asked. */
export class LogLine {
  bytes: Bytes = bytesOf("");
  readonly #starts = new Int32Array(FIELDS.length);
  readonly #ends = new Int32Array(FIELDS.length);
  readonly #members = new Members(this.bytes);

  /** False when the bytes are not one JSON object. */
  read(bytes: Bytes, start: number, end: number): boolean {
    this.bytes = bytes;
    this.#starts.fill(-1);
    const members = this.#members;
    members.open(bytes, start, end);
    while (members.next()) {
      const names = BY_LENGTH[members.keyEnd - members.keyStart];
      if (names === undefined) continue;
      for (const name of names) {
        if (!spells(bytes, members.keyStart, members.keyEnd, name)) continue;
        const slot = SLOT[name];
        this.#starts[slot] = members.valueStart;
        this.#ends[slot] = members.valueEnd;
      }
    }
    return !members.malformed;
  }

  has(field: Field): boolean {
    return this.start(field) >= 0;
  }

  start(field: Field): number {
    return this.#starts[SLOT[field]] ?? -1;
  }

  end(field: Field): number {
    return this.#ends[SLOT[field]] ?? -1;
  }

  /** The member's string value, or undefined where it is missing or not a string. */
  text(field: Field): string | undefined {
    return stringAt(this.bytes, this.start(field), this.end(field));
  }

  /** Whether the member is the literal true. */
  isTrue(field: Field): boolean {
    return this.start(field) >= 0 && this.bytes[this.start(field)] === 0x74;
  }

  /** Whether the member is exactly this string. */
  is(field: Field, value: string): boolean {
    const start = this.start(field);
    return start >= 0 && this.bytes[start] === QUOTE && spells(this.bytes, start + 1, this.end(field) - 1, value);
  }

  /** The member's value, parsed; undefined where it is missing. Throws where it is not JSON. */
  parse(field: Field): unknown {
    const start = this.start(field);
    return start < 0 ? undefined : JSON.parse(textOf(this.bytes, start, this.end(field)));
  }
}

/** The string that stands at bytes[start, end), quotes included, or undefined where that is no string. */
export function stringAt(bytes: Bytes, start: number, end: number): string | undefined {
  if (start < 0 || bytes[start] !== QUOTE) return undefined;
  const raw = textOf(bytes, start + 1, end - 1);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

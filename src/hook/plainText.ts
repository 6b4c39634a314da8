/**
 * Plain data with maps, sets and numbers packed, as text and back. Node's own serialisation would do, but loading it
 * takes longer than reading the data.
 */

const MAP = "$map";
const SET = "$set";
const PACKED = "$packed";

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
    // A copy of its own: the decoded bytes may stand anywhere in a shared piece of memory.
    return typeof packed === "string" ? new Uint32Array(new Uint8Array(Buffer.from(packed, "base64")).buffer) : member;
  });
}

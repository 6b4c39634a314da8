import { type Bytes, spells } from "./bytes.js";

/** A fixed set of ASCII names, found in bytes without making a string. */
export class KeySet<Name extends string> {
  readonly names: readonly Name[];
  readonly #slotsByLength: (readonly number[])[] = [];

  constructor(names: readonly Name[]) {
    this.names = names;
    for (const [slot, name] of names.entries()) {
      this.#slotsByLength[name.length] = [...(this.#slotsByLength[name.length] ?? []), slot];
    }
  }

  /** The slot of the name that bytes[start, end) spell, or -1. */
  slotAt(bytes: Bytes, start: number, end: number): number {
    const slots = this.#slotsByLength[end - start];
    if (slots === undefined) return -1;
    for (const slot of slots) if (spells(bytes, start, end, this.names[slot] ?? "")) return slot;
    return -1;
  }
}

/** Where the values of a KeySet's names stand in some bytes; -1 where a name is missing. */
export class Spans<Name extends string> {
  readonly keys: KeySet<Name>;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #slots: Readonly<Record<Name, number>>;

  constructor(keys: KeySet<Name>) {
    this.keys = keys;
    this.starts = new Int32Array(keys.names.length).fill(-1);
    this.ends = new Int32Array(keys.names.length).fill(-1);
    this.#slots = Object.fromEntries(keys.names.map((name, slot) => [name, slot])) as Record<Name, number>;
  }

  clear(): void {
    this.starts.fill(-1);
  }

  set(slot: number, start: number, end: number): void {
    this.starts[slot] = start;
    this.ends[slot] = end;
  }

  start(name: Name): number {
    return this.starts[this.#slots[name]] ?? -1;
  }

  end(name: Name): number {
    return this.ends[this.#slots[name]] ?? -1;
  }
}

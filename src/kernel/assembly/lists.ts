/** Lists and tables. */
import { enlarged, giveBack, Numbers, roomFor, zeros } from "./numbers";

const FEWEST: i32 = 8;
/** Up to this many numbers, filling memory takes longer than setting each of them. */
const FEW: i32 = 16;

/** A list that grows at its end. */
export class List<T> {
  items: Numbers<T> = roomFor<T>(FEWEST);
  room: i32 = FEWEST;
  length: i32 = 0;

  push(value: T): void {
    this.reserve(this.length + 1);
    this.set(this.length++, value);
  }

  get(at: i32): T {
    return this.items[at];
  }

  set(at: i32, value: T): void {
    this.items[at] = value;
  }

  /** Adds this many zeros and returns the index of the first. */
  extend(count: i32): i32 {
    const first = this.length;
    this.reserve(first + count);
    if (count <= FEW) for (let at = 0; at < count; at++) this.set(first + at, <T>0);
    else memory.fill(this.address + ((<usize>first) << alignof<T>()), 0, (<usize>count) << alignof<T>());
    this.length = first + count;
    return first;
  }

  /** Removes one item. */
  cut(at: i32): void {
    const from = this.address + ((<usize>at) << alignof<T>());
    this.length--;
    memory.copy(from, from + sizeof<T>(), (<usize>(this.length - at)) << alignof<T>());
  }

  reserve(length: i32): void {
    if (length <= this.room) return;
    let room = this.room;
    while (room < length) room *= 2;
    this.items = enlarged<T>(this.items, this.room, room);
    this.room = room;
  }

  get address(): usize {
    return changetype<usize>(this.items);
  }
}

/** Nonzero numbers by key. A key stays once added; 0 means that it has no number. */
export class Table {
  /** Each key plus 1, 0 for a free place. */
  keys: Numbers<u64> = zeros<u64>(FEWEST);
  values: Numbers<u32> = zeros<u32>(FEWEST);
  room: i32 = FEWEST;
  used: i32 = 0;

  get(key: u64): u32 {
    return this.values[this.find(key)];
  }

  set(key: u64, value: u32): void {
    let at = this.find(key);
    if (this.keys[at] === 0) {
      // At most half full, to keep searches short.
      if (2 * this.used >= this.room) {
        this.grow();
        at = this.find(key);
      }
      this.keys[at] = key + 1;
      this.used++;
    }
    this.values[at] = value;
  }

  clear(): void {
    if (this.used === 0) return;
    memory.fill(changetype<usize>(this.keys), 0, (<usize>this.room) << 3);
    memory.fill(changetype<usize>(this.values), 0, (<usize>this.room) << 2);
    this.used = 0;
  }

  find(key: u64): i32 {
    const mask = this.room - 1;
    const hash = (<u32>key ^ (<u32>(key >> 32) * 0x85ebca77)) * 0x9e3779b1;
    let at = <i32>(hash ^ (hash >> 15)) & mask;
    while (true) {
      const known = this.keys[at];
      if (known === 0 || known === key + 1) return at;
      at = (at + 1) & mask;
    }
  }

  grow(): void {
    const keys = this.keys;
    const values = this.values;
    const room = this.room;
    this.room *= 2;
    this.keys = zeros<u64>(this.room);
    this.values = zeros<u32>(this.room);
    for (let from = 0; from < room; from++) {
      if (keys[from] === 0) continue;
      const at = this.find(keys[from] - 1);
      this.keys[at] = keys[from];
      this.values[at] = values[from];
    }
    giveBack<u64>(keys, room);
    giveBack<u32>(values, room);
  }
}

/** Combines two numbers into one key. */
export function pair(one: i32, two: i32): u64 {
  return ((<u64>one) << 32) | (<u64>two & 0xffffffff);
}

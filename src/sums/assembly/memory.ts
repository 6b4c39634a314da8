/** Tables. Memory is never freed: the program is started anew for every report. */

const PAGE_BITS: i32 = 8;

/** Zero-initialized entries of a fixed size, by number. They never move. */
export class Pages {
  pages: StaticArray<usize> = new StaticArray<usize>(4);
  count: i32 = 0;

  constructor(public entryBytes: i32) {}

  at(index: i32): usize {
    const page = index >> PAGE_BITS;
    if (page >= this.pages.length) {
      const larger = new StaticArray<usize>(max<i32>(page + 1, 2 * this.pages.length));
      for (let known = 0; known < this.pages.length; known++) larger[known] = this.pages[known];
      this.pages = larger;
    }
    if (this.pages[page] === 0) {
      this.pages[page] = changetype<usize>(new StaticArray<u64>(((this.entryBytes + 7) >> 3) << PAGE_BITS));
    }
    if (index >= this.count) this.count = index + 1;
    return this.pages[page] + <usize>((index & ((1 << PAGE_BITS) - 1)) * this.entryBytes);
  }
}

/** Memory that is reused for every context. */
export class Room {
  bytes: StaticArray<u64> = new StaticArray<u64>(64);

  /** At least this many bytes, with arbitrary contents. */
  take(bytes: i32): usize {
    const words = (bytes + 7) >> 3;
    if (words > this.bytes.length) this.bytes = new StaticArray<u64>(max<i32>(words, 2 * this.bytes.length));
    return changetype<usize>(this.bytes);
  }

  zeros(bytes: i32): usize {
    const address = this.take(bytes);
    memory.fill(address, 0, bytes);
    return address;
  }
}

/** Which lines have been counted, by a 64-bit hash that is the same in all copies of a line: src/inspect/copies.ts. */
export class Copies {
  /** 0 for a free place. */
  keys: StaticArray<u64>;

  /** `most`: the maximum number of lines. */
  constructor(most: i32) {
    let places = 16;
    while (places < 2 * most) places <<= 1;
    this.keys = new StaticArray<u64>(places);
  }

  /** Lines without a uuid are never copies. */
  isFirst(key: u64): bool {
    if (key === 0) return true;
    const mask = this.keys.length - 1;
    const hash = (<u32>key ^ <u32>(key >> 32)) * 0x9e3779b1;
    let at = <i32>(hash ^ (hash >> 15)) & mask;
    while (true) {
      const known = unchecked(this.keys[at]);
      if (known === key) return false;
      if (known === 0) break;
      at = (at + 1) & mask;
    }
    this.keys[at] = key;
    return true;
  }
}

export function number(address: usize, index: i32): f64 {
  return load<f64>(address + ((<usize>index) << 3));
}

export function add(address: usize, index: i32, value: f64): void {
  const at = address + ((<usize>index) << 3);
  store<f64>(at, load<f64>(at) + value);
}

export function word(address: usize, index: i32): u32 {
  return load<u32>(address + ((<usize>index) << 2));
}

/** Which line has which uuid: src/log/lineIndex.ts and hashTable.ts. */
import { INDEX_LINE, INDEX_NODE, INDEX_WORDS } from "../../readerLayout";

let secret: u32 = 0;

export function beginLineIndexes(newSecret: u32): void {
  secret = newSecret;
}

export class LineIndex {
  words: StaticArray<i32> = new StaticArray<i32>(16 * INDEX_WORDS);
  used: i32 = 0;

  lineOf(high: i32, low: i32): i32 {
    return unchecked(this.words[this.find(high, low) + INDEX_LINE]);
  }

  nodeOf(high: i32, low: i32): i32 {
    return unchecked(this.words[this.find(high, low) + INDEX_NODE]);
  }

  put(high: i32, low: i32, line: i32, node: i32): void {
    if (2 * (this.used + 1) * INDEX_WORDS > this.words.length) this.grow();
    const at = this.find(high, low);
    const words = this.words;
    if (unchecked(words[at + INDEX_LINE]) === 0) this.used++;
    const entry = changetype<usize>(words) + ((<usize>at) << 2);
    store<i32>(entry, high);
    store<i32>(entry + 4, low);
    store<i32>(entry + INDEX_LINE * 4, line);
    store<i32>(entry + INDEX_NODE * 4, node);
  }

  find(high: i32, low: i32): i32 {
    const words = this.words;
    const mask = words.length / INDEX_WORDS - 1;
    // Both halves count, and a number that nobody knows who writes logs.
    let hash = (<u32>low ^ secret) * 0x9e3779b1;
    hash = ((hash ^ (hash >> 15)) + <u32>high) * 0x85ebca77;
    let at = (<i32>(hash ^ (hash >> 16)) & mask) * INDEX_WORDS;
    while (unchecked(words[at + INDEX_LINE]) !== 0) {
      const isEqual = unchecked(words[at]) === high && unchecked(words[at + 1]) === low;
      if (isEqual) break;
      at += INDEX_WORDS;
      if (at === words.length) at = 0;
    }
    return at;
  }

  grow(): void {
    const before = this.words;
    this.words = new StaticArray<i32>(2 * before.length);
    this.used = 0;
    for (let from = 0; from < before.length; from += INDEX_WORDS) {
      const line = unchecked(before[from + INDEX_LINE]);
      if (line === 0) continue;
      this.put(unchecked(before[from]), unchecked(before[from + 1]), line, unchecked(before[from + INDEX_NODE]));
    }
  }
}

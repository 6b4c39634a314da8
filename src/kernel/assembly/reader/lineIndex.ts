/** Which line has which uuid: src/log/lineIndex.ts and hashTable.ts. */
import { INDEX_LINE, INDEX_NODE, INDEX_WORDS } from "../../readerLayout";
import { giveBack, Numbers, zeros } from "../numbers";

const FEWEST: i32 = 16;

let secret: u32 = 0;

export function beginLineIndexes(newSecret: u32): void {
  secret = newSecret;
}

export class LineIndex {
  length: i32 = FEWEST * INDEX_WORDS;
  words: Numbers<i32> = zeros<i32>(FEWEST * INDEX_WORDS);
  used: i32 = 0;

  lineOf(high: i32, low: i32): i32 {
    return this.words[this.find(high, low) + INDEX_LINE];
  }

  nodeOf(high: i32, low: i32): i32 {
    return this.words[this.find(high, low) + INDEX_NODE];
  }

  put(high: i32, low: i32, line: i32, node: i32): void {
    if (2 * (this.used + 1) * INDEX_WORDS > this.length) this.grow();
    const at = this.find(high, low);
    const words = this.words;
    if (words[at + INDEX_LINE] === 0) this.used++;
    const entry = changetype<usize>(words) + ((<usize>at) << 2);
    store<i32>(entry, high);
    store<i32>(entry + 4, low);
    store<i32>(entry + INDEX_LINE * 4, line);
    store<i32>(entry + INDEX_NODE * 4, node);
  }

  find(high: i32, low: i32): i32 {
    const words = this.words;
    const mask = this.length / INDEX_WORDS - 1;
    // Uses both halves, and a secret that writers of logs do not know.
    let hash = (<u32>low ^ secret) * 0x9e3779b1;
    hash = ((hash ^ (hash >> 15)) + <u32>high) * 0x85ebca77;
    let at = (<i32>(hash ^ (hash >> 16)) & mask) * INDEX_WORDS;
    while (words[at + INDEX_LINE] !== 0) {
      const isEqual = words[at] === high && words[at + 1] === low;
      if (isEqual) break;
      at += INDEX_WORDS;
      if (at === this.length) at = 0;
    }
    return at;
  }

  grow(): void {
    const before = this.words;
    const length = this.length;
    this.length *= 2;
    this.words = zeros<i32>(this.length);
    this.used = 0;
    for (let from = 0; from < length; from += INDEX_WORDS) {
      const line = before[from + INDEX_LINE];
      if (line === 0) continue;
      this.put(before[from], before[from + 1], line, before[from + INDEX_NODE]);
    }
    giveBack<i32>(before, length);
  }
}

/** The same as `hash64` (src/log/lineIndex.ts), for ASCII text. */
export let high: u32 = 0;
export let low: u32 = 0;

export function hash(start: usize, end: usize): void {
  high = 0x811c9dc5;
  low = 0x9e3779b1;
  hashMore(start, end);
}

/** The same for a text that continues the previous one. */
export function hashMore(start: usize, end: usize): void {
  for (let p = start; p < end; p++) {
    const code = <u32>load<u8>(p);
    high = (high ^ code) * 0x01000193;
    low = (low ^ code) * 0x85ebca6b;
    low ^= low >> 15;
  }
}

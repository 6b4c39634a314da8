/**
 * The memory layout: some lines, then the unescaped texts of one of them, then the lines of one of these. Texts are
 * never longer than the line that they come from.
 */

/** Loads and stores of 16 bytes may begin at the last byte. */
const MARGIN: usize = 64;
const PAGE: usize = 65536;

let base: usize = (__heap_base + 15) & ~15;
let capacity: usize = 0;

export function linesStart(): usize {
  return base;
}

export function textStart(): usize {
  return base + capacity;
}

export function tableStart(): usize {
  return base + 2 * capacity;
}

/** Makes room for this many bytes of lines; false if there is no memory. */
export function makeRoom(bytes: usize): bool {
  if (bytes + MARGIN <= capacity) return true;
  let larger = max<usize>(capacity, 1 << 16);
  while (larger < bytes + MARGIN) larger *= 2;
  if (!reserve(base + 2 * larger)) return false;
  capacity = larger;
  return true;
}

/** Uses memory allocated elsewhere, for lines of this many bytes and their texts; returns where lines go. */
export function useRoom(at: usize, bytes: usize): usize {
  base = (at + 15) & ~15;
  capacity = bytes;
  return base;
}

/** Makes sure that memory extends to this address. */
export function reserve(end: usize): bool {
  const pages = <i32>((end + MARGIN + PAGE - 1) / PAGE) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0;
}

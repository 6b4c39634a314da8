/** For few bytes, in steps of 16: calling the host's own functions, as `memory.copy` does, takes longer than all of them. */

/** Up to 15 bytes after them are written, too. */
export function copyFew(to: usize, from: usize, bytes: usize): void {
  for (let done: usize = 0; done < bytes; done += 16) v128.store(to + done, v128.load(from + done));
}

/** A multiple of 8 bytes. */
export function clearFew(at: usize, bytes: usize): void {
  let p = at;
  for (; p + 16 <= at + bytes; p += 16) v128.store(p, i8x16.splat(0));
  if (p < at + bytes) store<u64>(p, 0);
}

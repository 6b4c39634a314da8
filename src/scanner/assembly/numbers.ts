/** Numbers for names that are repeated often: the tools, and the keys of their inputs. */
import * as Layout from "../layout";
import { isSame } from "./names";

/** Longer names get no number. */
const NAME_BYTES: i32 = 64;
/** A power of two, large enough for short searches. */
const BUCKETS: i32 = 512;
const names: usize = memory.data(Layout.MAX_NAMES * NAME_BYTES, 16);
const lengths: usize = memory.data(Layout.MAX_NAMES * 4, 16);
const buckets: usize = memory.data(BUCKETS, 16);
let nameCount: i32 = 0;

/** A name's number, from 1; 0 if it is too long, or there are too many. */
export function numberOf(start: usize, end: usize): i32 {
  const length = <i32>(end - start);
  if (length === 0 || length > NAME_BYTES) return 0;
  let bucket = bucketOf(start, length);
  while (true) {
    const known = <i32>load<u8>(buckets + bucket);
    if (known === 0) break;
    const name = known - 1;
    if (load<i32>(lengths + name * 4) === length && isSame(names + name * NAME_BYTES, start, length)) return known;
    bucket = (bucket + 1) & (BUCKETS - 1);
  }
  if (nameCount === Layout.MAX_NAMES) return 0;
  memory.copy(names + nameCount * NAME_BYTES, start, length);
  store<i32>(lengths + nameCount * 4, length);
  nameCount++;
  store<u8>(buckets + bucket, <u8>nameCount);
  return nameCount;
}

function bucketOf(start: usize, length: i32): i32 {
  const first = <i32>load<u8>(start);
  const middle = <i32>load<u8>(start + length / 2);
  const last = <i32>load<u8>(start + length - 1);
  return (first + 7 * middle + 31 * last + 101 * length) & (BUCKETS - 1);
}

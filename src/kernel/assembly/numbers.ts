/**
 * Memory for numbers, in pieces of powers of two. What has outgrown its piece gives it back to be used again: without that,
 * everything that grows would leave behind as much memory as it has. All of it is given back when another log begins.
 */

/** Where numbers are, which nothing checks. */
@unmanaged
export class Numbers<T> {
  @inline
  @operator("[]")
  get(at: i32): T {
    return load<T>(changetype<usize>(this) + ((<usize>at) << alignof<T>()));
  }

  @inline
  @operator("[]=")
  set(at: i32, value: T): void {
    store<T>(changetype<usize>(this) + ((<usize>at) << alignof<T>()), value);
  }
}

const SMALLEST: i32 = 4;
const SIZES: i32 = 32;

/** By the logarithms of their bytes: the first of the spare pieces of each size, each of which says where the next one is. */
const spares: usize = memory.data(SIZES << 2, 16);

/** After `heap.reset`. */
export function beginNumbers(): void {
  memory.fill(spares, 0, SIZES << 2);
}

/** Room for so many numbers. Which ones are there nobody knows. */
export function roomFor<T>(count: i32): Numbers<T> {
  return changetype<Numbers<T>>(piece(sizeOf<T>(count)));
}

export function zeros<T>(count: i32): Numbers<T> {
  const numbers = roomFor<T>(count);
  memory.fill(changetype<usize>(numbers), 0, (<usize>count) << alignof<T>());
  return numbers;
}

/** `count`: what it was asked for with. */
export function giveBack<T>(numbers: Numbers<T>, count: i32): void {
  spare(changetype<usize>(numbers), sizeOf<T>(count));
}

/** The same numbers with room for more. */
export function enlarged<T>(numbers: Numbers<T>, count: i32, larger: i32): Numbers<T> {
  const copy = roomFor<T>(larger);
  memory.copy(changetype<usize>(copy), changetype<usize>(numbers), (<usize>count) << alignof<T>());
  giveBack<T>(numbers, count);
  return copy;
}

function sizeOf<T>(count: i32): i32 {
  const size = count === 0 ? 0 : 32 - clz<i32>(count - 1) + <i32>alignof<T>();
  // As where there is no memory.
  if (size >= SIZES) unreachable();
  return max<i32>(SMALLEST, size);
}

function piece(size: i32): usize {
  let found = size;
  while (found < SIZES && spareOf(found) === 0) found++;
  if (found === SIZES) return heap.alloc((<usize>1) << size);
  const at = spareOf(found);
  setSpare(found, load<u32>(at));
  // Of a larger one, the rest is spare.
  while (found > size) {
    found--;
    spare(at + ((<usize>1) << found), found);
  }
  return at;
}

function spare(at: usize, size: i32): void {
  store<u32>(at, <u32>spareOf(size));
  setSpare(size, <u32>at);
}

function spareOf(size: i32): usize {
  return <usize>load<u32>(spares + ((<usize>size) << 2));
}

function setSpare(size: i32, at: u32): void {
  store<u32>(spares + ((<usize>size) << 2), at);
}

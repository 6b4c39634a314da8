/**
 * Memory for numbers, in pieces of powers of two. Anything that outgrows its piece frees it for reuse: otherwise,
 * everything that grows would leave behind as much memory as it has. All of it is freed when another log begins.
 */

/** A pointer to numbers, without bounds checks. */
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

/** By the logarithm of their size: the first spare piece of each size; each one points to the next. */
const spares: usize = memory.data(SIZES << 2, 16);

/** After `heap.reset`. */
export function beginNumbers(): void {
  memory.fill(spares, 0, SIZES << 2);
}

/** Memory for this many numbers, with arbitrary contents. */
export function roomFor<T>(count: i32): Numbers<T> {
  return changetype<Numbers<T>>(piece(sizeOf<T>(count)));
}

export function zeros<T>(count: i32): Numbers<T> {
  const numbers = roomFor<T>(count);
  memory.fill(changetype<usize>(numbers), 0, (<usize>count) << alignof<T>());
  return numbers;
}

/** `count`: as passed to `roomFor`. */
export function giveBack<T>(numbers: Numbers<T>, count: i32): void {
  spare(changetype<usize>(numbers), sizeOf<T>(count));
}

/** A larger copy of the numbers. */
export function enlarged<T>(numbers: Numbers<T>, count: i32, larger: i32): Numbers<T> {
  const copy = roomFor<T>(larger);
  memory.copy(changetype<usize>(copy), changetype<usize>(numbers), (<usize>count) << alignof<T>());
  giveBack<T>(numbers, count);
  return copy;
}

function sizeOf<T>(count: i32): i32 {
  const size = count === 0 ? 0 : 32 - clz<i32>(count - 1) + <i32>alignof<T>();
  // Same as running out of memory.
  if (size >= SIZES) unreachable();
  return max<i32>(SMALLEST, size);
}

function piece(size: i32): usize {
  let found = size;
  while (found < SIZES && spareOf(found) === 0) found++;
  if (found === SIZES) return heap.alloc((<usize>1) << size);
  const at = spareOf(found);
  setSpare(found, load<u32>(at));
  // The rest of a larger piece is spare.
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

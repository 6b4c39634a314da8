type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * The same numbers in an array with room for `length`. Its size doubles, so that appends to a live session stay cheap.
 */
export function withRoom<T extends Numbers>(numbers: T, length: number): T {
  if (length <= numbers.length) return numbers;
  const Column = numbers.constructor as new (length: number) => T;
  const grown = new Column(Math.max(length, numbers.length * 2, 64));
  grown.set(numbers);
  return grown;
}

/** The first index in [from, to) whose value is at least `wanted`; `to` if there is none. */
export function lowerBound(valueAt: (index: number) => number, wanted: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

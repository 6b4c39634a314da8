/** What is known about the names in a log: ids, tools, targets, paths, models. A name is represented by its number. */
import { IS_PLAIN, IS_SHELL, NAME_BYTES, NAME_CHARS, NAME_FLAG_BITS, NAME_START, NAME_WORDS } from "../layout";
import { List } from "./lists";

let words = new List<u32>();

export function beginNames(): void {
  words = new List<u32>();
}

/** Adds this many names from an address. */
export function addNames(from: usize, count: i32): void {
  const first = words.extend(count * NAME_WORDS);
  memory.copy(words.address + ((<usize>first) << 2), from, (<usize>(count * NAME_WORDS)) << 2);
}

/** Adds one name, whose text begins at this character offset; returns its number. */
export function addName(start: i32, chars: i32, bytes: i32): i32 {
  const first = words.extend(NAME_WORDS);
  words.set(first + NAME_START, start);
  words.set(first + NAME_CHARS, chars);
  words.set(first + NAME_BYTES, bytes);
  return first / NAME_WORDS;
}

/** The address of a name's data. */
export function addressOfName(name: i32): usize {
  return words.address + ((<usize>(name * NAME_WORDS)) << 2);
}

export function charsOfName(name: i32): i32 {
  return words.get(name * NAME_WORDS + NAME_CHARS);
}

/** In UTF-8. */
export function bytesOfName(name: i32): i32 {
  return words.get(name * NAME_WORDS + NAME_BYTES) >> NAME_FLAG_BITS;
}

export function isPlainName(name: i32): bool {
  return (words.get(name * NAME_WORDS + NAME_BYTES) & IS_PLAIN) !== 0;
}

export function isShell(name: i32): bool {
  return (words.get(name * NAME_WORDS + NAME_BYTES) & IS_SHELL) !== 0;
}

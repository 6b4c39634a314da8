// Texts that look like those in real logs and never repeat by chance. Everything comes from a seed and is already escaped for
// JSON, because escaping gigabytes would take most of the time.
import { readFileSync } from "node:fs";

const SAMPLE = new URL("../../../media/sample.jsonl", import.meta.url);
const HEX = Array.from({ length: 65536 }, (_, value) => value.toString(16).padStart(4, "0"));
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE62 = BASE64.slice(0, 62);

/** The code, command output and prose in the sample session's results, line by line. */
const LINES = readFileSync(SAMPLE, "utf8")
  .split("\n")
  .filter(line => line.includes('"tool_result"'))
  .flatMap(line => JSON.parse(line).message.content.map(block => block.content))
  .filter(content => typeof content === "string")
  .flatMap(content => content.split("\n"))
  .map(line => line.replace(/^\s*\d+[→\t]/, ""))
  .filter(line => line.length > 0 && line.length < 200)
  .map(line => JSON.stringify(line).slice(1, -1));

/** The same numbers for the same seed. */
export class Chance {
  #state;

  constructor(seed) {
    this.#state = seed | 0;
  }

  /** 32 random bits. */
  bits() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  next() {
    return this.bits() / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  is(probability) {
    return this.next() < probability;
  }

  pick(values) {
    return values[this.below(values.length)];
  }

  /** Sizes as in real logs: most are small, a few very large. `spread` 1 means a factor of 3 either way. */
  size(median, spread = 1, largest = 200_000) {
    const bell = this.next() + this.next() + this.next() + this.next() - 2;
    return Math.min(largest, Math.round(median * Math.exp(bell * 1.9 * spread)));
  }

  uuid() {
    const [a, b, c, d] = [this.bits(), this.bits(), this.bits(), this.bits()];
    const variant = HEX[(c >>> 16) | 0x8000];
    return `${HEX[a >>> 16]}${HEX[a & 0xffff]}-${HEX[b >>> 16]}-${HEX[b & 0xffff]}-${variant}-${HEX[c & 0xffff]}${HEX[d >>> 16]}${HEX[d & 0xffff]}`;
  }

  /** An id such as toolu_01… or msg_01…, 22 characters after the prefix. */
  id(prefix) {
    let id = `${prefix}_01`;
    for (let word = 0; word < 4; word++) {
      let bits = this.bits();
      for (let at = 0; at < 5; at++, bits = (bits / 62) | 0) id += BASE62[(bits >>> 0) % 62];
    }
    return `${id}${BASE62[this.below(62)]}${BASE62[this.below(62)]}`;
  }

  hex() {
    const bits = this.bits();
    return HEX[bits >>> 16] + HEX[bits & 0xffff];
  }
}

/** A block of base64 that signatures and images are cut from, long enough that two cuts hardly ever overlap. */
const base64Chance = new Chance(64);
const BLOCK = Array.from({ length: 1 << 20 }, () => BASE64[base64Chance.bits() & 63]).join("");

export function base64(chance, length) {
  const start = chance.below(BLOCK.length);
  let text = chance.hex() + chance.hex();
  for (let at = start; text.length < length; at = 0) text += BLOCK.slice(at, at + length - text.length);
  return text;
}

/** Lines of code or output, escaped, without newlines; with a unique one every few lines. */
export function lines(chance, length) {
  const found = [];
  let at = chance.below(LINES.length);
  for (let size = 0; size < length; ) {
    const own = found.length % 6 === 0;
    const line = own ? `  const v${chance.hex()} = ${chance.pick(WORDS)}(${chance.below(9999)});` : LINES[at];
    if (++at === LINES.length) at = 0;
    found.push(line);
    size += line.length + 2;
  }
  return found;
}

const WORDS = "scale parse render measure index follow count split merge watch store fetch align trim sort".split(" ");

/** One text of about this many bytes, escaped. */
export function text(chance, length) {
  if (length < 60) return `${chance.pick(WORDS)} ${chance.hex()} ${chance.pick(WORDS)}`;
  return lines(chance, length).join("\\n");
}

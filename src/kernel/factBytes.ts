/** Packed facts as bytes for a file: their arrays one after another, so that they can be read back without copying. */
import { asBytes, asciiOf, type Bytes, bytesOf, utf8Length } from "../log/bytes.js";
import type { ChunkText, FactChunk, PackedFacts } from "./packedFacts.js";

/** What the bytes do not contain. */
export type FactShape = readonly {
  readonly numbers: number;
  readonly lines: number;
  readonly names: number;
  /** The number of characters if all are ASCII; otherwise the text itself. */
  readonly text: number | string;
}[];

/** For reading numbers of eight bytes. */
const ALIGNMENT = 8;

export interface FactsAsBytes {
  readonly shape: FactShape;
  readonly pieces: readonly Uint8Array[];
}

export function bytesOfFacts({ chunks }: PackedFacts): FactsAsBytes {
  const texts = chunks.map(({ text }) => asciiIn(text));
  const shape = chunks.map(({ numbers, lines, names, text }, index) => ({
    numbers: numbers.length,
    lines: lines.length,
    names: names.length,
    text: texts[index]?.length ?? text.slice(),
  }));
  const pieces = chunks.flatMap(({ numbers, lines, names }, index) =>
    [numbers, lines, names, texts[index] ?? NOTHING].flatMap(({ buffer, byteOffset, byteLength }) => [
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(aligned(byteLength) - byteLength),
    ]),
  );
  return { shape, pieces };
}

/** Views of the bytes, which are aligned for reading numbers. */
export function factsOfBytes(shape: FactShape, bytes: Uint8Array<ArrayBuffer>): PackedFacts {
  const { buffer } = bytes;
  let at = bytes.byteOffset;
  const next = (length: number) => {
    at += aligned(length);
    return at - aligned(length);
  };
  const chunks = shape.map(({ numbers, lines, names, text }): FactChunk => {
    return {
      numbers: new Float64Array(buffer, next(numbers * 8), numbers),
      lines: new Uint32Array(buffer, next(lines * 4), lines),
      names: new Uint32Array(buffer, next(names * 4), names),
      text: typeof text === "string" ? text : new AsciiText(asBytes(new Uint8Array(buffer, next(text), text))),
    };
  });
  return { chunks };
}

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** A report needs few of its names: a string of them all would take longer to create, and to move around in memory. */
class AsciiText implements ChunkText {
  readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  slice(start = 0, end = this.bytes.length): string {
    return asciiOf(this.bytes, start, end);
  }
}

/** Undefined if it is not all ASCII. */
function asciiIn(text: ChunkText): Bytes | undefined {
  if (text instanceof AsciiText) return text.bytes;
  const whole = text.slice();
  return utf8Length(whole) === whole.length ? bytesOf(whole) : undefined;
}

const NOTHING = new Uint8Array();

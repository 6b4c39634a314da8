/** Packed facts as bytes for a file: their arrays one after another, so that what is read back need not be copied. */
import type { FactChunk, PackedFacts } from "./packedFacts.js";

/** What the bytes do not tell. */
export type FactShape = readonly {
  readonly numbers: number;
  readonly lines: number;
  readonly names: number;
  readonly text: string;
}[];

/** Where numbers of eight bytes can be read. */
const ALIGNMENT = 8;

export function shapeOf({ chunks }: PackedFacts): FactShape {
  return chunks.map(({ numbers, lines, names, text }) => ({
    numbers: numbers.length,
    lines: lines.length,
    names: names.length,
    text,
  }));
}

export function bytesOfFacts({ chunks }: PackedFacts): Uint8Array[] {
  return chunks.flatMap(({ numbers, lines, names }) =>
    [numbers, lines, names].flatMap(({ buffer, byteOffset, byteLength }) => [
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(aligned(byteLength) - byteLength),
    ]),
  );
}

/** Views of the bytes, which begin where numbers can be read. */
export function factsOfBytes(shape: FactShape, { buffer, byteOffset }: Uint8Array<ArrayBuffer>): PackedFacts {
  let at = byteOffset;
  const next = (bytes: number) => {
    at += aligned(bytes);
    return at - aligned(bytes);
  };
  const chunks = shape.map(({ numbers, lines, names, text }): FactChunk => {
    return {
      numbers: new Float64Array(buffer, next(numbers * 8), numbers),
      lines: new Uint32Array(buffer, next(lines * 4), lines),
      names: new Uint32Array(buffer, next(names * 4), names),
      text,
    };
  });
  return { chunks };
}

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

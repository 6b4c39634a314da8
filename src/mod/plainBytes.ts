/**
 * Replaces `log/bytes.ts` in the build of the mod, where there is no Node. It only has what the engine calls on texts;
 * nothing in a mod reads bytes.
 */
export const NEWLINE = 0x0a;

/** In UTF-8, where an unpaired surrogate becomes the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (code < 0x800) bytes++;
    else if (!isPair(code, text.charCodeAt(at + 1))) bytes += 2;
    else {
      // Two characters, four bytes.
      bytes += 2;
      at++;
    }
  }
  return bytes;
}

function isPair(code: number, next: number): boolean {
  return code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000;
}

/** A piece of a text as numbers, followed by two line breaks. */
export class CharCodes {
  readonly codes: Uint16Array<ArrayBuffer>;

  constructor(max: number) {
    this.codes = new Uint16Array(max + 2);
  }

  /** Loads the text from an offset and returns how many characters fit. */
  load(text: string, from = 0): number {
    const length = Math.min(this.codes.length - 2, text.length - from);
    for (let at = 0; at < length; at++) this.codes[at] = text.charCodeAt(from + at);
    this.codes[length] = this.codes[length + 1] = NEWLINE;
    return length;
  }
}

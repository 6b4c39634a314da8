/** Other spellings of a line, valid and invalid: what a custom parser may get wrong. */
import type { Chance } from "../support/liveLog.js";

/** Byte sequences that mean something in JSON or in UTF-8. */
const PIECES: readonly Buffer[] = [
  ...['"', "\\", "{", "}", "[", "]", ",", ":", " ", "\t", "\r", "\r\n", "0", "-", ".", "e", "E+", "1.5", "-0", "1e3"],
  ...[
    "\\u0000",
    "\\u000a",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\ude00",
    "\\uD83D\\u0041",
    "\\n",
    "\\/",
    '\\"',
    "\\x",
    "\\u00g0",
  ],
  ...[
    "null,",
    "1,",
    '"x",',
    "{},",
    "[],",
    '{"type":"text","text":"t"},',
    '{"type":"image"},',
    '"x":{},',
    '"content":null,',
  ],
  ...["true", "false", "null", "tru", "nul", '"type":"user",', '"type":null,', '"content":[],', '"id":"a",', '"":1,'],
  ...["é", "→", "\u2028", "\u2029", "\ufeff", "😀", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10ffff}"],
  ...[
    "\u0000",
    "\u0001",
    "\u001f",
    "\\n> [ref: toolu_1, byte-identical]",
    "\\n@@ -1 +1 @@",
    "\\rdiff --git a",
    "\\na.ts:1:",
  ],
  ...[
    "\\n     7→",
    "\\n7\\t",
    "\\n012\\t",
    "\\n1234567890\\t",
    "\\n> [near-ref: x",
    "\\n7:> [ref:",
    "\\n07:> [ref:",
    "\\n1234567890:> [ref:",
    "123456789012345",
    "1234567890123456",
  ],
].map(text => Buffer.from(text));
/** Invalid UTF-8: overlong, half a pair, cut off, no lead byte. */
const INVALID: readonly Buffer[] = [
  ...[[0xff], [0x80], [0xc0, 0x80], [0xc3], [0xe2, 0x86], [0xed, 0xa0, 0x80], [0xe0, 0x80, 0x80], [0xf0, 0x9f, 0x98]],
  ...[
    [0xf4, 0x90, 0x80, 0x80],
    [0xf0, 0x80, 0x80, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xc1, 0xbf],
  ],
].map(bytes => Buffer.from(bytes));

/** A line with some of its bytes spelled differently. */
export function respelled(line: Buffer, chance: Chance): Buffer {
  let bytes = line;
  for (let rounds = chance.below(4); rounds > 0 && bytes.length > 0; rounds--) {
    const at = chance.below(bytes.length);
    switch (chance.below(6)) {
      case 0:
        bytes = replaced(bytes, at, 0, chance.pick(PIECES));
        break;
      case 1:
        bytes = replaced(bytes, at, 1, chance.pick(PIECES));
        break;
      case 2:
        bytes = replaced(bytes, at, chance.below(2), chance.pick(INVALID));
        break;
      case 3:
        bytes = replaced(bytes, at, 1, unicodeEscape(bytes[at] ?? 0));
        break;
      case 4: {
        // At the structure: white space, another value, a punctuator too many or too few.
        const sign = signNear(bytes, at) + chance.below(2);
        bytes = replaced(bytes, sign, chance.below(2), chance.pick(PIECES));
        break;
      }
      default:
        bytes = replaced(bytes, at, 1 + chance.below(3), Buffer.of(chance.below(256)));
    }
  }
  return bytes;
}

function replaced(bytes: Buffer, at: number, length: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + length)]);
}

function unicodeEscape(byte: number): Buffer {
  return Buffer.from(`\\u${byte.toString(16).padStart(4, "0")}`);
}

/** The next quote, colon, comma or bracket; the position itself if there is none. */
function signNear(bytes: Buffer, at: number): number {
  for (let sign = at; sign < bytes.length; sign++)
    if ('":,{}[]'.includes(String.fromCharCode(bytes[sign] ?? 0))) return sign;
  return at;
}

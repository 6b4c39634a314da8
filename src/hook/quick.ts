/**
 * Every call is a fresh process, in which hashing a long text, or only loading Node's crypto, would take longer than
 * everything else. So a text is recognised by a sample, which finds candidates; then the texts themselves are compared.
 */
import type { Fingerprint } from "../dedup/fingerprint.js";
import { hash64 } from "../log/lineIndex.js";

/** Characters at both ends, and as many single ones spread over the text. */
const SAMPLE = 128;

export function quickFingerprint(text: string): Fingerprint {
  return `${text.length}.${quickName(text.length <= 4 * SAMPLE ? text : sampleOf(text))}`;
}

/** A file name that stands for a path. */
export function quickName(text: string): string {
  return hash64(text)
    .map(half => half.toString(16).padStart(8, "0"))
    .join("");
}

/**
 * Differs for other bytes; always, if only one word differs. Four bytes at a time: byte by byte, a fresh process would
 * spend more time on this than on all its other work.
 */
export function quickChecksum(bytes: Buffer): string {
  const words = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
  let sum = bytes.length;
  for (let at = 0; at < words.length; at++) {
    // Each step can be reversed, so a difference is never lost.
    sum = Math.imul(sum ^ (words[at] as number), 0x01000193);
    sum ^= sum >>> 15;
  }
  for (let at = words.length * 4; at < bytes.length; at++) sum = Math.imul(sum ^ (bytes[at] as number), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

function sampleOf(text: string): string {
  let sample = text.slice(0, SAMPLE) + text.slice(-SAMPLE);
  for (let at = SAMPLE; at < text.length; at += Math.ceil(text.length / SAMPLE)) sample += text[at];
  return sample;
}

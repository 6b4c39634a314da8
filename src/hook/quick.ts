/**
 * Every call is a fresh process, where hashing a long text, or just loading Node's crypto, would take longer than
 * everything else. So texts are looked up by a sample, and the candidates are then compared in full.
 */
import type { Fingerprint } from "../dedup/fingerprint.js";
import type { LogText } from "../log/heldText.js";
import { hash64 } from "../log/lineIndex.js";

/** Characters at each end, and as many single ones spread over the text. */
const SAMPLE = 128;

export function quickFingerprint(held: LogText): Fingerprint {
  const text = held.toString();
  return `${text.length}.${quickName(text.length <= 4 * SAMPLE ? text : sampleOf(text))}`;
}

/** A file name for a path. */
export function quickName(text: string): string {
  return hash64(text)
    .map(half => half.toString(16).padStart(8, "0"))
    .join("");
}

function sampleOf(text: string): string {
  let sample = text.slice(0, SAMPLE) + text.slice(-SAMPLE);
  for (let at = SAMPLE; at < text.length; at += Math.ceil(text.length / SAMPLE)) sample += text[at];
  return sample;
}

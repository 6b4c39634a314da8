import { hash } from "node:crypto";

/** 128 bits of SHA-256 over the text's UTF-8, as 32 hexadecimal digits. Nothing is trimmed or normalised. */
export type Fingerprint = string;

export function fingerprint(text: string): Fingerprint {
  return hash("sha256", text, "hex").slice(0, 32);
}

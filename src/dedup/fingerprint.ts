import { createHash } from "node:crypto";

/** 128 bits of SHA-256 over the text's UTF-8, as 32 hexadecimal digits. Nothing is trimmed or normalised. */
export type Fingerprint = string;

export function fingerprint(text: string): Fingerprint {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, 32);
}

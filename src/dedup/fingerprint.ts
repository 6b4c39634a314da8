import { hash } from "node:crypto";
import type { LogText } from "../log/heldText.js";

/** 128 bits of SHA-256 over the text's UTF-8, as 32 hexadecimal digits. Nothing is trimmed or normalised. */
export type Fingerprint = string;

export function fingerprint(text: LogText | Uint8Array): Fingerprint {
  const hashed = typeof text === "string" || text instanceof Uint8Array ? text : text.utf8();
  return hash("sha256", hashed, "hex").slice(0, 32);
}

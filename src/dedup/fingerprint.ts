import { hash } from "node:crypto";
import type { LogText } from "../log/heldText.js";

/** 128 bits of SHA-256 over the text's UTF-8, as 32 hexadecimal digits. Nothing is trimmed or normalised. */
export type Fingerprint = string;

export function fingerprint(text: LogText): Fingerprint {
  return hash("sha256", typeof text === "string" ? text : text.utf8(), "hex").slice(0, 32);
}

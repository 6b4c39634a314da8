/** Which parts of the program have run: their compiled code is cached for the next time (src/cli/start.ts). */
import type { ReportFormat } from "../protocol/reportFormats.js";

const PARTS = ["recalled", "replayed", "read", "json", "markdown", "html", "table"] as const;
type Part = (typeof PARTS)[number] | ReportFormat;

let ran = 0;

export function runs(part: Part): void {
  ran |= 1 << PARTS.indexOf(part);
}

/** As bits. */
export function ranParts(): number {
  return ran;
}

import type { Report } from "../inspect/report.js";
import type { SweepPoint } from "../inspect/sweepFigures.js";
import { counted, percent, short } from "../words/numbers.js";
import type { Tint } from "./terminal.js";

/** Shown even where nothing changes, so that the curve has the same shape from report to report. */
const SHOWN = [1, 2, 3, 4, 5, 8, 12, 16, 24, 32, null];
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Saved tokens over capacity as bars, the present setting and the advice marked. */
export function renderSweep(report: Report, width: number, paint: (tint: Tint, text: string) => string): string {
  const most = report.sweep.at(-1)?.savedTokens ?? 0;
  if (most === 0) return paint("dim", "No result repeats an earlier one, at any capacity.\n");
  const { capacity } = report.settings;
  const advised = report.advice.capacity;
  const shown = report.sweep.filter(
    point => SHOWN.includes(point.capacity) || point.capacity === capacity || point.capacity === advised,
  );
  const room = Math.max(8, Math.min(40, width - 46));
  const lines = shown.map(point => {
    const label = (point.capacity === null ? "∞" : String(point.capacity)).padStart(4);
    const now = point.capacity === capacity;
    const length = bar(point.savedTokens / most, room);
    const figures = `${short(point.savedTokens).padStart(6)}  ${counted(point.hits, "hit").padStart(9)}`;
    return `${label}  ${paint(now ? "green" : "blue", length.padEnd(room))} ${figures}${paint("dim", mark(point, now, advised))}`;
  });
  return `${lines.join("\n")}\n${paint("dim", adviceLine(report, most))}\n`;
}

function mark(point: SweepPoint, now: boolean, advised: number | null): string {
  const marks = [now && "now", point.capacity !== null && point.capacity === advised && "advised"].filter(Boolean);
  return marks.length > 0 ? `  ${marks.join(", ")}` : "";
}

function adviceLine(report: Report, most: number): string {
  const share = percent(report.advice.share, 1);
  if (report.advice.capacity === null) return `No capacity up to 32 reaches ${share} of the ${short(most)} tokens.`;
  return `Capacity ${report.advice.capacity} is the smallest that reaches ${share} of what an unlimited cache saves.`;
}

function bar(share: number, room: number): string {
  const eighths = Math.round(share * room * 8);
  return "█".repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? "");
}

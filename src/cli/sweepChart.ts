import type { Report } from "../inspect/report.js";
import type { SweepPoint } from "../inspect/sweepFigures.js";
import { percent, short } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { counted, fill } from "../words/text.js";
import type { Tint } from "./terminal.js";

/** Always shown, so that the curve has the same shape in every report. */
const SHOWN = [1, 2, 3, 4, 5, 8, 12, 16, 24, 32, null];
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Saved tokens by capacity as bars, with the current and the recommended capacity marked. */
export function renderSweep(report: Report, width: number, paint: (tint: Tint, text: string) => string): string {
  const most = report.sweep.at(-1)?.savedTokens ?? 0;
  if (most === 0) return paint("dim", `${strings.whatIf.nothing}\n`);
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
    const figures = `${short(point.savedTokens).padStart(6)}  ${counted(strings.counts.hits, point.hits).padStart(9)}`;
    return `${label}  ${paint(now ? "green" : "blue", length.padEnd(room))} ${figures}${paint("dim", mark(point, now, advised))}`;
  });
  return `${lines.join("\n")}\n${paint("dim", adviceLine(report))}\n`;
}

function mark(point: SweepPoint, now: boolean, advised: number | null): string {
  const { present, advised: recommended } = strings.whatIf;
  const marks = [now && present, point.capacity !== null && point.capacity === advised && recommended].filter(Boolean);
  return marks.length > 0 ? `  ${marks.join(", ")}` : "";
}

function adviceLine({ advice, sweep }: Report): string {
  const share = percent(advice.share, 1);
  const { advice: smallest, tooFar } = strings.whatIf;
  if (advice.capacity !== null) return fill(smallest, { capacity: advice.capacity, share });
  return fill(tooFar, { capacity: sweep.at(-2)?.capacity ?? 0, share });
}

function bar(share: number, room: number): string {
  const eighths = Math.round(share * room * 8);
  return "█".repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? "");
}

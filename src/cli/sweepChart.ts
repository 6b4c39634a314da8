import type { Report } from "../inspect/report.js";
import type { SweepPoint } from "../inspect/sweepFigures.js";
import { adviceText } from "../words/adviceText.js";
import { grouped, short } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { counted } from "../words/text.js";
import { type Tint, wrapped } from "./terminal.js";
import type { TitledTable } from "./textTable.js";

/** Always shown, so that the curve has the same shape in every report. */
const SHOWN = [1, 2, 3, 4, 5, 8, 12, 16, 24, 32, null];
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** What other capacities would save, for documents; nothing if no capacity saves anything. */
export function sweepTables(report: Report): TitledTable[] {
  const { columns, whatIf } = strings;
  if (mostSaved(report) === 0) return [];
  const rows = shownPoints(report).map(point => {
    const words = mark(point, report);
    return [`${point.capacity ?? "∞"}${words && ` (${words})`}`, short(point.savedTokens), grouped(point.hits)];
  });
  const heads = [
    { title: whatIf.capacity },
    { title: columns.saved, align: "right" },
    { title: columns.hits, align: "right" },
  ] as const;
  return [{ title: whatIf.capacityTitle, note: adviceOf(report).sentence, columns: heads, rows }];
}

function mostSaved({ sweep }: Report): number {
  return sweep.at(-1)?.savedTokens ?? 0;
}

function shownPoints(report: Report): SweepPoint[] {
  const shown = [...SHOWN, report.settings.capacity, adviceOf(report).capacity];
  return report.sweep.filter(point => shown.includes(point.capacity));
}

/** Saved tokens by capacity as bars, with the current and the recommended capacity marked. */
export function renderSweep(report: Report, width: number, paint: (tint: Tint, text: string) => string): string {
  const most = mostSaved(report);
  if (most === 0) return paint("dim", `${wrapped(strings.whatIf.nothing, width)}\n`);
  const room = Math.max(8, Math.min(40, width - 46));
  const lines = shownPoints(report).map(point => {
    const label = (point.capacity === null ? "∞" : String(point.capacity)).padStart(4);
    const now = point.capacity === report.settings.capacity;
    const words = mark(point, report);
    const length = bar(point.savedTokens / most, room);
    const figures = `${short(point.savedTokens).padStart(6)}  ${counted(strings.counts.hits, point.hits).padStart(9)}`;
    return `${label}  ${paint(now ? "green" : "blue", length.padEnd(room))} ${figures}${paint("dim", words && `  ${words}`)}`;
  });
  return `${lines.join("\n")}\n${paint("dim", wrapped(adviceOf(report).sentence, width))}\n`;
}

/** What is special about a capacity, in words; "" for most. */
function mark({ capacity }: SweepPoint, report: Report): string {
  const { present, advised } = strings.whatIf;
  const isAdvised = capacity !== null && capacity === adviceOf(report).capacity;
  return [capacity === report.settings.capacity && present, isAdvised && advised].filter(Boolean).join(", ");
}

function adviceOf({ sweep, settings }: Report): ReturnType<typeof adviceText> {
  return adviceText(sweep, settings.capacity);
}

function bar(share: number, room: number): string {
  const eighths = Math.round(share * room * 8);
  return "█".repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? "");
}
